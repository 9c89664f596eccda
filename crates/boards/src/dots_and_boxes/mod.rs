//! Dots and boxes.
//!
//! A ply draws one line. Who completes a box owns it and draws again, so turns do not alternate. The game ends when
//! every line is drawn. Dots are named by a letter for the column from the left and a number for the row from below.

mod grid_of_lines;
mod notation;
mod rules;

pub use grid_of_lines::Line;
pub use rules::{DotsAndBoxes, Scoring, State, Undo};
