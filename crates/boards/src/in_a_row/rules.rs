//! The rules as a value with its parameters.

use super::points::{POINTS_MAX, Points};
use super::state::{Point, State};
use crate::keys::key_number;
use game::{
    ActionSink, Chance, Ending, InvalidState, Keyed, Rules, Seat, Stream, Turn, TwoPlayerZeroSum,
    Utility,
};
use std::ops::ControlFlow;

/// Whether more stones in a row than needed win.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Overline {
    Wins,
    /// Only a row of exactly the needed length wins, as in standard gomoku.
    Ignored,
}

/// How the stones of one turn count as plies, one a stone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StoneOrder {
    /// In any order: two stones can be placed in two ways.
    Any,
    /// From lower to higher points, so that every set of stones is one sequence of plies.
    Ascending,
}

/// One game of the family.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InARow {
    columns: u8,
    rows: u8,
    in_a_row: u8,
    stones_per_turn: u8,
    stones_in_first_turn: u8,
    overline: Overline,
    stone_order: StoneOrder,
}

/// Parameters that make no game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no game of {columns}×{rows} with {in_a_row} in a row: {reason}")]
pub struct UnplayableFamily {
    pub columns: u8,
    pub rows: u8,
    pub in_a_row: u8,
    pub reason: &'static str,
}

impl InARow {
    pub const TIC_TAC_TOE: InARow = InARow::one_stone(3, 3, Overline::Wins);
    /// Gomoku on 15 × 15, where five or more win.
    pub const GOMOKU_FREESTYLE: InARow = InARow::one_stone(15, 5, Overline::Wins);
    /// Gomoku on 15 × 15, where exactly five win.
    pub const GOMOKU_STANDARD: InARow = InARow::one_stone(15, 5, Overline::Ignored);
    /// Connect6 on 19 × 19: one stone first, then two a turn, six or more win.
    pub const CONNECT6: InARow = InARow {
        stones_per_turn: 2,
        stones_in_first_turn: 1,
        ..InARow::one_stone(19, 6, Overline::Wins)
    };

    const fn one_stone(size: u8, in_a_row: u8, overline: Overline) -> InARow {
        InARow {
            columns: size,
            rows: size,
            in_a_row,
            stones_per_turn: 1,
            stones_in_first_turn: 1,
            overline,
            stone_order: StoneOrder::Any,
        }
    }

    /// One stone a turn on `columns` × `rows` points, at most 19 each.
    pub fn new(
        columns: u8,
        rows: u8,
        in_a_row: u8,
        overline: Overline,
    ) -> Result<InARow, UnplayableFamily> {
        let fail = |reason| Err(UnplayableFamily { columns, rows, in_a_row, reason });
        if !(1..=19).contains(&columns) || !(1..=19).contains(&rows) {
            return fail("a board has 1 to 19 columns and rows");
        }
        if !(2..=19).contains(&in_a_row) {
            return fail("a row has 2 to 19 stones");
        }
        Ok(InARow { columns, rows, ..InARow::one_stone(1, in_a_row, overline) })
    }

    /// With `first` stones in the first turn and `each` in the others, 1 to 19 of them.
    pub fn with_stones(self, each: u8, first: u8) -> Result<InARow, UnplayableFamily> {
        let InARow { columns, rows, in_a_row, .. } = self;
        if !(1..=19).contains(&each) || !(1..=19).contains(&first) {
            let reason = "a turn has 1 to 19 stones";
            return Err(UnplayableFamily { columns, rows, in_a_row, reason });
        }
        Ok(InARow { stones_per_turn: each, stones_in_first_turn: first, ..self })
    }

    pub const fn with_stone_order(self, stone_order: StoneOrder) -> InARow {
        InARow { stone_order, ..self }
    }

    pub fn columns(&self) -> usize {
        usize::from(self.columns)
    }

    pub fn rows(&self) -> usize {
        usize::from(self.rows)
    }

    pub fn in_a_row(&self) -> usize {
        usize::from(self.in_a_row)
    }

    pub fn stones_per_turn(&self) -> u8 {
        self.stones_per_turn
    }

    pub fn stone_order(&self) -> StoneOrder {
        self.stone_order
    }

    pub fn n_points(&self) -> usize {
        self.columns() * self.rows()
    }

    /// Whose stone number `n_stones`, counted from 0, is, and how many that seat has then left in its turn.
    pub(super) fn turn_of_stone(&self, n_stones: usize) -> (Seat, u8) {
        let (first, each) =
            (usize::from(self.stones_in_first_turn), usize::from(self.stones_per_turn));
        if n_stones < first {
            return (Seat::FIRST, (first - n_stones) as u8);
        }
        let (turn, placed) = ((n_stones - first) / each, (n_stones - first) % each);
        let seat = if turn.is_multiple_of(2) { Seat::SECOND } else { Seat::FIRST };
        (seat, (each - placed) as u8)
    }

