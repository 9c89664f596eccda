//! The board as the seat that maneuvers sees it: what its units can reach, hit and control.

use crate::{Army, Board, Hex, HexSet, LOCATIONS, State, Unit};
use game::Seat;

/// The sets that every maneuver is judged by. Built once for each list of actions.
pub(crate) struct Field<'a> {
    pub state: &'a State,
    pub seat: Seat,
    pub own: HexSet,
    pub empty: HexSet,
    enemies: HexSet,
    enemy_knights: HexSet,
}

impl<'a> Field<'a> {
    #[inline]
    pub fn new(board: &Board, state: &'a State, seat: Seat) -> Field<'a> {
        let own = state.occupied_by(seat);
        let enemies = state.occupied_by(seat.other());
        let enemy_knights = units_of(state, seat.other(), |unit| unit == Unit::Knight);
        Field { state, seat, own, empty: board.hexes.minus(own | enemies), enemies, enemy_knights }
    }

    #[inline]
    pub fn army(&self) -> &'a Army {
        self.state.army(self.seat)
    }

    #[inline]
    pub fn height(&self, hex: Hex) -> u8 {
        self.state.stack(hex).height()
    }

    /// Where the own unit on `hex` can step.
    #[inline]
    pub fn steps(&self, hex: Hex) -> HexSet {
        hex.adjacent() & self.empty
    }

    /// The enemies in `range` that an attacker of this height may attack: Knights only when it is bolstered.
    #[inline]
    pub fn targets(&self, range: HexSet, height: u8) -> HexSet {
        let hits = range & self.enemies;
        if height >= 2 { hits } else { hits.minus(self.enemy_knights) }
    }

    /// Whom the own unit on `hex` can hit with the plain attack, if its type has one.
    #[inline]
    pub fn normal_targets(&self, hex: Hex, unit: Unit) -> HexSet {
        if !unit.has_normal_attack() {
            return HexSet::EMPTY;
        }
        self.targets(hex.adjacent(), self.height(hex))
    }

    /// Whether a unit on `hex` could take control there.
    #[inline]
    pub fn can_control(&self, hex: Hex) -> bool {
        LOCATIONS.minus(self.state.control(self.seat)).contains(hex)
    }

    /// Whether the own unit on `hex` can move, control or attack.
    #[inline]
    pub fn can_maneuver(&self, hex: Hex, unit: Unit) -> bool {
        !self.steps(hex).is_empty()
            || self.can_control(hex)
            || !self.normal_targets(hex, unit).is_empty()
    }

    /// Own Footmen of either version.
    #[inline]
    pub fn footmen(&self) -> HexSet {
        units_of(self.state, self.seat, Unit::is_footman)
    }

    /// Whether any of these Footmen can move, control or attack.
    #[inline]
    pub fn any_footman_can_maneuver(&self, footmen: HexSet) -> bool {
        footmen.into_iter().any(|hex| self.can_maneuver(hex, Unit::Footman))
    }

    /// Where the Berserker on `hex` can go, hit or take control once it has paid a coin of its stack. The second
    /// version never controls.
    #[inline]
    pub fn berserker_options(&self, hex: Hex) -> BerserkerOptions {
        let height = self.height(hex);
        if height < 2 {
            return BerserkerOptions::default();
        }
        let unit = self.army().unit(self.state.stack(hex).slot());
        BerserkerOptions {
            steps: self.steps(hex),
            targets: self.targets(hex.adjacent(), height - 1),
            control: unit == Unit::Berserker && self.can_control(hex),
        }
    }
}

/// What a Berserker may do for a coin of its stack.
#[derive(Default)]
pub(crate) struct BerserkerOptions {
    pub steps: HexSet,
    pub targets: HexSet,
    pub control: bool,
}

impl BerserkerOptions {
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty() && self.targets.is_empty() && !self.control
    }
}

/// Where `seat`'s units of the types that satisfy `is_kind` stand.
#[inline]
pub(crate) fn units_of(state: &State, seat: Seat, is_kind: impl Fn(Unit) -> bool) -> HexSet {
    let mut found = HexSet::EMPTY;
    for slot in 0..Army::LEN {
        if is_kind(state.army(seat).unit(slot)) {
            found |= state.units(seat, slot);
        }
    }
    found
}
