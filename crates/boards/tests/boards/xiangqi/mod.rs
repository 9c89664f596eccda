//! Xiangqi.

mod conformance;
mod evaluation;
mod mutants;
mod perft;
mod positions;
mod repetition;
mod rulebook;
mod twin;
