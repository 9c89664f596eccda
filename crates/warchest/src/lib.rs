//! War Chest: rules, observation, beliefs, features, action index, symmetry.

pub mod action;
pub mod army;
pub mod coins;
pub mod draft;
pub mod hex;
pub mod hex_set;
pub mod setup;
pub mod state;
pub mod unit;
pub mod zones;

pub use action::Action;
pub use army::{Army, NoArmy};
pub use coins::{Coins, N_SLOTS, ROYAL_SLOT};
pub use draft::{Draft, DraftStep, NoPick};
pub use hex::{BLACK_STARTS, Hex, LOCATIONS, NEUTRALS, WHITE_STARTS};
pub use hex_set::HexSet;
pub use setup::{Pool, Preset, Setup};
pub use state::{Decision, HAND_SIZE, N_MARKERS, NO_CAP, Stack, State, Step};
pub use unit::{Coin, Unit};
pub use zones::Zones;
