//! Chess.

mod conformance;
mod evaluation;
mod mutant;
mod mutants;
mod perft;
mod positions;
mod rulebook;
