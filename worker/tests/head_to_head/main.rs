//! Players at work: matches, a person's game, a player as a process, one searched position.

mod commands;
mod matches;
mod person;
mod process;
mod programs;
mod wall;
