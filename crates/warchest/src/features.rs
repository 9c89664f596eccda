//! Network input, written from what a seat knows now and from nothing else. Own and enemy stand for the observer
//! and its opponent; the board is seen from the observer's side.

use crate::grid::{GRID_LEN, N_CELLS, cell, seen_from};
use crate::observation::Now;
use crate::{Army, Coins, Decision, Hex, HexSet, LOCATIONS, N_MARKERS, N_SLOTS, Unit, WarChest};
use game::{Encode, FeatureLayout, Seat, Turn};
use std::fmt::Write;

/// The planes, in order, with the unit of their values.
const PLANES: [&str; 28] = [
    "board: 1 on every hex",
    "own unit of slot 0",
    "own unit of slot 1",
    "own unit of slot 2",
    "own unit of slot 3",
    "enemy unit of slot 0",
    "enemy unit of slot 1",
    "enemy unit of slot 2",
    "enemy unit of slot 3",
    "own height / 4",
    "enemy height / 4",
    "own bolstered",
    "enemy bolstered",
    "own unit: its coins in hand or in flight / 2",
    "own unit: its coins in bag / 3",
    "own unit: its coins in supply / 3",
    "enemy unit: its hidden coins / 3",
    "enemy unit: its coins in supply / 3",
    "own unit has a normal attack",
    "enemy unit has a normal attack",
    "enemy knight",
    "enemy pikeman",
    "location",
    "own control",
    "enemy control",
    "own unit on a location that it could take",
    "unit that the pending decision is about",
    "attacked royal guard",
];
const N_PLANES: usize = PLANES.len();
/// First of the four planes of own units by slot; then come those of the enemy.
const OWN_SLOTS: usize = 1;
const ENEMY_SLOTS: usize = 5;

/// The globals, in order: what they are and how many numbers that is.
const GLOBALS: [(&str, usize); 25] = [
    ("own hand by slot / 3", N_SLOTS),
    ("own coin in flight by slot", N_SLOTS),
    ("own bag by slot / 3", N_SLOTS),
    ("own face-up discards by slot / 3", N_SLOTS),
    ("own face-down discards by slot / 3", N_SLOTS),
    ("own supply by slot / 3", Army::LEN),
    ("own eliminated coins by slot / 3", Army::LEN),
    ("enemy hidden coins by slot / 3", N_SLOTS),
    ("enemy face-up discards by slot / 3", N_SLOTS),
    ("enemy supply by slot / 3", Army::LEN),
    ("enemy eliminated coins by slot / 3", Army::LEN),
    ("own hand, bag, face-down discards: sizes / 3, / 10, / 5", 3),
    ("enemy hand, bag, face-down discards: sizes / 3, / 10, / 5", 3),
    ("enemy coin in flight", 1),
    ("markers on the board / 6: own, enemy", 2),
    ("initiative is held by the observer", 1),
    ("initiative has moved in this round", 1),
    ("it is the observer's turn", 1),
    ("the observer decides", 1),
    ("a warrior priest v2 has drawn in this turn", 1),
    ("round / 40, at most 2", 1),
    ("coin plays / cap, and / 256 without a cap, at most 1", 1),
    ("kind of the pending decision, one-hot", Decision::COUNT),
    ("own unit types, one-hot by slot", Army::LEN * Unit::COUNT),
    ("enemy unit types, one-hot by slot", Army::LEN * Unit::COUNT),
];

const N_GLOBALS: usize = {
    let mut sum = 0;
    let mut idx = 0;
    while idx < GLOBALS.len() {
        sum += GLOBALS[idx].1;
        idx += 1;
    }
    sum
};

impl Encode for WarChest {
    fn feature_layout(&self) -> FeatureLayout {
        FeatureLayout { planes: N_PLANES, height: GRID_LEN, width: GRID_LEN, globals: N_GLOBALS }
    }

    fn write_features(&self, now: &Now, out: &mut [f32]) {
        let (planes, globals) = out.split_at_mut(N_PLANES * N_CELLS);
        write_planes(now, planes);
        let mut writer = Globals { out: globals, at: 0 };
        write_coins(now, &mut writer);
        write_position(now, &mut writer);
        debug_assert_eq!(writer.at, N_GLOBALS);
    }

    fn cell_mask(&self) -> Vec<bool> {
        let mut mask = vec![false; N_CELLS];
        Hex::all().for_each(|hex| mask[cell(hex)] = true);
        mask
    }

    fn feature_spec(&self) -> String {
        let mut text = String::new();
        for (idx, name) in PLANES.iter().enumerate() {
            writeln!(text, "plane {idx} {name}").expect("a string takes all text");
        }
        let mut first = 0;
        for (name, len) in GLOBALS {
            let last = first + len - 1;
            writeln!(text, "global {first}..={last} {name}").expect("a string takes all text");
            first += len;
        }
        text
    }
}

