//! Games with perfect information: one module a game.
pub mod amazons;
pub mod chess;
pub mod dots_and_boxes;
mod grid;
mod keys;
pub mod protocol;
mod size;
pub mod surakarta;
pub mod xiangqi;

pub use amazons::Amazons;
pub use chess::Chess;
pub use dots_and_boxes::DotsAndBoxes;
pub use size::UnsupportedSize;
pub use surakarta::Surakarta;
pub use xiangqi::Xiangqi;
