//! The rules as a value with its parameters.

use super::queen_lines::{Square, Squares, neighbours, reach};
use crate::keys::key_number;
use crate::size::UnsupportedSize;
use game::{ActionSink, Chance, Ending, InvalidState, Rules, Seat, Stream, Turn, Utility};
use std::fmt;
use std::ops::ControlFlow;

/// The game of the amazons on a square board of 10, 8 or 6 columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Amazons {
    size: usize,
}

impl Amazons {
    pub const SIZES: [usize; 3] = [10, 8, 6];

    pub fn new(size: usize) -> Result<Amazons, UnsupportedSize> {
        if !Amazons::SIZES.contains(&size) {
            return Err(UnsupportedSize {
                game: Amazons::NAME,
                width: size,
                height: size,
                reason: "beginnings are known for 10, 8 and 6 columns",
            });
        }
        Ok(Amazons { size })
    }

    pub fn size(&self) -> usize {
        self.size
    }

    /// Column and row of the amazons of both seats at the beginning.
    fn beginning(&self) -> [&'static [(usize, usize)]; 2] {
        match self.size {
            10 => [&[(3, 0), (6, 0), (0, 3), (9, 3)], &[(0, 6), (9, 6), (3, 9), (6, 9)]],
            8 => [&[(2, 0), (5, 0), (0, 2), (7, 2)], &[(0, 5), (7, 5), (2, 7), (5, 7)]],
            _ => [&[(2, 0), (3, 5)], &[(0, 3), (5, 2)]],
        }
    }

    /// How many amazons a seat has.
    pub fn n_amazons(&self) -> usize {
        self.beginning()[0].len()
    }

    #[inline]
    pub(super) fn board(&self) -> Squares {
        const fn board(size: usize) -> Squares {
            let mut squares = 0;
            let mut row = 0;
            while row < size {
                squares |= ((1 << size) - 1) << (11 * row);
                row += 1;
            }
            Squares(squares)
        }
        const TEN: Squares = board(10);
        const EIGHT: Squares = board(8);
        const SIX: Squares = board(6);
        match self.size {
            10 => TEN,
            8 => EIGHT,
            _ => SIX,
        }
    }

    /// The squares without amazon and arrow.
    #[inline]
    pub fn empty(&self, state: &State) -> Squares {
        self.board() & !(state.amazons[0] | state.amazons[1] | state.arrows)
    }

    fn can_move(&self, state: &State) -> bool {
        let empty = self.empty(state);
        state.amazons(state.to_move).any(|amazon| !neighbours(amazon, empty).is_empty())
    }

    /// A number for amazons, arrows and the side to move.
    pub fn key(&self, state: &State) -> u64 {
        const SALT: u64 = 0x616d_617a;
        let sets = [state.amazons[0], state.amazons[1], state.arrows];
        let mut key = key_number(SALT, state.to_move.idx() as u64);
        for (kind, set) in (1u64..).zip(sets) {
            for square in set {
                key ^= key_number(SALT, 128 * kind + square.idx() as u64);
            }
        }
        key
    }
}

/// Ten by ten squares and four amazons a side.
impl Default for Amazons {
    fn default() -> Amazons {
        Amazons { size: 10 }
    }
}

/// The amazon on `from` goes to `to` and shoots at `arrow`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action {
    pub from: Square,
    pub to: Square,
    pub arrow: Square,
}

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}{:?}{:?}", self.from, self.to, self.arrow)
    }
}

/// Amazons of both seats, arrows, who moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    pub(super) amazons: [Squares; 2],
    pub(super) arrows: Squares,
    pub(super) to_move: Seat,
}

impl State {
    #[inline]
    pub fn amazons(&self, seat: Seat) -> Squares {
        self.amazons[seat.idx()]
    }

    pub fn arrows(&self) -> Squares {
        self.arrows
    }

    pub fn to_move(&self) -> Seat {
        self.to_move
    }

    fn shift(&mut self, seat: Seat, from: Square, to: Square) {
        let amazons = &mut self.amazons[seat.idx()];
        *amazons = *amazons & !Squares::of(from) | Squares::of(to);
    }
}

/// Nothing: an action says all there is to take back.
#[derive(Clone, Copy, Debug)]
pub struct Undo;

impl Rules for Amazons {
    type Setup = ();
    type State = State;
    type Action = Action;
    type Undo = Undo;

    const NAME: &'static str = "amazons";

    fn deal(&self, _: &mut Stream) {}

    fn initial(&self, (): &()) -> State {
        let amazons = self.beginning().map(|squares| {
            let of = |&(column, row): &(usize, usize)| Squares::of(Square::new(column, row));
            squares.iter().map(of).fold(Squares::NONE, |set, square| set | square)
        });
        State { amazons, arrows: Squares::NONE, to_move: Seat::FIRST }
    }

    fn turn(&self, state: &State) -> Turn {
        if self.can_move(state) { Turn::Seat(state.to_move) } else { Turn::Over }
    }

    #[inline]
    fn actions(&self, state: &State, sink: &mut impl ActionSink<Action>) -> ControlFlow<()> {
        let empty = self.empty(state);
        for from in state.amazons(state.to_move) {
            let open = empty | Squares::of(from);
            for to in reach(from, empty) {
                let arrows = reach(to, open);
                sink.push_set(arrows.len(), arrows.map(|arrow| Action { from, to, arrow }))?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn apply(&self, state: &mut State, action: Action) -> Undo {
        debug_assert!(self.is_possible(state, action), "{action:?} in {state:?}");
        state.shift(state.to_move, action.from, action.to);
        state.arrows = state.arrows | Squares::of(action.arrow);
        state.to_move = state.to_move.other();
        Undo
    }

    #[inline]
    fn undo(&self, state: &mut State, action: Action, _: Undo) {
        state.to_move = state.to_move.other();
        state.arrows = state.arrows & !Squares::of(action.arrow);
        state.shift(state.to_move, action.to, action.from);
    }

    fn ending(&self, state: &State) -> Option<Ending> {
        let is_over = !self.can_move(state);
        is_over.then(|| Ending::Scored(Utility::won_by(state.to_move.other())))
    }

    fn validate(&self, state: &State) -> Result<(), InvalidState> {
        let fail = |reason: String| Err(InvalidState(reason));
        let [first, second] = state.amazons;
        let all = first | second | state.arrows;
        if !(all & !self.board()).is_empty() {
            return fail("something stands outside the board".to_owned());
        }
        if let Some(square) = (first & second | state.arrows & (first | second)).next() {
            return fail(format!("two things stand on {square:?}"));
        }
        for (side, amazons) in [("first", first), ("second", second)] {
            let (n, n_expected) = (amazons.len(), self.n_amazons());
            if n != n_expected {
                return fail(format!("the {side} side has {n} amazons instead of {n_expected}"));
            }
        }
        // Every turn shoots one arrow, and the first side begins.
        if state.arrows.len() % 2 != state.to_move.idx() {
            let n_arrows = state.arrows.len();
            return fail(format!("after {n_arrows} arrows it is the other side's turn"));
        }
        Ok(())
    }

    fn is_possible(&self, state: &State, action: Action) -> bool {
        let empty = self.empty(state);
        state.amazons(state.to_move).contains(action.from)
            && reach(action.from, empty).contains(action.to)
            && reach(action.to, empty | Squares::of(action.from)).contains(action.arrow)
    }
}

impl Chance for Amazons {
    fn outcomes(&self, _: &State, _: &mut impl FnMut(Action, u32)) {}
}
