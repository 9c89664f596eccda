//! Where one seat's coins are when they are not on the board.

use crate::Coins;

/// One seat's coins off the board.
///
/// | zone | the owner knows | the opponent knows |
/// |---|---|---|
/// | `hand`, `bag`, `discard_down`, `drawn` | all | how many coins |
/// | `discard_up`, `supply`, `eliminated` | all | all |
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Zones {
    pub bag: Coins,
    pub hand: Coins,
    pub discard_up: Coins,
    pub discard_down: Coins,
    pub supply: Coins,
    /// Out of the game.
    pub eliminated: Coins,
    /// In flight: the coin a Warrior Priest has drawn and not yet used. At most one.
    pub drawn: Coins,
}

impl Zones {
    /// Every zone with its name in text and data, in canonical order.
    pub fn named(&self) -> [(&'static str, Coins); 7] {
        [
            ("bag", self.bag),
            ("hand", self.hand),
            ("discard_up", self.discard_up),
            ("discard_down", self.discard_down),
            ("supply", self.supply),
            ("eliminated", self.eliminated),
            ("drawn", self.drawn),
        ]
    }

    /// The zone of this name.
    pub fn zone_mut(&mut self, name: &str) -> Option<&mut Coins> {
        Some(match name {
            "bag" => &mut self.bag,
            "hand" => &mut self.hand,
            "discard_up" => &mut self.discard_up,
            "discard_down" => &mut self.discard_down,
            "supply" => &mut self.supply,
            "eliminated" => &mut self.eliminated,
            "drawn" => &mut self.drawn,
            _ => return None,
        })
    }

    /// Both discard piles together.
    #[inline]
    pub fn discard(&self) -> Coins {
        self.discard_up + self.discard_down
    }

    /// What the next drawn coin comes from: the bag, or the whole discard pile when the bag is empty.
    #[inline]
    pub fn draw_pool(&self) -> Coins {
        if self.bag.is_empty() { self.discard() } else { self.bag }
    }

    /// All of them together.
    pub fn total(&self) -> Coins {
        self.named().into_iter().fold(Coins::NONE, |sum, (_, coins)| sum + coins)
    }
}
