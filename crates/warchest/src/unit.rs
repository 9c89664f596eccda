//! The unit types and the coins that stand for them.

use std::fmt;

/// A unit type. The order is canonical: it sorts armies, coins and logits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Unit {
    Archer,
    Berserker,
    Cavalry,
    Crossbowman,
    Ensign,
    Footman,
    Knight,
    Lancer,
    LightCavalry,
    Marshal,
    Mercenary,
    Pikeman,
    RoyalGuard,
    Scout,
    Swordsman,
    WarriorPriest,
    BerserkerV2,
    FootmanV2,
    WarriorPriestV2,
}

impl Unit {
    pub const COUNT: usize = 19;

    /// Every type in canonical order: the 16 of the base box, then the three re-issued cards.
    pub const ALL: [Unit; Unit::COUNT] = [
        Unit::Archer,
        Unit::Berserker,
        Unit::Cavalry,
        Unit::Crossbowman,
        Unit::Ensign,
        Unit::Footman,
        Unit::Knight,
        Unit::Lancer,
        Unit::LightCavalry,
        Unit::Marshal,
        Unit::Mercenary,
        Unit::Pikeman,
        Unit::RoyalGuard,
        Unit::Scout,
        Unit::Swordsman,
        Unit::WarriorPriest,
        Unit::BerserkerV2,
        Unit::FootmanV2,
        Unit::WarriorPriestV2,
    ];

    #[inline]
    pub const fn idx(self) -> usize {
        self as usize
    }

    pub const fn name(self) -> &'static str {
        match self {
            Unit::Archer => "archer",
            Unit::Berserker => "berserker",
            Unit::Cavalry => "cavalry",
            Unit::Crossbowman => "crossbowman",
            Unit::Ensign => "ensign",
            Unit::Footman => "footman",
            Unit::Knight => "knight",
            Unit::Lancer => "lancer",
            Unit::LightCavalry => "light_cavalry",
            Unit::Marshal => "marshal",
            Unit::Mercenary => "mercenary",
            Unit::Pikeman => "pikeman",
            Unit::RoyalGuard => "royal_guard",
            Unit::Scout => "scout",
            Unit::Swordsman => "swordsman",
            Unit::WarriorPriest => "warrior_priest",
            Unit::BerserkerV2 => "berserker_v2",
            Unit::FootmanV2 => "footman_v2",
            Unit::WarriorPriestV2 => "warrior_priest_v2",
        }
    }

    pub fn from_name(name: &str) -> Option<Unit> {
        Unit::ALL.into_iter().find(|unit| unit.name() == name)
    }

    /// How many coins the box holds of this type.
    pub const fn n_coins(self) -> u8 {
        match self {
            Unit::Archer
            | Unit::Cavalry
            | Unit::Knight
            | Unit::Lancer
            | Unit::Pikeman
            | Unit::WarriorPriest
            | Unit::WarriorPriestV2 => 4,
            _ => 5,
        }
    }

    /// How many units of this type a side may have on the board at once.
    #[inline]
    pub const fn n_deployed_max(self) -> usize {
        if self.is_footman() { 2 } else { 1 }
    }

    /// Whether the type has the plain attack on an adjacent enemy.
    #[inline]
    pub const fn has_normal_attack(self) -> bool {
        !matches!(self, Unit::Archer | Unit::Lancer)
    }

    /// Either version of the Footman.
    #[inline]
    pub const fn is_footman(self) -> bool {
        matches!(self, Unit::Footman | Unit::FootmanV2)
    }

    /// Either version of the Berserker.
    #[inline]
    pub const fn is_berserker(self) -> bool {
        matches!(self, Unit::Berserker | Unit::BerserkerV2)
    }

    /// Either version of the Warrior Priest.
    #[inline]
    pub const fn is_warrior_priest(self) -> bool {
        matches!(self, Unit::WarriorPriest | Unit::WarriorPriestV2)
    }

    /// One of the three re-issued cards.
    pub const fn is_v2(self) -> bool {
        matches!(self, Unit::BerserkerV2 | Unit::FootmanV2 | Unit::WarriorPriestV2)
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A coin type: a unit type or the royal coin.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Coin(u8);

impl Coin {
    pub const ROYAL: Coin = Coin(Unit::COUNT as u8);

    #[inline]
    pub const fn of(unit: Unit) -> Coin {
        Coin(unit as u8)
    }

    /// Place in canonical order: that of its unit type; the royal coin comes last.
    #[inline]
    pub const fn idx(self) -> usize {
        self.0 as usize
    }

    /// The unit type, or `None` for the royal coin.
    #[inline]
    pub const fn unit(self) -> Option<Unit> {
        if self.0 < Unit::COUNT as u8 { Some(Unit::ALL[self.0 as usize]) } else { None }
    }

    pub const fn name(self) -> &'static str {
        match self.unit() {
            Some(unit) => unit.name(),
            None => "royal_coin",
        }
    }

    pub fn from_name(name: &str) -> Option<Coin> {
        if name == Coin::ROYAL.name() {
            return Some(Coin::ROYAL);
        }
        Unit::from_name(name).map(Coin::of)
    }
}

impl From<Unit> for Coin {
    fn from(unit: Unit) -> Coin {
        Coin::of(unit)
    }
}

impl fmt::Display for Coin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Coin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_base_box_holds_74_unit_coins() {
        let base = Unit::ALL.into_iter().filter(|unit| !unit.is_v2());
        assert_eq!(base.map(|unit| usize::from(unit.n_coins())).sum::<usize>(), 74);
    }

    #[test]
    fn names_read_back_and_order_is_by_index() {
        for (idx, unit) in Unit::ALL.into_iter().enumerate() {
            assert_eq!(unit.idx(), idx);
            assert_eq!(Unit::from_name(unit.name()), Some(unit));
            assert_eq!(Coin::of(unit).unit(), Some(unit));
        }
        assert_eq!(Coin::from_name("royal_coin"), Some(Coin::ROYAL));
        assert_eq!(Coin::ROYAL.unit(), None);
    }
}
