//! Xiangqi.

mod conformance;
mod evaluation;
mod mutants;
mod perft;
mod repetition;
mod rulebook;
mod twin;
