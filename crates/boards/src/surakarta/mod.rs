//! Surakarta.
//!
//! A ply moves one stone: one step in any of eight directions to an empty point, or a capture. A capture runs along
//! the lines of one of two circuits, round at least one of its loops outside the board, over empty points only, and
//! takes the first stone it meets, which must be the opponent's. Points are named by column a–f and row 1–6.

mod circuit;
mod notation;
mod rules;

pub use circuit::Point;
pub use rules::{Action, State, Surakarta, Undo};
