//! Othello.

mod conformance;
mod perft;
mod rules;
