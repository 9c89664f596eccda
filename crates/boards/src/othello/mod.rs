//! Othello on 4 × 4, 6 × 6 and 8 × 8.

mod bits;
mod evaluation;
mod notation;
mod rules;
mod state;

pub use rules::{Othello, Scoring};
pub use state::{Action, State};
