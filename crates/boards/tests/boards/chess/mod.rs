//! Chess.

mod conformance;
mod perft;
