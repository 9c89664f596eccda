//! Games with perfect information: one module a game.
pub mod chess;
pub mod xiangqi;

pub use chess::Chess;
pub use xiangqi::Xiangqi;
