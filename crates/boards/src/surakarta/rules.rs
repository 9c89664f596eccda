//! The rules as a value with its parameters.

use super::circuit::{NEIGHBOURS, Point, SIDE, captures};
use crate::keys::key_number;
use game::{ActionSink, Chance, Ending, InvalidState, Rules, Seat, Stream, Turn, Utility};
use std::fmt;
use std::ops::ControlFlow;

/// Surakarta, twelve stones a side. Who has lost all stones has lost. A game in which nobody captures for long, and
/// one in which the side to move cannot move, is decided by who has more stones. Repetition is not part of a
/// position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Surakarta {
    /// Stones are counted after this many plies in a row without a capture. `None`: never.
    pub plies_without_capture_max: Option<u16>,
}

impl Default for Surakarta {
    /// 50 moves of each side.
    fn default() -> Surakarta {
        Surakarta { plies_without_capture_max: Some(100) }
    }
}

impl Surakarta {
    /// Only captures end a game: how moves are counted.
    pub const WITHOUT_LIMIT: Surakarta = Surakarta { plies_without_capture_max: None };

    fn is_decided(&self, state: &State) -> bool {
        let is_too_long = self
            .plies_without_capture_max
            .is_some_and(|plies| state.plies_without_capture >= plies);
        is_too_long || state.stones.contains(&0)
    }

    fn can_move(&self, state: &State) -> bool {
        let [own, enemies] = state.own_and_enemies();
        let mut stones = Points(own);
        stones.any(|from| targets(from, enemies, own | enemies) != 0)
    }

    fn is_over(&self, state: &State) -> bool {
        self.is_decided(state) || !self.can_move(state)
    }

    /// A number for stones and the side to move; the counter is no part of it.
    pub fn key(&self, state: &State) -> u64 {
        const SALT: u64 = 0x7375_7261;
        let mut key = key_number(SALT, state.to_move.idx() as u64);
        for seat in Seat::BOTH {
            for point in Points(state.stones[seat.idx()]) {
                key ^= key_number(SALT, 64 * (1 + seat.idx() as u64) + u64::from(point.0));
            }
        }
        key
    }
}

/// A set of points, lowest number first.
struct Points(u64);

impl Iterator for Points {
    type Item = Point;

    #[inline]
    fn next(&mut self) -> Option<Point> {
        if self.0 == 0 {
            return None;
        }
        let point = Point(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(point)
    }
}

/// Where a stone on `from` can go: empty points next to it and stones it captures.
#[inline]
fn targets(from: Point, enemies: u64, occupied: u64) -> u64 {
    NEIGHBOURS[usize::from(from.0)] & !occupied | captures(from, enemies, occupied)
}

/// The stone on `from` goes to `to` and takes what stands there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action {
    pub from: Point,
    pub to: Point,
}

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)
    }
}

/// Stones of both seats, who moves, and plies since the last capture.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    pub(super) stones: [u64; 2],
    pub(super) to_move: Seat,
    pub(super) plies_without_capture: u16,
}

impl State {
    pub fn to_move(&self) -> Seat {
        self.to_move
    }

    pub fn plies_without_capture(&self) -> u16 {
        self.plies_without_capture
    }

    pub fn n_stones(&self, seat: Seat) -> u32 {
        self.stones[seat.idx()].count_ones()
    }

    /// Whose stone stands on a point.
    pub fn stone_at(&self, point: Point) -> Option<Seat> {
        Seat::BOTH.into_iter().find(|seat| self.stones[seat.idx()] & point.bit() != 0)
    }

    #[inline]
    fn own_and_enemies(&self) -> [u64; 2] {
        [self.stones[self.to_move.idx()], self.stones[self.to_move.other().idx()]]
    }
}

/// Whether a stone was taken, and how long none had been.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    pub is_capture: bool,
    plies_without_capture: u16,
}

impl Rules for Surakarta {
    type Setup = ();
    type State = State;
    type Action = Action;
    type Undo = Undo;

    const NAME: &'static str = "surakarta";

