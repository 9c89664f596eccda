//! Games with perfect information: one module a game.
pub mod amazons;
pub mod chess;
pub mod dots_and_boxes;
mod grid;
mod keys;
pub mod protocol;
mod size;
pub mod surakarta;
pub mod connect_four;
pub mod in_a_row;
pub mod othello;
pub mod xiangqi;

pub use amazons::Amazons;
pub use chess::Chess;
pub use dots_and_boxes::DotsAndBoxes;
pub use size::UnsupportedSize;
pub use surakarta::Surakarta;
pub use connect_four::ConnectFour;
pub use in_a_row::InARow;
pub use othello::Othello;
pub use xiangqi::Xiangqi;
