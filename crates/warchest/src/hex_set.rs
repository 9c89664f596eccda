//! Sets of hexes as one machine word.

use crate::Hex;
use std::fmt;
use std::ops::{BitAnd, BitOr, BitOrAssign, Not};

/// A set of board hexes: bit `h` stands for the hex with index `h`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct HexSet(u64);

impl HexSet {
    pub const EMPTY: HexSet = HexSet(0);
    pub const ALL: HexSet = HexSet((1 << Hex::COUNT) - 1);

    #[inline]
    pub const fn of(hex: Hex) -> HexSet {
        HexSet(1 << hex.idx())
    }

    /// Bits beyond the board are dropped.
    pub const fn from_bits(bits: u64) -> HexSet {
        HexSet(bits & HexSet::ALL.0)
    }

    pub const fn bits(self) -> u64 {
        self.0
    }

    #[inline]
    pub const fn contains(self, hex: Hex) -> bool {
        self.0 >> hex.idx() & 1 != 0
    }

    #[inline]
    pub const fn with(self, hex: Hex) -> HexSet {
        HexSet(self.0 | 1 << hex.idx())
    }

    #[inline]
    pub const fn without(self, hex: Hex) -> HexSet {
        HexSet(self.0 & !(1 << hex.idx()))
    }

    #[inline]
    pub const fn minus(self, other: HexSet) -> HexSet {
        HexSet(self.0 & !other.0)
    }

    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The hex with the lowest index.
    #[inline]
    pub fn first(self) -> Option<Hex> {
        (self.0 != 0).then(|| Hex::new(self.0.trailing_zeros() as u8))
    }

    /// The same set on the board turned by half a turn.
    pub fn turned(self) -> HexSet {
        HexSet(self.0.reverse_bits() >> (64 - Hex::COUNT))
    }
}

impl BitOr for HexSet {
    type Output = HexSet;
    #[inline]
    fn bitor(self, other: HexSet) -> HexSet {
        HexSet(self.0 | other.0)
    }
}

impl BitOrAssign for HexSet {
    #[inline]
    fn bitor_assign(&mut self, other: HexSet) {
        self.0 |= other.0;
    }
}

impl BitAnd for HexSet {
    type Output = HexSet;
    #[inline]
    fn bitand(self, other: HexSet) -> HexSet {
        HexSet(self.0 & other.0)
    }
}

impl Not for HexSet {
    type Output = HexSet;
    #[inline]
    fn not(self) -> HexSet {
        HexSet(!self.0 & HexSet::ALL.0)
    }
}

impl IntoIterator for HexSet {
    type Item = Hex;
    type IntoIter = HexSetIter;
    #[inline]
    fn into_iter(self) -> HexSetIter {
        HexSetIter(self.0)
    }
}

impl FromIterator<Hex> for HexSet {
    fn from_iter<I: IntoIterator<Item = Hex>>(hexes: I) -> HexSet {
        hexes.into_iter().fold(HexSet::EMPTY, HexSet::with)
    }
}

impl fmt::Debug for HexSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

/// Hexes of a set in index order.
#[derive(Clone, Debug)]
pub struct HexSetIter(u64);

impl Iterator for HexSetIter {
    type Item = Hex;
    #[inline]
    fn next(&mut self) -> Option<Hex> {
        if self.0 == 0 {
            return None;
        }
        let hex = Hex::new(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(hex)
    }
}
