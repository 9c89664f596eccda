//! The 90 points of the board, and sets of them.

use std::fmt;
use std::ops::{BitAnd, BitOr, BitOrAssign, BitXor, Not};

pub const N_FILES: usize = 9;
pub const N_RANKS: usize = 10;
pub const N_SQUARES: usize = N_FILES * N_RANKS;

/// A point of the board: 9 · rank + file. Rank 0 is Red's back rank, file 0 is at Red's left hand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// `None` off the board.
    pub const fn at(file: i32, rank: i32) -> Option<Square> {
        if file < 0 || file >= N_FILES as i32 || rank < 0 || rank >= N_RANKS as i32 {
            return None;
        }
        Some(Square((rank * N_FILES as i32 + file) as u8))
    }

    /// `idx` is below 90.
    pub const fn new(idx: usize) -> Square {
        assert!(idx < N_SQUARES);
        Square(idx as u8)
    }

    pub const fn idx(self) -> usize {
        self.0 as usize
    }

    pub const fn file(self) -> usize {
        self.0 as usize % N_FILES
    }

    pub const fn rank(self) -> usize {
        self.0 as usize / N_FILES
    }

    /// The same point seen from the other side of the river.
    pub const fn across(self) -> Square {
        Square(((N_RANKS - 1 - self.rank()) * N_FILES + self.file()) as u8)
    }

    /// The same point with left and right exchanged.
    pub const fn mirrored(self) -> Square {
        Square((self.rank() * N_FILES + (N_FILES - 1 - self.file())) as u8)
    }

    /// File letter a–i and rank digit 0–9, as UCCI writes it.
    pub fn parse(text: &str) -> Option<Square> {
        let [file, rank] = text.as_bytes() else { return None };
        Square::at(i32::from(*file) - i32::from(b'a'), i32::from(*rank) - i32::from(b'0'))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file() as u8) as char, self.rank())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// A set of points, bit 9 · rank + file. Iterates in that order.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Squares(pub u128);

impl Squares {
    pub const NONE: Squares = Squares(0);
    pub const ALL: Squares = Squares((1 << N_SQUARES) - 1);

    pub const fn of(square: Square) -> Squares {
        Squares(1 << square.0)
    }

    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.0 & 1 == 1
    }

    #[inline]
    pub const fn len(self) -> usize {
        ((self.0 as u64).count_ones() + ((self.0 >> 64) as u64).count_ones()) as usize
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The first of the set, which is not empty.
    #[inline]
    pub const fn first(self) -> Square {
        debug_assert!(self.0 != 0);
        Square(self.0.trailing_zeros() as u8)
    }
}

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let first = self.first();
        self.0 &= self.0 - 1;
        Some(first)
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

impl BitOrAssign for Squares {
    #[inline]
    fn bitor_assign(&mut self, other: Squares) {
        self.0 |= other.0;
    }
}

impl BitXor for Squares {
    type Output = Squares;
    #[inline]
    fn bitxor(self, other: Squares) -> Squares {
        Squares(self.0 ^ other.0)
    }
}

impl Not for Squares {
    type Output = Squares;
    #[inline]
    fn not(self) -> Squares {
        Squares(!self.0 & Squares::ALL.0)
    }
}

impl fmt::Debug for Squares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}
