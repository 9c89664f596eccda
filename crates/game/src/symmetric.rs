//! Turned and mirrored boards that play the same game.

use crate::Rules;

pub trait Symmetric: Rules {
    /// How many symmetries there are, the identity included, which is number 0.
    fn n_symmetries(&self) -> usize;

    /// The position under a symmetry. Whose turn it is stays.
    fn turned_state(&self, symmetry: usize, state: &Self::State) -> Self::State;

    /// The action that does in the turned position what `action` does in the original.
    fn turned_action(&self, symmetry: usize, action: Self::Action) -> Self::Action;
}
