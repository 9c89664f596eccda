//! Keys.

use super::rules::{Chess, State};
use game::{Keyed, TwoPlayerZeroSum};

impl TwoPlayerZeroSum for Chess {}

impl Keyed for Chess {
    #[inline]
    fn key(&self, state: &State) -> u64 {
        state.key()
    }

    fn key_from_scratch(&self, state: &State) -> u64 {
        state.rebuilt().map_or(0, |board| State::on(board).key())
    }
}
