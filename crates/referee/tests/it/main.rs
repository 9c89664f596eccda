//! Proves that a truth referees a game (plays, draws, refuses, observes) and that what it must not offer does
//! not compile.

mod absent;
mod high_card;
mod referees;
