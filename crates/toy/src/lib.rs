//! Small games with hidden information whose sizes and values are known: what solvers and searches are checked with.
//!
//! A small game is played as a [`Line`] of acts, chance outcomes included, and says of each ply what each seat sees
//! ([`SmallGame`]); [`Small`] makes it a game for everything else. Simultaneous moves are played in seat order, the
//! first ones hidden.

pub mod belief;
pub mod goofspiel;
pub mod kuhn;
pub mod leduc;
pub mod liars_dice;
mod line;
mod look_alike;
pub mod normal_form;
mod small;

pub use belief::Enumerated;
pub use goofspiel::Goofspiel;
pub use kuhn::Kuhn;
pub use leduc::Leduc;
pub use liars_dice::LiarsDice;
pub use line::{Act, Line, PLIES_MAX, Sight};
pub use normal_form::NormalForm;
pub use small::{Knowledge, Small, SmallGame};
