//! One position.

use game::Seat;

/// A square by its bit on the board of 8 × 8, or a pass.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Action(pub(super) u8);

impl Action {
    pub const PASS: Action = Action(64);

    pub fn is_pass(self) -> bool {
        self == Action::PASS
    }
}

/// One complete position; the first seat is black.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    pub(super) discs: [u64; 2],
    pub(super) to_move: Seat,
}

impl State {
    pub fn to_move(&self) -> Seat {
        self.to_move
    }

    pub fn n_discs(&self, seat: Seat) -> u32 {
        self.discs[seat.idx()].count_ones()
    }

    #[inline]
    pub(super) fn own(&self) -> u64 {
        self.discs[self.to_move.idx()]
    }

    #[inline]
    pub(super) fn other(&self) -> u64 {
        self.discs[self.to_move.other().idx()]
    }
}
