//! Counts of one seat's coins by army slot, packed into one word.

use std::fmt;
use std::ops::{Add, Sub};

/// The slot of the royal coin; slots 0..4 are the army's unit types in canonical order.
pub const ROYAL_SLOT: usize = 4;
/// How many coin slots a seat has.
pub const N_SLOTS: usize = 5;

const LANE_BITS: usize = 4;
const LANE_MASK: u32 = 0xf;

/// A multiset of coins: 4 bits a slot, so at most 15 of a kind (the box holds 5).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Coins(u32);

impl Coins {
    pub const NONE: Coins = Coins(0);

    /// One coin of `slot`.
    #[inline]
    pub const fn one(slot: usize) -> Coins {
        Coins(1 << (LANE_BITS * slot))
    }

    /// `counts[slot]` coins each, every count at most 15.
    pub fn from_counts(counts: [u8; N_SLOTS]) -> Coins {
        let mut bits = 0;
        for (slot, count) in counts.into_iter().enumerate() {
            debug_assert!(u32::from(count) <= LANE_MASK);
            bits |= u32::from(count) << (LANE_BITS * slot);
        }
        Coins(bits)
    }

    pub fn counts(self) -> [u8; N_SLOTS] {
        std::array::from_fn(|slot| self.count(slot))
    }

    #[inline]
    pub const fn count(self, slot: usize) -> u8 {
        (self.0 >> (LANE_BITS * slot) & LANE_MASK) as u8
    }

    #[inline]
    pub const fn has(self, slot: usize) -> bool {
        self.count(slot) != 0
    }

    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many coins in all.
    #[inline]
    pub const fn total(self) -> u32 {
        let pairs = (self.0 & 0x0f0f_0f0f) + (self.0 >> 4 & 0x0f0f_0f0f);
        pairs.wrapping_mul(0x0101_0101) >> 24
    }

    /// The slots with at least one coin, in order.
    #[inline]
    pub fn slots(self) -> impl Iterator<Item = usize> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            let slot = left.trailing_zeros() as usize / LANE_BITS;
            left &= !(LANE_MASK << (LANE_BITS * slot));
            Some(slot)
        })
    }

    /// Whether every count is at most that of `other`.
    pub fn is_within(self, other: Coins) -> bool {
        (0..N_SLOTS).all(|slot| self.count(slot) <= other.count(slot))
    }

    /// The coins with this packed form. Bits beyond the last slot are dropped.
    pub const fn from_bits(bits: u32) -> Coins {
        Coins(bits & ((1 << (LANE_BITS * N_SLOTS)) - 1))
    }

    /// The packed form: slot `s` in bits `4s..4s + 4`.
    pub const fn bits(self) -> u32 {
        self.0
    }
}

impl Add for Coins {
    type Output = Coins;
    #[inline]
    fn add(self, other: Coins) -> Coins {
        Coins(self.0 + other.0)
    }
}

/// The result is meaningful only when `other` is within `self`.
impl Sub for Coins {
    type Output = Coins;
    #[inline]
    fn sub(self, other: Coins) -> Coins {
        debug_assert!(other.is_within(self), "{other:?} is not within {self:?}");
        Coins(self.0.wrapping_sub(other.0))
    }
}

impl fmt::Debug for Coins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.counts()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_totals_and_slots_agree() {
        let coins = Coins::from_counts([5, 0, 3, 4, 1]);
        assert_eq!(coins.counts(), [5, 0, 3, 4, 1]);
        assert_eq!(coins.total(), 13);
        assert_eq!(coins.slots().collect::<Vec<_>>(), [0, 2, 3, 4]);
        assert_eq!((coins - Coins::one(2) + Coins::one(1)).counts(), [5, 1, 2, 4, 1]);
        assert_eq!(Coins::from_counts([5; 5]).total(), 25);
        assert!(Coins::one(4).is_within(coins) && !Coins::one(1).is_within(coins));
    }
}