    /// Whether the stone on `point` is part of a winning row: only the four lines through it can have changed.
    pub(super) fn wins_at(&self, stones: &Points, point: usize) -> bool {
        let (column, row) = ((point % self.columns()) as i32, (point / self.columns()) as i32);
        [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().any(|(right, up)| {
            let length = 1
                + self.reach(stones, column, row, right, up)
                + self.reach(stones, column, row, -right, -up);
            self.is_winning_length(length)
        })
    }

    pub(super) fn is_winning_length(&self, length: usize) -> bool {
        match self.overline {
            Overline::Wins => length >= self.in_a_row(),
            Overline::Ignored => length == self.in_a_row(),
        }
    }

    /// How many stones lie in one direction, next to each other.
    #[inline]
    fn reach(&self, stones: &Points, column: i32, row: i32, right: i32, up: i32) -> usize {
        let (mut column, mut row, mut length) = (column + right, row + up, 0);
        while (0..i32::from(self.columns)).contains(&column)
            && (0..i32::from(self.rows)).contains(&row)
            && stones.contains(row as usize * self.columns() + column as usize)
        {
            length += 1;
            (column, row) = (column + right, row + up);
        }
        length
    }

    /// The points that the seat to move may take: the ones free from this number on, up to the board's end.
    #[inline]
    fn open_range(&self, state: &State) -> (usize, usize) {
        let mut end = self.n_points();
        if self.stone_order == StoneOrder::Ascending && state.left_in_turn > 1 {
            end = self.end_that_leaves_room(state);
        }
        (usize::from(state.lowest), end)
    }

    /// With the order of stones fixed, the last ones of a turn need free points above.
    fn end_that_leaves_room(&self, state: &State) -> usize {
        let free = self.n_points() - state.n_stones();
        let needed = usize::from(state.left_in_turn).min(free) - 1;
        let occupied = state.occupied();
        let mut end = self.n_points();
        while end > 0 && occupied.n_absent(end, self.n_points()) < needed {
            end -= 1;
        }
        end
    }

    fn is_full(&self, state: &State) -> bool {
        state.n_stones() == self.n_points()
    }

    pub(super) fn start(&self) -> State {
        let (to_move, left_in_turn) = self.turn_of_stone(0);
        let mut state = State {
            stones: [Points::default(); 2],
            n_stones: 0,
            to_move,
            left_in_turn,
            lowest: 0,
            winner: None,
            key: 0,
        };
        state.key = turn_key(&state);
        state
    }
}

const SALT: u64 = 0x696e_2061_2072_6f77;

fn stone_key(seat: Seat, point: usize) -> u64 {
    key_number(SALT, (seat.idx() * POINTS_MAX + point) as u64)
}

fn turn_key(state: &State) -> u64 {
    let turn = (state.to_move.idx() * 32 + usize::from(state.left_in_turn)) * POINTS_MAX;
    key_number(SALT, (2 * POINTS_MAX + turn + usize::from(state.lowest)) as u64)
}

/// What placing a stone changed besides the stone.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    to_move: Seat,
    left_in_turn: u8,
    lowest: u16,
    key: u64,
}

impl Rules for InARow {
    /// There is one beginning.
    type Setup = ();
    type State = State;
    type Action = Point;
    type Undo = Undo;

    const NAME: &'static str = "in-a-row";

    fn deal(&self, _: &mut Stream) {}

    fn initial(&self, (): &()) -> State {
        self.start()
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if state.winner.is_some() || self.is_full(state) {
            return Turn::Over;
        }
        Turn::Seat(state.to_move)
    }

    /// Free points in the order of their numbers.
    #[inline]
    fn actions(&self, state: &State, sink: &mut impl ActionSink<Point>) -> ControlFlow<()> {
        if state.winner.is_some() {
            return ControlFlow::Continue(());
        }
        let (first, end) = self.open_range(state);
        let occupied = state.occupied();
        let n_free =
            occupied.n_absent(first, self.n_points()) - occupied.n_absent(end, self.n_points());
        sink.push_set(n_free, occupied.absent(first, end).map(|point| Point(point as u16)))
    }

