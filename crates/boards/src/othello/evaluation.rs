//! Mobility, corners, discs.

use super::bits::{flips, moves};
use super::rules::{Othello, Scoring};
use super::state::{Action, State};
use game::{SearchHints, StaticEvaluation};

/// A square more to place a disc on than the opponent has.
const MOBILITY: i32 = 100;
/// A disc that can never be turned over again.
const CORNER: i32 = 800;
/// A free square beside a disc of the opponent: a move that may become possible.
const FRONTIER: i32 = 30;
/// A disc next to an empty corner along the diagonal gives the corner away.
const BESIDE_EMPTY_CORNER: i32 = 300;

fn neighbours(discs: u64) -> u64 {
    const NOT_LEFT: u64 = 0xfefe_fefe_fefe_fefe;
    let sideways = (discs << 1 & NOT_LEFT) | (discs >> 1 & (NOT_LEFT >> 1)) | discs;
    sideways | sideways << 8 | sideways >> 8
}

impl Othello {
    /// Each corner with the square inside it.
    fn corners(&self) -> [(u64, u64); 4] {
        let last = self.size() - 1;
        [
            (0, 0, 1, 1),
            (last, 0, last - 1, 1),
            (0, last, 1, last - 1),
            (last, last, last - 1, last - 1),
        ]
        .map(|(column, row, inner_column, inner_row)| {
            (1 << self.bit_idx(column, row), 1 << self.bit_idx(inner_column, inner_row))
        })
    }

    fn side(&self, own: u64, other: u64) -> i32 {
        let empty = self.board() & !(own | other);
        let mobility = moves(own, other, self.board()).count_ones() as i32;
        let frontier = (neighbours(other) & empty).count_ones() as i32;
        let mut worth = MOBILITY * mobility + FRONTIER * frontier;
        for (corner, inside) in self.corners() {
            if own & corner != 0 {
                worth += CORNER;
            } else if empty & corner != 0 && own & inside != 0 {
                worth -= BESIDE_EMPTY_CORNER;
            }
        }
        worth
    }
}

impl StaticEvaluation for Othello {
    fn static_score(&self, state: &State) -> i32 {
        let (own, other) = (state.own(), state.other());
        self.side(own, other) - self.side(other, own)
    }

    fn counts_margins(&self) -> bool {
        self.scoring == Scoring::Margin
    }
}

impl SearchHints for Othello {
    /// What leaves the opponent the worst position by its static score.
    fn promise(&self, state: &State, action: Action) -> i32 {
        if action.is_pass() {
            return 0;
        }
        let placed = 1 << action.0;
        let turned = flips(placed, state.own(), state.other());
        let (own, other) = (state.own() | placed | turned, state.other() ^ turned);
        ((self.side(own, other) - self.side(other, own)) / 8).clamp(-999, 999)
    }
}
