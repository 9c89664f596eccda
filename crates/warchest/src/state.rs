//! One complete position: what the referee's truth and a search's worlds hold.

use crate::{Army, Hex, HexSet, LOCATIONS, N_SLOTS, Setup, Unit, Zones};
use crate::{BLACK_STARTS, Coins, WHITE_STARTS};
use game::{Seat, Turn};
use std::fmt;

/// How many control markers a side has; placing the last one wins.
pub const N_MARKERS: usize = 6;
/// How many coins a hand is filled up to at the start of a round.
pub const HAND_SIZE: u32 = 3;
/// [`State::cap`] of a game without one.
pub const NO_CAP: u16 = u16::MAX;

/// A stack of coins of one type, or an empty hex, in one byte.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Stack(u8);

impl Stack {
    pub const EMPTY: Stack = Stack(0);

    /// `height` in 1..=15, `slot` in 0..4.
    #[inline]
    pub const fn new(seat: Seat, slot: usize, height: u8) -> Stack {
        Stack((seat.idx() as u8) << 6 | (slot as u8) << 4 | height)
    }

    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub const fn owner(self) -> Seat {
        Seat::new(self.0 >> 6)
    }

    #[inline]
    pub const fn slot(self) -> usize {
        (self.0 >> 4 & 3) as usize
    }

    #[inline]
    pub const fn height(self) -> u8 {
        self.0 & 0xf
    }

    /// The byte form: owner in bit 6, slot in bits 4 and 5, height in bits 0 to 3; 0 for an empty hex.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The stack with this byte form, if there is one.
    pub const fn from_bits(bits: u8) -> Option<Stack> {
        if bits >> 7 == 0 && (bits == 0 || bits & 0xf != 0) { Some(Stack(bits)) } else { None }
    }

    #[inline]
    pub(crate) const fn higher(self) -> Stack {
        Stack(self.0 + 1)
    }

    #[inline]
    pub(crate) const fn lower(self) -> Stack {
        Stack(self.0 - 1)
    }
}

impl fmt::Debug for Stack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("-");
        }
        write!(f, "{:?}/{}x{}", self.owner(), self.slot(), self.height())
    }
}

/// What the position waits for. The seat it concerns is [`State::actor`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// Chance: the actor draws a coin for its hand at the start of a round.
    RoundDraw,
    /// The actor uses one coin of its hand.
    Main,
    /// The Cavalry here has moved and must attack.
    Cavalry(Hex),
    /// These Footmen have not acted yet.
    Footmen(HexSet),
    /// The Berserker here may pay a coin to maneuver again.
    Berserker(Hex),
    /// The Swordsman here may move after its attack.
    Swordsman(Hex),
    /// The Mercenary here may maneuver after a recruit.
    Mercenary(Hex),
    /// The recruited coin of this slot may be deployed at once.
    FootmanV2Deploy(usize),
    /// Chance: a Warrior Priest of the actor draws a coin.
    PriestDraw,
    /// The actor uses the coin in flight.
    PriestPlay,
    /// Nothing more; the turn passes on once an attacked Royal Guard's owner has decided. Stands in a position
    /// only while that is open.
    EndOfTurn,
    /// The game is over: won by a seat, or truncated.
    Over(Option<Seat>),
}

/// The kinds of ply, by what has to be decided or drawn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Decision {
    Draw,
    Main,
    Footman,
    Berserker,
    Swordsman,
    Cavalry,
    Mercenary,
    FootmanV2Deploy,
    RoyalGuard,
    WarriorPriestDraw,
    WarriorPriestPlay,
}

impl Decision {
    pub const COUNT: usize = 11;

    pub const ALL: [Decision; Decision::COUNT] = [
        Decision::Draw,
        Decision::Main,
        Decision::Footman,
        Decision::Berserker,
        Decision::Swordsman,
        Decision::Cavalry,
        Decision::Mercenary,
        Decision::FootmanV2Deploy,
        Decision::RoyalGuard,
        Decision::WarriorPriestDraw,
        Decision::WarriorPriestPlay,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Decision::Draw => "draw",
            Decision::Main => "main",
            Decision::Footman => "footman",
            Decision::Berserker => "berserker",
            Decision::Swordsman => "swordsman",
            Decision::Cavalry => "cavalry",
            Decision::Mercenary => "mercenary",
            Decision::FootmanV2Deploy => "footman_v2_deploy",
            Decision::RoyalGuard => "royal_guard",
            Decision::WarriorPriestDraw => "warrior_priest_draw",
            Decision::WarriorPriestPlay => "warrior_priest_play",
        }
    }

    pub fn from_name(name: &str) -> Option<Decision> {
        Decision::ALL.into_iter().find(|decision| decision.name() == name)
    }
}

