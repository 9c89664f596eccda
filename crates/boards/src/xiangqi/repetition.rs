//! Repetition by the Asian rules, without the rules about chase.

use super::rules::Xiangqi;
use game::{CyclePly, Line, Repetition, Seat, Utility};

/// A position that stands on the board for the `times`-th time ends the game. The moves since it last stood there
/// decide: a side that gave check with every one of them while the other did not loses; where both did, or where
/// either made an idle move, the game is drawn. Perpetual chase, which the full rules forbid too, is not judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PerpetualCheck {
    /// 3 in play; 2 inside a search.
    pub times: usize,
}

impl Repetition<Xiangqi> for PerpetualCheck {
    fn verdict(&self, line: &Line<Xiangqi>) -> Option<Utility> {
        if line.n_earlier() + 1 < self.times {
            return None;
        }
        // Sides alternate, and a cycle ends with a move of the side that waits now.
        let cycle = line.cycle();
        let (waiting, moving) = (Seat::other(line.state().to_move()), line.state().to_move());
        let checks_with_every_other = |skipped: usize| {
            cycle.iter().rev().skip(skipped).step_by(2).all(|ply: &CyclePly| ply.gave_check)
        };
        Some(match (checks_with_every_other(0), checks_with_every_other(1)) {
            (true, false) => Utility::won_by(moving),
            (false, true) => Utility::won_by(waiting),
            _ => Utility::new(&[0.0, 0.0]),
        })
    }
}
