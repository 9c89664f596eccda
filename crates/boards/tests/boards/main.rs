//! Rules, notation and counts of each game.
