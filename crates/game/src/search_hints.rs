//! What a search may be told about a game so that it looks at the right things first. No hint changes what is true:
//! every method has a default that says nothing.

use crate::{ActionSink, Rules};
use std::ops::ControlFlow;

pub trait SearchHints: Rules {
    /// Whether the seat to act is in check, or in whatever obliges it to answer: such a position has no static score
    /// worth having, and nobody passes in it. A [`Line`](crate::Line) keeps it for every ply.
    fn is_forced(&self, state: &Self::State) -> bool {
        let _ = state;
        false
    }

    /// Pushes the legal actions after which a static score cannot be trusted: captures, promotions. They must come
    /// to an end.
    fn noisy_actions(
        &self,
        state: &Self::State,
        sink: &mut impl ActionSink<Self::Action>,
    ) -> ControlFlow<()> {
        let _ = (state, sink);
        ControlFlow::Continue(())
    }

    /// What a legal action takes at once, in hundredths, with a small deduction for the worth of what takes it (most
    /// valuable victim, least valuable attacker). 0 for an action that takes nothing.
    fn gain(&self, state: &Self::State, action: Self::Action) -> i32 {
        let _ = (state, action);
        0
    }

    /// How promising an action that takes nothing looks beside the others of its position. Any scale below 1,000.
    fn promise(&self, state: &Self::State, action: Self::Action) -> i32 {
        let _ = (state, action);
        0
    }

    /// The position in which the seat to act has passed, where a pass is certainly no better than the best action:
    /// `None` in check, near zugzwang, and in every game that knows neither.
    fn after_null_move(&self, state: &Self::State) -> Option<Self::State> {
        let _ = state;
        None
    }
}
