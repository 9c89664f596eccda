//! Squares, sets of them, and how far a queen of chess gets.

use std::fmt;
use std::ops::{BitAnd, BitOr, Not};

/// All sizes lie in one corner of a board of this side, so that one table serves them; its other squares are never
/// empty.
const SIDE: usize = 11;
const N_SQUARES: usize = SIDE * SIDE;

/// A square by its number: row · 11 + column, from the lower left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    pub fn new(column: usize, row: usize) -> Square {
        debug_assert!(column < SIDE && row < SIDE);
        Square((row * SIDE + column) as u8)
    }

    pub fn column(self) -> usize {
        usize::from(self.0) % SIDE
    }

    pub fn row(self) -> usize {
        usize::from(self.0) / SIDE
    }

    #[inline]
    pub(super) fn idx(self) -> usize {
        usize::from(self.0)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&crate::grid::cell_text(self.column(), self.row()))
    }
}

/// A set of squares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Squares(pub(super) u128);

impl Squares {
    pub const NONE: Squares = Squares(0);

    #[inline]
    pub fn of(square: Square) -> Squares {
        Squares(1 << square.0)
    }

    #[inline]
    pub fn contains(self, square: Square) -> bool {
        self.0 >> square.0 & 1 == 1
    }

    #[inline]
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = Square(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(square)
    }
}

impl BitAnd for Squares {
    type Output = Squares;

    #[inline]
    fn bitand(self, other: Squares) -> Squares {
        Squares(self.0 & other.0)
    }
}

impl BitOr for Squares {
    type Output = Squares;

    #[inline]
    fn bitor(self, other: Squares) -> Squares {
        Squares(self.0 | other.0)
    }
}

impl Not for Squares {
    type Output = Squares;

    #[inline]
    fn not(self) -> Squares {
        Squares(!self.0)
    }
}

/// The four directions in which square numbers grow.
const UPWARDS: [(i32, i32); 4] = [(1, 0), (-1, 1), (0, 1), (1, 1)];
const DOWNWARDS: [(i32, i32); 4] = [(-1, 0), (1, -1), (0, -1), (-1, -1)];

/// For each direction and square: the squares from there to the edge.
const fn rays(directions: [(i32, i32); 4]) -> [[u128; N_SQUARES]; 4] {
    let mut table = [[0; N_SQUARES]; 4];
    let mut direction = 0;
    while direction < 4 {
        let mut idx = 0;
        while idx < N_SQUARES {
            let (across, up) = directions[direction];
            let mut column = (idx % SIDE) as i32 + across;
            let mut row = (idx / SIDE) as i32 + up;
            while column >= 0 && column < SIDE as i32 && row >= 0 && row < SIDE as i32 {
                table[direction][idx] |= 1 << (row * SIDE as i32 + column);
                column += across;
                row += up;
            }
            idx += 1;
        }
        direction += 1;
    }
    table
}

const RAYS_UP: [[u128; N_SQUARES]; 4] = rays(UPWARDS);
const RAYS_DOWN: [[u128; N_SQUARES]; 4] = rays(DOWNWARDS);
static UPWARD_RAYS: [[u128; N_SQUARES]; 4] = RAYS_UP;
static DOWNWARD_RAYS: [[u128; N_SQUARES]; 4] = RAYS_DOWN;

/// The squares next to each.
static NEIGHBOURS: [u128; N_SQUARES] = {
    let mut table = [0; N_SQUARES];
    let mut idx = 0;
    while idx < N_SQUARES {
        let mut direction = 0;
        while direction < 4 {
            let upward = RAYS_UP[direction][idx];
            let downward = RAYS_DOWN[direction][idx];
            if upward != 0 {
                table[idx] |= 1 << upward.trailing_zeros();
            }
            if downward != 0 {
                table[idx] |= 1 << (127 - downward.leading_zeros());
            }
            direction += 1;
        }
        idx += 1;
    }
    table
};

/// The empty squares that a queen on `from` gets to in one move.
#[inline]
pub fn reach(from: Square, empty: Squares) -> Squares {
    let blocked = !empty.0;
    let mut reached = 0;
    for rays in &UPWARD_RAYS {
        let ray = rays[from.idx()];
        let hits = ray & blocked;
        // The ray up to its first blocked square, which has the lowest number; without one the whole ray.
        reached |= ray & (hits ^ hits.wrapping_sub(1));
    }
    for rays in &DOWNWARD_RAYS {
        let ray = rays[from.idx()];
        let hits = ray & blocked;
        let beyond = if hits == 0 { 0 } else { (1u128 << (127 - hits.leading_zeros())) - 1 };
        reached |= ray & !beyond;
    }
    Squares(reached & empty.0)
}

/// The empty squares that a king of chess on `from` gets to in one move.
#[inline]
pub fn neighbours(from: Square, empty: Squares) -> Squares {
    Squares(NEIGHBOURS[from.idx()] & empty.0)
}
