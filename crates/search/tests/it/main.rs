//! Searches on two toy games: one without and one with hidden information.

mod determinism;
mod duel;
mod evaluators;
mod interference;
mod machine;
mod nim;
mod params;
mod players;
mod seats;
mod wins;
