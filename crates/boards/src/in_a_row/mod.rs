//! The family of games in which stones are placed and a row of them wins: m columns, n rows, k in a row, p stones a
//! turn, q in the first (I. C. Wu and D. Y. Huang, "A New Family of k-in-a-row Games", 2005). Tic-tac-toe, gomoku
//! without bans and Connect6 are members.

mod evaluation;
mod notation;
mod points;
mod rules;
mod state;
mod symmetry;

pub use rules::{InARow, Overline, StoneOrder, Undo, UnplayableFamily};
pub use state::{Point, State};
