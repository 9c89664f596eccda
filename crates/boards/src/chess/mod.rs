//! Chess, over the rules crate `cozy-chess`.
//!
//! A ply is one move of one side. Draws by long play without progress and by lack of material are parameters of the
//! rules; draws by repetition are a policy over the moves of a game.

mod action;
mod evaluation;
mod hints;
mod key;
mod notation;
mod rules;

pub use action::Action;
pub use evaluation::{Weights, material, phase, position_terms};
pub use rules::{Chess, Draws, State, Undo, is_in_check};
