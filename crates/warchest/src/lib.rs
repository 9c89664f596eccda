//! War Chest: rules, observation, beliefs, features, action index, symmetry.

pub mod action;
pub mod army;
pub mod coins;
pub mod hex;
pub mod hex_set;
pub mod unit;

pub use action::Action;
pub use army::{Army, NoArmy};
pub use coins::{Coins, N_SLOTS, ROYAL_SLOT};
pub use hex::{BLACK_STARTS, Hex, LOCATIONS, NEUTRALS, WHITE_STARTS};
pub use hex_set::HexSet;
pub use unit::{Coin, Unit};
