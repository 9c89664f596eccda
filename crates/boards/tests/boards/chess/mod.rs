//! Chess.

mod conformance;
mod mutant;
mod mutants;
mod perft;
mod rulebook;
