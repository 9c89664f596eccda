//! The mark that searches for two opponents ask for.

use crate::Rules;

/// Two seats, and what one wins the other loses: [`Rules::n_seats`] is 2 and every ending's scores sum to zero, which
/// the conformance checks of [`moves`](crate::conformance::moves) see. A search that negates values asks for this, so
/// a game with other scores or more seats is refused when the program is compiled.
pub trait TwoPlayerZeroSum: Rules {}
