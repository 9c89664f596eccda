//! The four unit types of one side.

use crate::coins::ROYAL_SLOT;
use crate::{Coin, Coins, Unit};

/// Four different unit types in canonical order. The place of a type is its *slot*.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Army([Unit; Army::LEN]);

/// What makes two lists of types no pair of armies.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoArmy {
    #[error("an army has 4 different unit types, but {0} stands twice")]
    Repeated(Unit),
    #[error("the two armies share {0}; no type may be on both sides")]
    Shared(Unit),
}

impl Army {
    pub const LEN: usize = 4;

    /// Sorts the types; refuses a type that stands twice.
    pub fn new(mut units: [Unit; Army::LEN]) -> Result<Army, NoArmy> {
        units.sort();
        match units.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(NoArmy::Repeated(pair[0])),
            None => Ok(Army(units)),
        }
    }

    /// Refuses armies that share a type.
    pub fn check_disjoint(armies: &[Army; 2]) -> Result<(), NoArmy> {
        match armies[0].0.into_iter().find(|unit| armies[1].slot_of(*unit).is_some()) {
            Some(unit) => Err(NoArmy::Shared(unit)),
            None => Ok(()),
        }
    }

    #[inline]
    pub const fn units(&self) -> &[Unit; Army::LEN] {
        &self.0
    }

    /// The type in `slot`, which must be below 4.
    #[inline]
    pub const fn unit(&self, slot: usize) -> Unit {
        self.0[slot]
    }

    /// The coin of `slot`, slot 4 being the royal coin.
    #[inline]
    pub const fn coin(&self, slot: usize) -> Coin {
        if slot < Army::LEN { Coin::of(self.0[slot]) } else { Coin::ROYAL }
    }

    #[inline]
    pub fn slot_of(&self, unit: Unit) -> Option<usize> {
        self.0.iter().position(|own| *own == unit)
    }

    /// The slot of a coin, the royal coin being in slot 4.
    #[inline]
    pub fn coin_slot(&self, coin: Coin) -> Option<usize> {
        match coin.unit() {
            Some(unit) => self.slot_of(unit),
            None => Some(ROYAL_SLOT),
        }
    }

    /// Every coin the box gives this army: all of its types and one royal coin.
    pub fn printed_coins(&self) -> Coins {
        let [a, b, c, d] = self.0.map(Unit::n_coins);
        Coins::from_counts([a, b, c, d, 1])
    }
}
