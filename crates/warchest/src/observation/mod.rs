//! `observation-v1`: what one seat may know, as an allow-list.
//!
//! | part | own seat | of the opponent |
//! |---|---|---|
//! | board, control, initiative, round, plays, pending decision | all | all |
//! | supply, eliminated coins, face-up discards | by type | by type |
//! | hand, bag, face-down discards, coin in flight | by type | how many; by type only all four together |
//! | draws and coins spent face-down, in events | the coin | that it happened |
//!
//! Absent: the opponent's hand, bag, face-down discards and coin in flight by type; any order of a bag; any
//! random generator; which coin is which. [`Now`] is built field by field from a state, never by taking fields
//! away from one.

mod bytes;
mod event;
mod hidden;
mod now;

pub use bytes::NOW_LEN;
pub(crate) use event::Flow;
pub use event::{Event, Seen};
pub use now::{Concealed, Now, SeenZones};
