//! The dense action index: planes over the grid, then single numbers.
//!
//! A plane is an action kind, its cell the hex where the acting unit stands (for a deployment: where it comes to
//! stand). Kinds that no single position can offer side by side for one hex share planes: a Berserker's extra
//! move is a move.

use crate::grid::{GRID_LEN, N_CELLS, cell, leap, seen_from};
use crate::{Action, Army, Coin, Hex, N_SLOTS, ROYAL_SLOT, Setup, Unit, WarChest};
use game::{ActionSpace, PolicyLayout, Seat};
use std::fmt::Write;

/// A block of planes or of flat numbers: what it stands for and how many there are.
struct Block {
    name: &'static str,
    first: usize,
    len: usize,
}

const fn block(name: &'static str, first: usize, len: usize) -> Block {
    Block { name, first, len }
}

const DEPLOY: Block = block("deploy here, by slot", 0, 4);
const BOLSTER: Block = block("bolster", DEPLOY.end(), 1);
const MOVE: Block = block("move, by direction", BOLSTER.end(), 6);
const CONTROL: Block = block("control", MOVE.end(), 1);
const ATTACK: Block = block("attack, by direction", CONTROL.end(), 6);
const SHOT: Block = block("archer or crossbowman tactic, by distance-two offset", ATTACK.end(), 12);
const LEAP: Block = block("light cavalry or royal guard tactic, by offset", SHOT.end(), 18);
const CAVALRY: Block = block("cavalry tactic: its move, by direction", LEAP.end(), 6);
const LANCER: Block = block("lancer tactic, by direction, one step then two", CAVALRY.end(), 12);
const ENSIGN: Block = block("ensign tactic: move of the unit here, by direction", LANCER.end(), 6);
const MARSHAL: Block =
    block("marshal tactic: attack of the unit here, by direction", ENSIGN.end(), 6);
const PLANES: [&Block; 11] = [
    &DEPLOY, &BOLSTER, &MOVE, &CONTROL, &ATTACK, &SHOT, &LEAP, &CAVALRY, &LANCER, &ENSIGN, &MARSHAL,
];
const N_PLANES: usize = MARSHAL.end();

const CLAIM: Block = block("claim initiative, by coin slot", 0, N_SLOTS);
const RECRUIT: Block =
    block("recruit, by slot times 5 plus coin slot", CLAIM.end(), Army::LEN * N_SLOTS);
const PASS: Block = block("pass, by coin slot", RECRUIT.end(), N_SLOTS);
const FOOTMAN: Block = block("footman tactic, first version then second", PASS.end(), 2);
const GUARD: Block =
    block("royal guard loses from the stack, then from the supply", FOOTMAN.end(), 2);
const DECLINE: Block = block("decline or stop", GUARD.end(), 1);
const FLAT: [&Block; 6] = [&CLAIM, &RECRUIT, &PASS, &FOOTMAN, &GUARD, &DECLINE];
const N_FLAT: usize = DECLINE.end();

impl Block {
    const fn end(&self) -> usize {
        self.first + self.len
    }

    fn flat(&self, idx: usize) -> usize {
        debug_assert!(idx < self.len);
        N_PLANES * N_CELLS + self.first + idx
    }
}

/// Where an action goes as one seat sees the board.
struct View<'a> {
    army: &'a Army,
    seat: Seat,
}

