//! What a beginner would notice about an action. Used by the greedy baseline and to shape the priors of
//! generation 0; never in evaluation.

use crate::Hidden;

/// Kinds of action from dull to attractive.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Appeal {
    /// Nothing a beginner would notice.
    Plain,
    /// Brings a piece nearer to where the game is won. The number is the distance gained, at least 1.
    Advance(u8),
    /// Takes something from the opponent.
    Attack,
    /// Gains what the game is won by.
    Control,
}

pub trait Tactical: Hidden {
    /// The appeal of a legal action, judged from what the acting seat may know.
    fn appeal(&self, now: &Self::Now, action: Self::Action) -> Appeal;
}
