//! Connect Four: discs fall to the lowest free place of a column, and four in a row win.

mod evaluation;
mod notation;
mod rules;
mod state;

pub use rules::ConnectFour;
pub use state::{Column, State};
