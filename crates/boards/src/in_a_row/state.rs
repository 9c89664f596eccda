//! One position: whose stones lie where.

use super::points::Points;
use game::Seat;

/// A point by its number: row · columns + column, rows from the bottom.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Point(pub u16);

impl Point {
    pub const fn idx(self) -> usize {
        self.0 as usize
    }
}

/// One complete position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    pub(super) stones: [Points; 2],
    pub(super) n_stones: u16,
    pub(super) to_move: Seat,
    /// How many stones the seat to move has still to place in this turn, the next one included.
    pub(super) left_in_turn: u8,
    /// Stones of this turn go to this point or above: 0 unless the order of a turn's stones is fixed.
    pub(super) lowest: u16,
    pub(super) winner: Option<Seat>,
    pub(super) key: u64,
}

impl State {
    /// Whose stone lies on a point.
    pub fn stone_at(&self, point: Point) -> Option<Seat> {
        Seat::BOTH.into_iter().find(|seat| self.stones[seat.idx()].contains(point.idx()))
    }

    pub fn n_stones(&self) -> usize {
        usize::from(self.n_stones)
    }

    pub fn to_move(&self) -> Seat {
        self.to_move
    }

    pub fn left_in_turn(&self) -> u8 {
        self.left_in_turn
    }

    pub fn winner(&self) -> Option<Seat> {
        self.winner
    }

    pub(super) fn occupied(&self) -> Points {
        self.stones[0].union(&self.stones[1])
    }
}
