//! Xiangqi.

mod conformance;
mod perft;
