//! A War Chest so small that all its histories can be written down.

use crate::{Army, Board, Coins, Hex, HexSet, LOCATIONS, State, Unit, WarChest};
use game::{Rules, Seat, Stream};
use std::ops::RangeInclusive;

/// What a mini game may have. Each range is drawn from uniformly, for each game anew.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MiniSize {
    /// Connected, with at least `n_locations_min` locations among them.
    pub n_hexes: RangeInclusive<u32>,
    pub n_locations_min: usize,
    /// How many control markers a side has. Each begins with one on the board.
    pub n_markers: RangeInclusive<u32>,
    /// Of each of a side's types, in the bag at the start. The royal coin comes on top.
    pub n_in_bag: RangeInclusive<u32>,
    pub n_in_supply: RangeInclusive<u32>,
}

/// Two types a side: the others of its army have no coins.
pub const N_TYPES: usize = 2;

impl Default for MiniSize {
    /// Small enough that most games end, or outgrow enumeration, after their second or third refill.
    fn default() -> MiniSize {
        MiniSize {
            n_hexes: 6..=10,
            n_locations_min: 3,
            n_markers: 2..=3,
            n_in_bag: 1..=3,
            n_in_supply: 0..=2,
        }
    }
}

/// Rules and a position before the first draw.
#[derive(Clone, Debug)]
pub struct MiniGame {
    pub rules: WarChest,
    pub start: State,
}

impl MiniSize {
    pub fn draw(&self, stream: &mut Stream) -> MiniGame {
        let board = self.board(stream);
        let rules = WarChest { board, ..WarChest::ranked() };
        let mut start = rules.initial(&rules.deal(stream));
        let mut locations: Vec<Hex> = (board.hexes & LOCATIONS).into_iter().collect();
        stream.shuffle(&mut locations);
        for (seat, at) in Seat::BOTH.into_iter().zip(locations) {
            start.set_control(seat, HexSet::of(at));
            let slots = used_slots(start.army(seat), stream);
            let (mut bag, mut supply) = (Coins::one(crate::ROYAL_SLOT), Coins::NONE);
            for slot in slots {
                let printed = u32::from(start.army(seat).printed_coins().count(slot));
                let n_in_bag = within(&self.n_in_bag, stream).min(printed);
                let n_in_supply = within(&self.n_in_supply, stream).min(printed - n_in_bag);
                bag = (0..n_in_bag).fold(bag, |bag, _| bag + Coins::one(slot));
                supply = (0..n_in_supply).fold(supply, |supply, _| supply + Coins::one(slot));
            }
            let zones = start.zones_mut(seat);
            zones.bag = bag;
            zones.supply = supply;
        }
        debug_assert_eq!(rules.validate(&start), Ok(()));
        MiniGame { rules, start }
    }

    fn board(&self, stream: &mut Stream) -> Board {
        let n_hexes = within(&self.n_hexes, stream) as usize;
        let n_markers = within(&self.n_markers, stream) as usize;
        loop {
            let hexes = connected(n_hexes, stream);
            if (hexes & LOCATIONS).len() >= self.n_locations_min {
                return Board { hexes, n_markers };
            }
        }
    }
}

/// Two slots of an army; every other time those of types whose attributes move coins come first.
fn used_slots(army: &Army, stream: &mut Stream) -> [usize; N_TYPES] {
    let moves_coins = |slot: &usize| {
        let unit = army.unit(*slot);
        let is_open_to_loss = matches!(unit, Unit::RoyalGuard | Unit::Mercenary | Unit::FootmanV2);
        unit.is_warrior_priest() || unit.is_berserker() || is_open_to_loss
    };
    let mut slots: [usize; Army::LEN] = [0, 1, 2, 3];
    stream.shuffle(&mut slots);
    if stream.below(2) == 0 {
        slots.sort_by_key(|slot| !moves_coins(slot));
    }
    let [first, second, ..] = slots;
    [first, second]
}

fn within(range: &RangeInclusive<u32>, stream: &mut Stream) -> u32 {
    range.start() + stream.below(range.end() - range.start() + 1)
}

/// So many hexes around a location, each beside another.
fn connected(n_hexes: usize, stream: &mut Stream) -> HexSet {
    let mut pick = |from: HexSet| {
        let idx = stream.below(from.len() as u32) as usize;
        from.into_iter().nth(idx).expect("it is not empty")
    };
    let mut hexes = HexSet::of(pick(LOCATIONS));
    while hexes.len() < n_hexes {
        let mut around = HexSet::EMPTY;
        for hex in hexes {
            around |= hex.adjacent();
        }
        hexes = hexes.with(pick(around.minus(hexes)));
    }
    hexes
}