/// One complete position. Equality is structural: equal positions behave alike in every respect.
///
/// `stacks` and `units` say the same thing twice, by hex and by slot; [`State::set_stack`] keeps them in step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// Where each seat's units of each slot stand.
    pub(crate) units: [[HexSet; Army::LEN]; 2],
    /// The locations that carry a marker of each seat.
    pub(crate) control: [HexSet; 2],
    pub(crate) zones: [Zones; 2],
    pub(crate) armies: [Army; 2],
    pub(crate) stacks: [Stack; Hex::COUNT],
    pub(crate) step: Step,
    /// The attacked Royal Guard whose owner must choose what it loses. Decided before `step`, except that a
    /// Warrior Priest's draw comes first.
    pub(crate) attacked_guard: Option<Hex>,
    /// Whose turn or draw it is.
    pub(crate) actor: Seat,
    pub(crate) initiative: Seat,
    pub(crate) initiative_moved: bool,
    /// Whether a Warrior Priest V2 has drawn in this turn.
    pub(crate) priest_v2_drew: bool,
    /// Counted from 1.
    pub(crate) round: u16,
    /// Coins used from hands so far.
    pub(crate) coin_plays: u16,
    /// The game is truncated after this many coin plays; [`NO_CAP`] when it never is.
    pub(crate) cap: u16,
}

impl State {
    /// The position before the first draw.
    pub fn new(setup: &Setup, cap: u16) -> State {
        let zones = setup.armies.map(|army| {
            let printed = army.printed_coins();
            let bag = Coins::from_counts([2, 2, 2, 2, 1]);
            Zones { bag, supply: printed - bag, ..Zones::default() }
        });
        State {
            units: [[HexSet::EMPTY; Army::LEN]; 2],
            control: [WHITE_STARTS, BLACK_STARTS],
            zones,
            armies: setup.armies,
            stacks: [Stack::EMPTY; Hex::COUNT],
            step: Step::RoundDraw,
            attacked_guard: None,
            actor: setup.first,
            initiative: setup.first,
            initiative_moved: false,
            priest_v2_drew: false,
            round: 1,
            coin_plays: 0,
            cap,
        }
    }

    /// Who acts now.
    #[inline]
    pub fn turn(&self) -> Turn {
        match self.step {
            Step::RoundDraw | Step::PriestDraw => Turn::Chance,
            Step::Over(_) => Turn::Over,
            _ => Turn::Seat(self.decider()),
        }
    }

    /// What kind of ply comes next; `None` after the end.
    #[inline]
    pub fn decision(&self) -> Option<Decision> {
        Some(match self.step {
            Step::RoundDraw => Decision::Draw,
            Step::PriestDraw => Decision::WarriorPriestDraw,
            Step::Over(_) => return None,
            _ if self.attacked_guard.is_some() => Decision::RoyalGuard,
            Step::Main => Decision::Main,
            Step::Cavalry(_) => Decision::Cavalry,
            Step::Footmen(_) => Decision::Footman,
            Step::Berserker(_) => Decision::Berserker,
            Step::Swordsman(_) => Decision::Swordsman,
            Step::Mercenary(_) => Decision::Mercenary,
            Step::FootmanV2Deploy(_) => Decision::FootmanV2Deploy,
            Step::PriestPlay => Decision::WarriorPriestPlay,
            Step::EndOfTurn => return None,
        })
    }

    /// The seat that decides or draws next. At a Royal Guard's loss it is its owner, not [`State::actor`].
    #[inline]
    pub fn decider(&self) -> Seat {
        if self.attacked_guard.is_some() && self.step != Step::PriestDraw {
            self.actor.other()
        } else {
            self.actor
        }
    }

