//! Rules, notation and counts of each game.

mod amazons;
mod chess;
mod connect_four;
mod counts;
mod dots_and_boxes;
mod mutant;
mod protocol;
mod prover;
mod second;
mod surakarta;
mod in_a_row;
mod othello;
mod walks;
mod xiangqi;
