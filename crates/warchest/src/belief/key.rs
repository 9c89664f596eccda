//! One hidden configuration in one word.

use crate::{Coins, Concealed, N_SLOTS};

/// Face-down discards in bits 0..20, hand in bits 20..40, coin in flight in bits 40..60, each as [`Coins`].
/// Sorting keys sorts configurations by flight, then hand, then discards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Key(u64);

const ZONE_BITS: u32 = 20;
const ZONE_MASK: u64 = (1 << ZONE_BITS) - 1;

/// Where a hidden coin can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    DiscardDown,
    Hand,
    Flight,
    Bag,
}

impl Place {
    /// Where the place's coins start in a key. The bag is the remainder and stands in no key.
    const fn shift(self) -> Option<u32> {
        match self {
            Place::DiscardDown => Some(0),
            Place::Hand => Some(ZONE_BITS),
            Place::Flight => Some(2 * ZONE_BITS),
            Place::Bag => None,
        }
    }

    /// One coin of `slot` here, as part of a key.
    #[inline]
    fn one(self, slot: usize) -> u64 {
        self.shift().map_or(0, |shift| u64::from(Coins::one(slot).bits()) << shift)
    }
}

impl Key {
    pub fn of(concealed: &Concealed) -> Key {
        let zone = |coins: Coins| u64::from(coins.bits());
        Key(zone(concealed.discard_down)
            | zone(concealed.hand) << ZONE_BITS
            | zone(concealed.drawn) << (2 * ZONE_BITS))
    }

    #[inline]
    pub fn concealed(self) -> Concealed {
        Concealed { hand: self.zone(1), discard_down: self.zone(0), drawn: self.zone(2) }
    }

    #[inline]
    fn zone(self, idx: u32) -> Coins {
        Coins::from_bits((self.0 >> (idx * ZONE_BITS) & ZONE_MASK) as u32)
    }

    /// The coins in `place`; `reserve` is all that is hidden, the bag included.
    #[inline]
    pub fn coins(self, place: Place, reserve: Coins) -> Coins {
        match place.shift() {
            Some(shift) => Coins::from_bits((self.0 >> shift & ZONE_MASK) as u32),
            None => reserve - (self.zone(0) + self.zone(1) + self.zone(2)),
        }
    }

    /// The configuration after a coin of `slot`, which must lie in `from`, has gone to `to`.
    #[inline]
    pub fn moved(self, from: Place, to: Place, slot: usize) -> Key {
        Key(self.0 - from.one(slot) + to.one(slot))
    }

    /// The configuration after a coin of `slot`, which must lie in `from`, has been laid open.
    #[inline]
    pub fn without(self, from: Place, slot: usize) -> Key {
        Key(self.0 - from.one(slot))
    }

    /// The face-down discards have gone into the bag.
    #[inline]
    pub fn refilled(self) -> Key {
        Key(self.0 & !ZONE_MASK)
    }

    pub fn bits(self) -> u64 {
        self.0
    }
}

/// Every way to split `reserve` into a hand, face-down discards and a coin in flight of these sizes, in rising
/// order.
pub fn all_keys(reserve: Coins, hand_len: u8, discard_down_len: u8, drawn_len: u8) -> Vec<Key> {
    let mut keys = Vec::new();
    for_each_part(reserve, drawn_len, &mut |drawn| {
        for_each_part(reserve - drawn, hand_len, &mut |hand| {
            for_each_part(reserve - drawn - hand, discard_down_len, &mut |discard_down| {
                keys.push(Key::of(&Concealed { hand, discard_down, drawn }));
            });
        });
    });
    keys.sort_unstable();
    keys
}

/// Every multiset of `len` coins out of `coins`.
fn for_each_part(coins: Coins, len: u8, each: &mut impl FnMut(Coins)) {
    fn go(coins: Coins, slot: usize, left: u8, part: Coins, each: &mut impl FnMut(Coins)) {
        if left == 0 {
            return each(part);
        }
        if slot == N_SLOTS {
            return;
        }
        let mut part = part;
        for taken in 0..=coins.count(slot).min(left) {
            go(coins, slot + 1, left - taken, part, each);
            part = part + Coins::one(slot);
        }
    }
    go(coins, 0, len, Coins::NONE, each);
}
