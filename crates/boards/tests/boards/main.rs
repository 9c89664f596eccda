//! Rules, notation and counts of each game.

mod amazons;
mod chess;
mod connect_four;
mod counts;
mod dots_and_boxes;
mod in_a_row;
mod mutant;
mod othello;
mod protocol;
mod prover;
mod second;
mod surakarta;
mod walks;
mod xiangqi;
