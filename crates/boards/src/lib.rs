//! Games with perfect information: one module a game.
pub mod xiangqi;

pub use xiangqi::Xiangqi;
