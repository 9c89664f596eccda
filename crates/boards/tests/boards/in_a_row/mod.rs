//! The family of k in a row: tic-tac-toe, gomoku, Connect6.

mod conformance;
mod perft;
mod rules;
