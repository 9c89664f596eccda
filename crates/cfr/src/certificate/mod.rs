//! Proofs of what solvers claim, by means that share nothing with them but the tree.
//!
//! | module | what it proves |
//! |---|---|
//! | [`exact_policy`] | strategies as integers over one denominator: what is proved is about exactly these |
//! | [`exact_evaluation`] | values and best responses of such strategies, without rounding |
//! | [`proof`] | "NashConv is at most ε", with bounds on the game's value |
//! | [`definition`] | NashConv as its definition reads, history by history |
//! | [`sequence_lp`] | the value of a two-seat zero-sum game, by a linear program |

pub mod definition;
pub mod exact_evaluation;
pub mod exact_policy;
pub mod proof;
mod rational;
pub mod sequence_lp;

pub use exact_evaluation::ExactEvaluation;
pub use exact_policy::ExactPolicy;
pub use proof::{Certificate, ProofError, ValueBounds, prove};
pub use rational::{Rational, at_least, at_most};