    /// Whose turn (coin play) or draw it is.
    #[inline]
    pub fn actor(&self) -> Seat {
        self.actor
    }

    #[inline]
    pub fn step(&self) -> Step {
        self.step
    }

    #[inline]
    pub fn attacked_guard(&self) -> Option<Hex> {
        self.attacked_guard
    }

    pub fn setup_armies(&self) -> &[Army; 2] {
        &self.armies
    }

    #[inline]
    pub fn army(&self, seat: Seat) -> &Army {
        &self.armies[seat.idx()]
    }

    #[inline]
    pub fn zones(&self, seat: Seat) -> &Zones {
        &self.zones[seat.idx()]
    }

    /// For builders of positions and worlds; validate afterwards.
    pub fn zones_mut(&mut self, seat: Seat) -> &mut Zones {
        &mut self.zones[seat.idx()]
    }

    #[inline]
    pub fn stack(&self, hex: Hex) -> Stack {
        self.stacks[hex.idx()]
    }

    /// The type of the unit on `hex`, if there is one.
    #[inline]
    pub fn unit_at(&self, hex: Hex) -> Option<Unit> {
        let stack = self.stack(hex);
        (!stack.is_empty()).then(|| self.army(stack.owner()).unit(stack.slot()))
    }

    /// Puts `stack` on `hex` in place of what stands there.
    #[inline]
    pub fn set_stack(&mut self, hex: Hex, stack: Stack) {
        let old = self.stacks[hex.idx()];
        if !old.is_empty() {
            let units = &mut self.units[old.owner().idx()][old.slot()];
            *units = units.without(hex);
        }
        if !stack.is_empty() {
            let units = &mut self.units[stack.owner().idx()][stack.slot()];
            *units = units.with(hex);
        }
        self.stacks[hex.idx()] = stack;
    }

    /// Where `seat`'s units of `slot` stand.
    #[inline]
    pub fn units(&self, seat: Seat, slot: usize) -> HexSet {
        self.units[seat.idx()][slot]
    }

    /// Where `seat`'s units stand.
    #[inline]
    pub fn occupied_by(&self, seat: Seat) -> HexSet {
        let [a, b, c, d] = self.units[seat.idx()];
        a | b | c | d
    }

    /// The hexes without a unit.
    #[inline]
    pub fn empty_hexes(&self) -> HexSet {
        !(self.occupied_by(Seat::FIRST) | self.occupied_by(Seat::SECOND))
    }

    /// The locations `seat` controls.
    #[inline]
    pub fn control(&self, seat: Seat) -> HexSet {
        self.control[seat.idx()]
    }

    /// For builders of positions; validate afterwards.
    pub fn set_control(&mut self, seat: Seat, locations: HexSet) {
        self.control[seat.idx()] = locations & LOCATIONS;
    }

    #[inline]
    pub fn initiative(&self) -> Seat {
        self.initiative
    }

    /// Whether the initiative marker has changed hands in this round.
    #[inline]
    pub fn initiative_moved(&self) -> bool {
        self.initiative_moved
    }

    /// Whether a Warrior Priest V2 of the actor has drawn in this turn.
    #[inline]
    pub fn priest_v2_drew(&self) -> bool {
        self.priest_v2_drew
    }

    /// The round, counted from 1.
    #[inline]
    pub fn round(&self) -> u16 {
        self.round
    }

    /// Coins used from hands so far.
    #[inline]
    pub fn coin_plays(&self) -> u16 {
        self.coin_plays
    }

    /// After how many coin plays the game is truncated, if ever.
    pub fn cap(&self) -> Option<u16> {
        (self.cap != NO_CAP).then_some(self.cap)
    }

    /// All coins of `seat`: every zone and the board. Never changes during a game.
    pub fn coins_of(&self, seat: Seat) -> Coins {
        self.zones(seat).total() + self.coins_on_board(seat)
    }

    /// The coins in `seat`'s stacks.
    pub fn coins_on_board(&self, seat: Seat) -> Coins {
        let mut counts = [0; N_SLOTS];
        for (slot, count) in counts.iter_mut().enumerate().take(Army::LEN) {
            *count = self.units(seat, slot).into_iter().map(|hex| self.stack(hex).height()).sum();
        }
        Coins::from_counts(counts)
    }
}
