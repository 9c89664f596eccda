//! Games with perfect information: one module a game.
pub mod amazons;
pub mod chess;
pub mod connect_four;
pub mod dots_and_boxes;
mod grid;
pub mod in_a_row;
mod keys;
pub mod othello;
pub mod protocol;
mod size;
pub mod surakarta;
pub mod xiangqi;

pub use amazons::Amazons;
pub use chess::Chess;
pub use connect_four::ConnectFour;
pub use dots_and_boxes::DotsAndBoxes;
pub use in_a_row::InARow;
pub use othello::Othello;
pub use size::UnsupportedSize;
pub use surakarta::Surakarta;
pub use xiangqi::Xiangqi;
