//! Xiangqi.

mod conformance;
mod mutants;
mod perft;
mod rulebook;
mod twin;
