//! Counterfactual regret minimization, best responses and certificates for games with hidden information.
//!
//! | module | what it holds |
//! |---|---|
//! | [`information`] | which situations a seat plays alike |
//! | [`size`] | how large a game is, before it is laid out |
//! | [`tree`], [`mod@compile`] | a game laid out flat, and what is refused |
//! | [`policy`] | a strategy for every seat |
//! | [`sequence_form`] | the tree as each seat's own decisions and a list of terminals |
//! | [`best_response`], [`nash_conv`] | how far a policy is from equilibrium |
//! | [`matrix`] | games of one choice each, solved by other means |
//! | [`rule`], [`solver`] | the regret minimizers: one kernel, many rules |
//! | [`sampling`] | the same by walks that are drawn at random |
//! | [`save`] | a solve as bytes, from which it goes on |
//! | [`certificate`] | proofs of what was solved, in exact numbers |
//! | [`stochastic`] | how far a player is from equilibrium that can only be asked for actions |
//!
//! Utilities are in the game's own unit, always from the view of the seat that is named beside them. *NashConv* is
//! the sum over the seats of what each could gain by deviating alone; *exploitability* is NashConv divided by the
//! number of seats and is printed for two seats only.

pub mod best_response;
pub mod certificate;
pub mod compile;
pub mod information;
pub mod matrix;
pub mod nash_conv;
pub mod policy;
pub mod rule;
pub mod sampling;
pub mod save;
pub mod sequence_form;
pub mod size;
pub mod solver;
pub mod stochastic;
pub mod tree;

pub use compile::{CompileError, compile};
pub use nash_conv::NashConv;
pub use policy::Policy;
pub use rule::{Rule, Updates};
pub use sampling::{SampledSolver, SampledState, Sampling};
pub use sequence_form::SequenceForm;
pub use solver::{Solver, SolverState};
pub use tree::{InformationSet, NodeKind, Tree};