impl View<'_> {
    fn at(&self, block: &Block, idx: usize, hex: Hex) -> usize {
        debug_assert!(idx < block.len);
        (block.first + idx) * N_CELLS + cell(seen_from(self.seat, hex))
    }

    fn leap(&self, from: Hex, to: Hex) -> usize {
        leap(seen_from(self.seat, from), seen_from(self.seat, to))
            .expect("a legal action reaches at most two hexes in one go")
    }

    /// To a neighbour.
    fn step(&self, block: &Block, from: Hex, to: Hex) -> usize {
        self.at(block, self.leap(from, to), from)
    }

    /// To distance exactly two.
    fn shot(&self, from: Hex, target: Hex) -> usize {
        self.at(&SHOT, self.leap(from, target) - 6, from)
    }

    fn slot(&self, unit: Unit) -> usize {
        self.army.slot_of(unit).expect("a legal action names a type of the army")
    }

    fn coin(&self, coin: Coin) -> usize {
        coin.unit().map_or(ROYAL_SLOT, |unit| self.slot(unit))
    }

    fn index(&self, action: Action) -> usize {
        match action {
            Action::Draw { .. } => unreachable!("chance outcomes have no index"),
            Action::Deploy { unit, at } => self.at(&DEPLOY, self.slot(unit), at),
            Action::FootmanV2Deploy { at } => self.at(&DEPLOY, self.slot(Unit::FootmanV2), at),
            Action::Bolster { at, .. } => self.at(&BOLSTER, 0, at),
            Action::ClaimInitiative { coin } => CLAIM.flat(self.coin(coin)),
            Action::Recruit { unit, coin } => {
                RECRUIT.flat(self.slot(unit) * N_SLOTS + self.coin(coin))
            }
            Action::Pass { coin } => PASS.flat(self.coin(coin)),
            Action::Move { from, to }
            | Action::FootmanMove { from, to }
            | Action::BerserkerMove { from, to }
            | Action::SwordsmanMove { from, to }
            | Action::MercenaryMove { from, to } => self.step(&MOVE, from, to),
            Action::Control { at }
            | Action::FootmanControl { at }
            | Action::BerserkerControl { at }
            | Action::MercenaryControl { at } => self.at(&CONTROL, 0, at),
            Action::Attack { from, target }
            | Action::CavalryAttack { from, target }
            | Action::FootmanAttack { from, target }
            | Action::BerserkerAttack { from, target }
            | Action::MercenaryAttack { from, target } => self.step(&ATTACK, from, target),
            Action::TacticArcher { from, target } | Action::TacticCrossbowman { from, target } => {
                self.shot(from, target)
            }
            Action::TacticLightCavalry { from, to } | Action::TacticRoyalGuard { from, to } => {
                self.at(&LEAP, self.leap(from, to), from)
            }
            Action::TacticCavalry { from, to } => self.step(&CAVALRY, from, to),
            Action::TacticLancer { from, to, target } => {
                // The target is the next hex after `to`, so the last step tells the direction.
                let direction = self.leap(to, target);
                let n_steps = usize::from(from.distance(to));
                self.at(&LANCER, 6 * (n_steps - 1) + direction, from)
            }
            Action::TacticEnsign { from, to } => self.step(&ENSIGN, from, to),
            Action::TacticMarshal { from, target } => self.step(&MARSHAL, from, target),
            Action::TacticFootman { unit } => FOOTMAN.flat(usize::from(unit == Unit::FootmanV2)),
            Action::RoyalGuardLose { from_supply } => GUARD.flat(usize::from(from_supply)),
            Action::BerserkerStop
            | Action::SwordsmanDecline
            | Action::MercenaryDecline
            | Action::FootmanV2Decline => DECLINE.flat(0),
        }
    }
}

impl ActionSpace for WarChest {
    fn policy_layout(&self) -> PolicyLayout {
        PolicyLayout { planes: N_PLANES, height: GRID_LEN, width: GRID_LEN, flat: N_FLAT }
    }

    fn action_index(&self, setup: &Setup, seat: Seat, action: Action) -> u16 {
        View { army: &setup.armies[seat.idx()], seat }.index(action) as u16
    }

    fn action_spec(&self) -> String {
        let mut text = String::new();
        for (kind, blocks) in [("plane", PLANES.as_slice()), ("flat", FLAT.as_slice())] {
            for block in blocks {
                let last = block.end() - 1;
                writeln!(text, "{kind} {}..={last} {}", block.first, block.name)
                    .expect("a string takes all text");
            }
        }
        text
    }
}