    #[inline]
    fn apply(&self, state: &mut State, point: Point) -> Undo {
        debug_assert!(self.is_possible(state, point), "{point:?} in {state:?}");
        let State { to_move, left_in_turn, lowest, key, .. } = *state;
        state.key ^= turn_key(state) ^ stone_key(to_move, point.idx());
        state.stones[to_move.idx()].toggle(point.idx());
        state.n_stones += 1;
        if self.wins_at(&state.stones[to_move.idx()], point.idx()) {
            state.winner = Some(to_move);
        }
        if left_in_turn > 1 {
            state.left_in_turn -= 1;
            if self.stone_order == StoneOrder::Ascending {
                state.lowest = point.0 + 1;
            }
        } else {
            state.to_move = to_move.other();
            state.left_in_turn = self.stones_per_turn;
            state.lowest = 0;
        }
        state.key ^= turn_key(state);
        Undo { to_move, left_in_turn, lowest, key }
    }

    #[inline]
    fn undo(&self, state: &mut State, point: Point, undo: Undo) {
        let Undo { to_move, left_in_turn, lowest, key } = undo;
        (state.to_move, state.left_in_turn, state.lowest) = (to_move, left_in_turn, lowest);
        state.key = key;
        state.stones[to_move.idx()].toggle(point.idx());
        state.n_stones -= 1;
        state.winner = None;
    }

    fn ending(&self, state: &State) -> Option<Ending> {
        if let Some(winner) = state.winner {
            return Some(Ending::Scored(Utility::won_by(winner)));
        }
        self.is_full(state).then(|| Ending::Scored(Utility::new(&[0.0, 0.0])))
    }

    fn validate(&self, state: &State) -> Result<(), InvalidState> {
        let fail = |reason: String| Err(InvalidState(reason));
        if state.stones[0].overlaps(&state.stones[1]) {
            return fail("two stones lie on one point".to_owned());
        }
        let n_stones = state.occupied().len();
        if n_stones != state.n_stones() || n_stones > self.n_points() {
            return fail(format!("{} stones are counted, {n_stones} lie there", state.n_stones));
        }
        let seconds = (0..n_stones).filter(|n| self.turn_of_stone(*n).0 == Seat::SECOND).count();
        if state.stones[1].len() != seconds {
            let found = state.stones[1].len();
            return fail(format!(
                "the second seat has {found} of {n_stones} stones, not {seconds}"
            ));
        }
        if (state.to_move, state.left_in_turn) != self.turn_of_stone(n_stones) {
            return fail(format!("after {n_stones} stones another seat is to move"));
        }
        if state.key != self.key_from_scratch(state) {
            return fail("the key is not the position's".to_owned());
        }
        self.validate_rows(state)
    }

    fn is_possible(&self, state: &State, point: Point) -> bool {
        let (first, end) = self.open_range(state);
        state.winner.is_none()
            && (first..end).contains(&point.idx())
            && state.stone_at(point).is_none()
    }
}

impl InARow {
    fn validate_rows(&self, state: &State) -> Result<(), InvalidState> {
        let winners: Vec<Seat> =
            Seat::BOTH.into_iter().filter(|seat| self.has_row(&state.stones[seat.idx()])).collect();
        let last = state.n_stones().checked_sub(1).map(|n| self.turn_of_stone(n).0);
        match winners[..] {
            [] if state.winner.is_none() => Ok(()),
            [winner] if state.winner == Some(winner) && last == Some(winner) => Ok(()),
            [_] => Err(InvalidState("a row stands that the last stone did not make".to_owned())),
            _ => Err(InvalidState("the winner is not who has a row".to_owned())),
        }
    }

    /// Whether a winning row stands anywhere: the slow way, over every line of the board.
    pub fn has_row(&self, stones: &Points) -> bool {
        let here = |column: i32, row: i32| {
            (0..i32::from(self.columns)).contains(&column)
                && (0..i32::from(self.rows)).contains(&row)
                && stones.contains(row as usize * self.columns() + column as usize)
        };
        for (right, up) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            for point in 0..self.n_points() {
                let (column, row) =
                    ((point % self.columns()) as i32, (point / self.columns()) as i32);
                if here(column - right, row - up) {
                    continue;
                }
                let length = (0..).take_while(|n| here(column + n * right, row + n * up)).count();
                if length > 0 && self.is_winning_length(length) {
                    return true;
                }
            }
        }
        false
    }
}

impl Chance for InARow {
    fn outcomes(&self, _: &State, _: &mut impl FnMut(Point, u32)) {}
}

impl TwoPlayerZeroSum for InARow {}

impl Keyed for InARow {
    #[inline]
    fn key(&self, state: &State) -> u64 {
        state.key
    }

    fn key_from_scratch(&self, state: &State) -> u64 {
        let mut key = turn_key(state);
        for seat in Seat::BOTH {
            let stones = &state.stones[seat.idx()];
            let points = (0..self.n_points()).filter(|point| stones.contains(*point));
            key ^= points.fold(0, |key, point| key ^ stone_key(seat, point));
        }
        key
    }
}
