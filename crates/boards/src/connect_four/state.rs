//! One position on a bitboard: a column is `rows` bits from the bottom and one that is never set, so that no row of
//! bits runs from one column into the next.

use game::Seat;

/// A column by its number from the left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Column(pub u8);

/// One complete position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    pub(super) discs: [u64; 2],
    pub(super) to_move: Seat,
}

impl State {
    pub fn to_move(&self) -> Seat {
        self.to_move
    }

    pub(super) fn occupied(&self) -> u64 {
        self.discs[0] | self.discs[1]
    }

    /// The discs of the seat that moved last.
    pub(super) fn waiting(&self) -> u64 {
        self.discs[self.to_move.other().idx()]
    }
}
