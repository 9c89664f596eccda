//! The game of the amazons.
//!
//! A ply is a whole turn: an amazon moves as a queen of chess does, then shoots an arrow the same way from where it
//! arrived; arrows stay. Who cannot move has lost. Squares are named as in chess.

mod evaluation;
mod notation;
mod queen_lines;
mod rules;

pub use evaluation::{Terms, Weights, evaluate};
pub use queen_lines::{Square, Squares};
pub use rules::{Action, Amazons, State, Undo};
