//! Rules, notation and counts of each game.

mod counts;
mod xiangqi;