fn write_planes(now: &Now, planes: &mut [f32]) {
    planes.fill(0.0);
    let (own, enemy) = (now.observer, now.observer.other());
    let mut set = |plane: usize, hex: Hex, value: f32| {
        planes[plane * N_CELLS + cell(seen_from(own, hex))] = value;
    };
    for hex in Hex::all() {
        set(0, hex, 1.0);
        let stack = now.stack(hex);
        if stack.is_empty() {
            continue;
        }
        let (slot, height) = (stack.slot(), stack.height());
        let unit = now.army(stack.owner()).unit(slot);
        let is_bolstered = f32::from(height >= 2);
        let can_attack = f32::from(unit.has_normal_attack());
        let count = |coins: Coins| f32::from(coins.count(slot));
        if stack.owner() == own {
            set(OWN_SLOTS + slot, hex, 1.0);
            set(9, hex, f32::from(height) / 4.0);
            set(11, hex, is_bolstered);
            set(13, hex, count(now.own.hand + now.own.drawn) / 2.0);
            set(14, hex, count(now.own.bag) / 3.0);
            set(15, hex, count(now.own.supply) / 3.0);
            set(18, hex, can_attack);
        } else {
            set(ENEMY_SLOTS + slot, hex, 1.0);
            set(10, hex, f32::from(height) / 4.0);
            set(12, hex, is_bolstered);
            set(16, hex, count(now.opponent.reserve) / 3.0);
            set(17, hex, count(now.opponent.supply) / 3.0);
            set(19, hex, can_attack);
            set(20, hex, f32::from(unit == Unit::Knight));
            set(21, hex, f32::from(unit == Unit::Pikeman));
        }
    }
    let mut set_all = |plane: usize, hexes: HexSet| {
        hexes.into_iter().for_each(|hex| set(plane, hex, 1.0));
    };
    set_all(22, LOCATIONS);
    set_all(23, now.control[own.idx()]);
    set_all(24, now.control[enemy.idx()]);
    set_all(25, takeable(now));
    set_all(26, now.pending_units());
    set_all(27, now.attacked_guard.into_iter().collect());
}

/// Where the observer's units stand on locations that it does not control.
fn takeable(now: &Now) -> HexSet {
    LOCATIONS
        .minus(now.control[now.observer.idx()])
        .into_iter()
        .filter(|hex| !now.stack(*hex).is_empty() && now.stack(*hex).owner() == now.observer)
        .collect()
}

fn write_coins(now: &Now, out: &mut Globals) {
    let (own, enemy) = (&now.own, &now.opponent);
    out.coins(own.hand, N_SLOTS, 3.0);
    out.coins(own.drawn, N_SLOTS, 1.0);
    out.coins(own.bag, N_SLOTS, 3.0);
    out.coins(own.discard_up, N_SLOTS, 3.0);
    out.coins(own.discard_down, N_SLOTS, 3.0);
    out.coins(own.supply, Army::LEN, 3.0);
    out.coins(own.eliminated, Army::LEN, 3.0);
    out.coins(enemy.reserve, N_SLOTS, 3.0);
    out.coins(enemy.discard_up, N_SLOTS, 3.0);
    out.coins(enemy.supply, Army::LEN, 3.0);
    out.coins(enemy.eliminated, Army::LEN, 3.0);
    let own_lens = [own.hand, own.bag, own.discard_down].map(|coins| coins.total() as u8);
    let enemy_lens = [enemy.hand_len, enemy.bag_len(), enemy.discard_down_len];
    for [hand, bag, discard_down] in [own_lens, enemy_lens] {
        out.number(f32::from(hand) / 3.0);
        out.number(f32::from(bag) / 10.0);
        out.number(f32::from(discard_down) / 5.0);
    }
    out.number(f32::from(enemy.drawn_len));
}

fn write_position(now: &Now, out: &mut Globals) {
    let own = now.observer;
    for seat in [own, own.other()] {
        out.number(now.control[seat.idx()].len() as f32 / N_MARKERS as f32);
    }
    out.flag(now.initiative == own);
    out.flag(now.initiative_moved);
    out.flag(now.actor == own);
    out.flag(now.turn() == Turn::Seat(own));
    out.flag(now.priest_v2_drew);
    out.number((f32::from(now.round) / 40.0).min(2.0));
    let horizon = if now.cap == crate::NO_CAP { crate::CAP_DEFAULT } else { now.cap };
    out.number((f32::from(now.coin_plays) / f32::from(horizon)).min(1.0));
    out.one_hot(now.decision().map(|decision| decision as usize), Decision::COUNT);
    for seat in [own, own.other()] {
        write_army(now, seat, out);
    }
}

fn write_army(now: &Now, seat: Seat, out: &mut Globals) {
    for unit in now.army(seat).units() {
        out.one_hot(Some(unit.idx()), Unit::COUNT);
    }
}

/// Writes numbers one after the other.
struct Globals<'a> {
    out: &'a mut [f32],
    at: usize,
}

impl Globals<'_> {
    fn number(&mut self, value: f32) {
        self.out[self.at] = value;
        self.at += 1;
    }

    fn flag(&mut self, is_set: bool) {
        self.number(f32::from(is_set));
    }

    fn coins(&mut self, coins: Coins, n_slots: usize, unit: f32) {
        for slot in 0..n_slots {
            self.number(f32::from(coins.count(slot)) / unit);
        }
    }

    fn one_hot(&mut self, set: Option<usize>, len: usize) {
        let numbers = &mut self.out[self.at..self.at + len];
        numbers.fill(0.0);
        if let Some(idx) = set {
            numbers[idx] = 1.0;
        }
        self.at += len;
    }
}
