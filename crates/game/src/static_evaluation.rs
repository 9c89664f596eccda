//! What a position looks worth without looking ahead.

use crate::TwoPlayerZeroSum;

pub trait StaticEvaluation: TwoPlayerZeroSum {
    /// Hundredths of the game's own unit (a pawn, a disc, a box), from the view of the seat to act; never more than
    /// [`STATIC_SCORE_MAX`] from zero. Whole numbers only, so that every machine agrees. A mirrored position has the
    /// same score. Only asked where a seat acts.
    fn static_score(&self, state: &Self::State) -> i32;

    /// Whether endings differ by a margin that counts (discs, boxes, area). Where they do, a search scores an ending
    /// by its utility in hundredths; elsewhere a win is a win, and the nearer the better.
    fn counts_margins(&self) -> bool {
        false
    }
}

/// The largest distance of a static score from zero.
pub const STATIC_SCORE_MAX: i32 = 500_000;
