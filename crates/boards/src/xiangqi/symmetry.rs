//! Keys, and the board with left and right exchanged.

use super::generate::Action;
use super::rules::Xiangqi;
use super::state::State;
use game::{Keyed, Symmetric, TwoPlayerZeroSum};

impl TwoPlayerZeroSum for Xiangqi {}

impl Keyed for Xiangqi {
    #[inline]
    fn key(&self, state: &State) -> u64 {
        state.key()
    }

    fn key_from_scratch(&self, state: &State) -> u64 {
        state.rebuilt().key()
    }
}

impl Symmetric for Xiangqi {
    fn n_symmetries(&self) -> usize {
        2
    }

    /// 1 exchanges left and right.
    fn turned_state(&self, symmetry: usize, state: &State) -> State {
        if symmetry == 0 { *state } else { state.mirrored() }
    }

    fn turned_action(&self, symmetry: usize, Action { from, to }: Action) -> Action {
        if symmetry == 0 {
            Action { from, to }
        } else {
            Action { from: from.mirrored(), to: to.mirrored() }
        }
    }
}
