//! Rules, notation and counts of each game.

mod amazons;
mod chess;
mod counts;
mod dots_and_boxes;
mod mutant;
mod protocol;
mod prover;
mod second;
mod surakarta;
mod xiangqi;
