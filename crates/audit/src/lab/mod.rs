//! The two-world lab: pairs of truths that one seat cannot tell apart, and everything that must then be equal.
//!
//! | part | what it does |
//! |---|---|
//! | [`twins`] | two games that one seat cannot tell apart, the second by the route that knows no belief |
//! | [`subject`] | what is examined: a program from observation to written row; the methods not given are the real ones |
//! | [`trace`] | what one decision leaves behind, part by part, as bytes |
//! | [`mod@compare`] | plays twins through a subject and compares the traces (IB2) and the shards |
//! | [`solo`] | what no pair can show: worlds that do not look alike, sides of a split, ids, cache, batch, schema |
//! | [`coverage`] | which kinds of decision and which hidden fields the pairs reached |
//!
//! A subject is given the truth, as the host of a game has it. Without the feature `referee/planted` there is no
//! way from it to the state, so a subject that compiles without can be examined here as it is.

pub mod channel;
pub mod compare;
pub mod coverage;
mod log;
pub mod solo;
pub mod subject;
pub mod trace;
pub mod twins;

pub use channel::{Channel, Test};
pub use compare::{Comparison, Difference, Plan, compare};
pub use coverage::{Counts, Coverage, Fields};
pub use solo::{Known, examine};
pub use subject::{Asked, Decided, Game, Inferred, Player, Recorded, Scene, Subject};
pub use trace::{Part, Trace};
pub use twins::{Style, Twin};