    fn deal(&self, _: &mut Stream) {}

    fn initial(&self, (): &()) -> State {
        let two_rows = (1 << (2 * SIDE)) - 1;
        let stones = [two_rows, two_rows << (4 * SIDE)];
        State { stones, to_move: Seat::FIRST, plies_without_capture: 0 }
    }

    fn turn(&self, state: &State) -> Turn {
        if self.is_over(state) { Turn::Over } else { Turn::Seat(state.to_move) }
    }

    #[inline]
    fn actions(&self, state: &State, sink: &mut impl ActionSink<Action>) -> ControlFlow<()> {
        if self.is_decided(state) {
            return ControlFlow::Continue(());
        }
        let [own, enemies] = state.own_and_enemies();
        for from in Points(own) {
            let targets = targets(from, enemies, own | enemies);
            let moves = Points(targets).map(|to| Action { from, to });
            sink.push_set(targets.count_ones() as usize, moves)?;
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn apply(&self, state: &mut State, action: Action) -> Undo {
        debug_assert!(self.is_possible(state, action), "{action:?} in {state:?}");
        let (own, enemy) = (state.to_move.idx(), state.to_move.other().idx());
        let is_capture = state.stones[enemy] & action.to.bit() != 0;
        let undo = Undo { is_capture, plies_without_capture: state.plies_without_capture };
        state.stones[own] ^= action.from.bit() | action.to.bit();
        state.stones[enemy] &= !action.to.bit();
        state.plies_without_capture = if is_capture { 0 } else { state.plies_without_capture + 1 };
        state.to_move = state.to_move.other();
        undo
    }

    #[inline]
    fn undo(&self, state: &mut State, action: Action, undo: Undo) {
        state.to_move = state.to_move.other();
        let (own, enemy) = (state.to_move.idx(), state.to_move.other().idx());
        state.stones[own] ^= action.from.bit() | action.to.bit();
        if undo.is_capture {
            state.stones[enemy] |= action.to.bit();
        }
        state.plies_without_capture = undo.plies_without_capture;
    }

    fn ending(&self, state: &State) -> Option<Ending> {
        if !self.is_over(state) {
            return None;
        }
        let [first, second] = Seat::BOTH.map(|seat| state.n_stones(seat));
        Some(Ending::Scored(match first.cmp(&second) {
            std::cmp::Ordering::Greater => Utility::won_by(Seat::FIRST),
            std::cmp::Ordering::Less => Utility::won_by(Seat::SECOND),
            std::cmp::Ordering::Equal => Utility::new(&[0.0, 0.0]),
        }))
    }

    fn validate(&self, state: &State) -> Result<(), InvalidState> {
        let fail = |reason: String| Err(InvalidState(reason));
        let [first, second] = state.stones;
        if (first | second) >> (SIDE * SIDE) != 0 {
            return fail("a stone stands outside the board".to_owned());
        }
        if let Some(point) = Points(first & second).next() {
            return fail(format!("two stones stand on {point}"));
        }
        if first | second == 0 {
            return fail("there are no stones".to_owned());
        }
        for (side, seat) in [("first", Seat::FIRST), ("second", Seat::SECOND)] {
            let (n, n_max) = (state.n_stones(seat) as usize, 2 * SIDE);
            if n > n_max {
                return fail(format!("the {side} side has {n} stones, and {n_max} is the most"));
            }
        }
        let plies = state.plies_without_capture;
        match self.plies_without_capture_max {
            Some(plies_max) if plies > plies_max => fail(format!(
                "{plies} plies without a capture, and the game ends after {plies_max}"
            )),
            _ => Ok(()),
        }
    }

    fn is_possible(&self, state: &State, action: Action) -> bool {
        let [own, enemies] = state.own_and_enemies();
        !self.is_decided(state)
            && own & action.from.bit() != 0
            && targets(action.from, enemies, own | enemies) & action.to.bit() != 0
    }
}

impl Chance for Surakarta {
    fn outcomes(&self, _: &State, _: &mut impl FnMut(Action, u32)) {}
}
