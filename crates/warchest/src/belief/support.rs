//! A set of hidden configurations, and how coins that change their zone change it.

use crate::{Coins, Concealed, N_SLOTS};
use std::cmp::Ordering;

/// One configuration in one word: face-down discards in bits 0..20, hand in bits 20..40, coin in flight in bits
/// 40..60, each as [`Coins`]. Sorting keys sorts configurations by flight, then hand, then discards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Key(u64);

const ZONE_BITS: u32 = 20;
const ZONE_MASK: u64 = (1 << ZONE_BITS) - 1;

/// Where a hidden coin can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    DiscardDown,
    Hand,
    Flight,
    Bag,
}

impl Place {
    /// One coin of `slot` here, as part of a key. The bag is the remainder and stands in no key.
    fn one(self, slot: usize) -> u64 {
        let coin = u64::from(Coins::one(slot).bits());
        match self {
            Place::DiscardDown => coin,
            Place::Hand => coin << ZONE_BITS,
            Place::Flight => coin << (2 * ZONE_BITS),
            Place::Bag => 0,
        }
    }
}

impl Key {
    pub fn of(concealed: &Concealed) -> Key {
        let zone = |coins: Coins| u64::from(coins.bits());
        Key(zone(concealed.discard_down)
            | zone(concealed.hand) << ZONE_BITS
            | zone(concealed.drawn) << (2 * ZONE_BITS))
    }

    pub fn concealed(self) -> Concealed {
        Concealed { hand: self.zone(1), discard_down: self.zone(0), drawn: self.zone(2) }
    }

    fn zone(self, idx: u32) -> Coins {
        Coins::from_bits((self.0 >> (idx * ZONE_BITS) & ZONE_MASK) as u32)
    }

    /// All hidden coins but those of the bag, as packed counts.
    fn outside_bag(self) -> u64 {
        (self.0 & ZONE_MASK)
            + (self.0 >> ZONE_BITS & ZONE_MASK)
            + (self.0 >> (2 * ZONE_BITS) & ZONE_MASK)
    }

    fn has(self, place: Place, slot: usize, reserve: Coins) -> bool {
        let counts = match place {
            Place::DiscardDown => self.0,
            Place::Hand => self.0 >> ZONE_BITS,
            Place::Flight => self.0 >> (2 * ZONE_BITS),
            Place::Bag => u64::from(reserve.bits()) - self.outside_bag(),
        };
        counts & (0xf << (4 * slot)) != 0
    }

    pub fn bits(self) -> u64 {
        self.0
    }
}

/// Distinct configurations in rising order, all with the same sizes of all zones.
#[derive(Clone, Debug, Default)]
pub(crate) struct Support {
    keys: Vec<Key>,
    /// Room for the next set; empty between operations.
    spare: Vec<Key>,
    run: Vec<Key>,
}

impl Support {
    /// Every way to split `reserve` into a hand, face-down discards and a coin in flight of these sizes.
    pub fn all(reserve: Coins, hand_len: u8, discard_down_len: u8, drawn_len: u8) -> Support {
        let mut keys = Vec::new();
        for_each_part(reserve, drawn_len, &mut |drawn| {
            for_each_part(reserve - drawn, hand_len, &mut |hand| {
                for_each_part(reserve - drawn - hand, discard_down_len, &mut |discard_down| {
                    keys.push(Key::of(&Concealed { hand, discard_down, drawn }));
                });
            });
        });
        keys.sort_unstable();
        Support { keys, ..Support::default() }
    }

    pub fn keys(&self) -> &[Key] {
        &self.keys
    }

    /// The opponent moved one coin, and which one is not known.
    pub fn shift(&mut self, from: Place, to: Place, reserve: Coins) {
        let mut union = std::mem::take(&mut self.spare);
        let mut run = std::mem::take(&mut self.run);
        let mut merged = Vec::new();
        for slot in (0..N_SLOTS).filter(|slot| reserve.has(*slot)) {
            let (lost, gained) = (from.one(slot), to.one(slot));
            let holders = self.keys.iter().filter(|key| key.has(from, slot, reserve));
            run.clear();
            run.extend(holders.map(|key| Key(key.0 - lost + gained)));
            if union.is_empty() {
                std::mem::swap(&mut union, &mut run);
            } else if !run.is_empty() {
                merge(&union, &run, &mut merged);
                std::mem::swap(&mut union, &mut merged);
            }
        }
        self.run = run;
        self.spare = std::mem::replace(&mut self.keys, union);
        self.spare.clear();
    }

    /// A coin of `slot` was shown to leave `from`, and is hidden no more.
    pub fn reveal(&mut self, from: Place, slot: usize, reserve: Coins) {
        let lost = from.one(slot);
        self.keys.retain_mut(|key| {
            let holds = key.has(from, slot, reserve);
            key.0 = key.0.wrapping_sub(lost);
            holds
        });
    }

    /// The face-down discards go into the bag.
    pub fn refill(&mut self) {
        for key in &mut self.keys {
            key.0 &= !ZONE_MASK;
        }
        self.keys.dedup();
    }
}

/// The union of two rising lists.
fn merge(a: &[Key], b: &[Key], out: &mut Vec<Key>) {
    out.clear();
    out.reserve(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            Ordering::Less => {
                out.push(a[i]);
                i += 1;
            }
            Ordering::Greater => {
                out.push(b[j]);
                j += 1;
            }
            Ordering::Equal => {
                out.push(a[i]);
                i += 1;
                j += 1;
            }
        }
    }
    out.extend_from_slice(&a[i..]);
    out.extend_from_slice(&b[j..]);
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
