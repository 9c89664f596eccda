//! War Chest: rules, observation, beliefs, features, action index, symmetry.

pub mod action;
mod action_index;
mod action_text;
mod apply;
pub mod army;
pub mod belief;
pub mod check;
pub mod coins;
pub mod draft;
mod features;
mod field;
mod fingerprint;
mod grid;
pub mod hex;
pub mod hex_set;
mod legal;
mod notation;
pub mod observation;
pub mod options;
mod position_text;
mod rules;
mod second_truth;
pub mod setup;
pub mod state;
pub mod symmetry;
mod tactic;
mod tactical;
pub mod unit;
mod validate;
pub mod zones;

pub use action::Action;
pub use army::{Army, NoArmy};
pub use belief::StructuralUniform;
pub use coins::{Coins, N_SLOTS, ROYAL_SLOT};
pub use draft::{Draft, DraftStep, NoPick};
pub use hex::{BLACK_STARTS, DIRECTIONS, Hex, LOCATIONS, NEUTRALS, WHITE_STARTS};
pub use hex_set::HexSet;
pub use observation::{Concealed, Event, Now, Seen, SeenZones};
pub use options::{CAP_DEFAULT, Dealing, RoyalGuardCard, WarChest};
pub use setup::{Pool, Preset, Setup};
pub use state::{Decision, HAND_SIZE, N_MARKERS, NO_CAP, Stack, State, Step};
pub use unit::{Coin, Unit};
pub use zones::Zones;

impl game::Render for WarChest {}
