//! Connect Four.

mod conformance;
mod perft;
mod rules;
