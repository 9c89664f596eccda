//! Explicit chance: outcomes with integer weights. No random generator lives in a state.

use crate::{Rules, Stream};

pub trait Chance: Rules {
    /// Calls `each` with every outcome that can happen at this chance node and its weight (at least 1). The
    /// probability of an outcome is its weight divided by the sum of all.
    fn outcomes(&self, state: &Self::State, each: &mut impl FnMut(Self::Action, u32));

    /// Draws one outcome. Uses exactly one `below` of the stream.
    fn draw(&self, state: &Self::State, stream: &mut Stream) -> Self::Action {
        let mut total = 0u32;
        self.outcomes(state, &mut |_, weight| total += weight);
        let mut left = stream.below(total);
        let mut drawn = None;
        self.outcomes(state, &mut |action, weight| {
            if drawn.is_none() {
                if left < weight {
                    drawn = Some(action);
                } else {
                    left -= weight;
                }
            }
        });
        drawn.expect("draw is called at a chance node, which has an outcome")
    }
}
