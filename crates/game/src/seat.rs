//! Who plays.

use std::fmt;

/// A player's place at the table, counted from 0. Never a ply count and never a colour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seat(u8);

impl Seat {
    pub const FIRST: Seat = Seat(0);
    pub const SECOND: Seat = Seat(1);
    /// The two seats of a two-player game, in order.
    pub const BOTH: [Seat; 2] = [Seat::FIRST, Seat::SECOND];

    pub const fn new(idx: u8) -> Seat {
        Seat(idx)
    }

    pub const fn idx(self) -> usize {
        self.0 as usize
    }

    /// The opposing seat of a two-player game.
    pub const fn other(self) -> Seat {
        Seat(1 - self.0)
    }
}

impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seat {}", self.0)
    }
}
