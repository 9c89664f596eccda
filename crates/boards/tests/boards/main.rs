//! Rules, notation and counts of each game.

mod chess;
mod counts;
mod xiangqi;
