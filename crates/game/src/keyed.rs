//! A number for a position, by which tables and repetition rules find it again.

use crate::Rules;

pub trait Keyed: Rules {
    /// 64 bits that are a pure function of the position, the seat to act included, whatever the way there. Kept up
    /// to date by [`Rules::apply`] and [`Rules::undo`], so that asking costs nothing. Counters of plies that end a
    /// game (without a capture, say) are no part of it.
    fn key(&self, state: &Self::State) -> u64;

    /// The same number, computed from the position alone.
    fn key_from_scratch(&self, state: &Self::State) -> u64;
}
