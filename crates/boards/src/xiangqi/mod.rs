//! Xiangqi (Chinese chess).
//!
//! A ply is one move of one piece. Points are named as UCCI names them: files a–i from Red's left, ranks 0–9 from
//! Red's side. Draws by long play without a capture and by lack of attackers are parameters of the rules; draws and
//! losses by repetition are a policy over the moves of a game; rules about perpetual chase are not implemented.

mod evaluation;
mod generate;
mod hints;
mod notation;
mod piece;
mod repetition;
mod rules;
mod square;
mod state;
mod symmetry;
mod tables;

pub use evaluation::{Weights, material, position_terms};
pub use generate::{Action, is_in_check};
pub use notation::STANDARD_START;
pub use piece::{BLACK, Kind, Piece, RED};
pub use repetition::PerpetualCheck;
pub use rules::{Undo, Xiangqi};
pub use square::{N_FILES, N_RANKS, N_SQUARES, Square, Squares};
pub use state::State;
