//! What is checked of War Chest: its rules against games of an independent referee, its beliefs against the truth
//! and against enumeration. For tests and `muster check`; nothing that plays uses it.

mod referee_games;
mod support;
mod walk;

pub use referee_games::{BadGames, Report, referee_games, state_json};
pub use support::{SupportCheck, SupportReport, truth_in_support};
pub use walk::Walk;
