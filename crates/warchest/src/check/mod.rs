//! What is checked of War Chest: its rules against games of an independent referee, its beliefs against the truth
//! and against enumeration. For tests and `muster check`; nothing that plays uses it.

mod calibration;
mod enumerated;
pub mod hidden_fields;
mod histories;
mod mini;
mod referee_games;
mod support;
mod walk;

pub use calibration::{CALIBRATION_SEED, CalibrationCheck, CalibrationReport, calibration};
pub use enumerated::{EnumeratedCheck, EnumeratedReport, beliefs_enumerated};
pub use histories::{Chooser, Continuation, Histories};
pub use mini::{MiniGame, MiniSize};
pub use referee_games::{BadGames, Report, referee_games, state_json};
pub use support::{SupportCheck, SupportReport, truth_in_support};
pub use walk::Walk;
