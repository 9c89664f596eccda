//! The rules as a value with its parameters.

use super::state::{Column, State};
use crate::keys::key_number;
use crate::size::UnsupportedSize;
use game::{
    ActionSink, Chance, Ending, InvalidState, Keyed, Rules, Seat, Stream, Symmetric, Turn,
    TwoPlayerZeroSum, Utility,
};
use std::ops::ControlFlow;

/// Connect Four on 7 × 6, or on another board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ConnectFour {
    columns: u8,
    rows: u8,
}

impl Default for ConnectFour {
    fn default() -> ConnectFour {
        ConnectFour { columns: 7, rows: 6 }
    }
}

impl ConnectFour {
    /// Columns · (rows + 1) is at most 64.
    pub fn new(columns: u8, rows: u8) -> Result<ConnectFour, UnsupportedSize> {
        let n_bits = usize::from(columns) * (usize::from(rows) + 1);
        if columns == 0 || rows == 0 || n_bits > 64 {
            return Err(UnsupportedSize {
                game: ConnectFour::NAME,
                width: columns.into(),
                height: rows.into(),
                reason: "columns times one more than rows is at most 64, and neither is 0",
            });
        }
        Ok(ConnectFour { columns, rows })
    }

    pub fn columns(&self) -> usize {
        usize::from(self.columns)
    }

    pub fn rows(&self) -> usize {
        usize::from(self.rows)
    }

    pub(super) fn bit(&self, column: usize, row: usize) -> u64 {
        1 << (column * (self.rows() + 1) + row)
    }

    /// How far apart the bits of neighbours are: above, right, right and up, right and down.
    #[inline]
    pub(super) fn steps(&self) -> [u32; 4] {
        let rows = u32::from(self.rows);
        [1, rows + 1, rows + 2, rows]
    }

    #[inline]
    pub(super) fn has_four(&self, discs: u64) -> bool {
        self.steps().into_iter().any(|step| {
            let pairs = discs & (discs >> step);
            pairs & (pairs >> (2 * step)) != 0
        })
    }

    #[inline]
    fn is_open(&self, occupied: u64, column: usize) -> bool {
        occupied & self.bit(column, self.rows() - 1) == 0
    }

    fn is_full(&self, state: &State) -> bool {
        (0..self.columns()).all(|column| !self.is_open(state.occupied(), column))
    }

    /// The lowest free place of a column that is not full.
    #[inline]
    pub(super) fn landing(&self, occupied: u64, column: usize) -> u64 {
        let column_bits = ((1 << self.rows) - 1) << (column * (self.rows() + 1));
        (occupied + self.bit(column, 0)) & column_bits
    }
}

impl Rules for ConnectFour {
    /// There is one beginning.
    type Setup = ();
    type State = State;
    type Action = Column;
    type Undo = ();

    const NAME: &'static str = "connect-four";

    fn deal(&self, _: &mut Stream) {}

    fn initial(&self, (): &()) -> State {
        State { discs: [0, 0], to_move: Seat::FIRST }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if self.has_four(state.waiting()) || self.is_full(state) {
            return Turn::Over;
        }
        Turn::Seat(state.to_move)
    }

    #[inline]
    fn actions(&self, state: &State, sink: &mut impl ActionSink<Column>) -> ControlFlow<()> {
        if self.has_four(state.waiting()) {
            return ControlFlow::Continue(());
        }
        let occupied = state.occupied();
        for column in (0..self.columns()).filter(|column| self.is_open(occupied, *column)) {
            sink.push(Column(column as u8))?;
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn apply(&self, state: &mut State, column: Column) {
        debug_assert!(self.is_possible(state, column), "{column:?} in {state:?}");
        let landing = self.landing(state.occupied(), column.0.into());
        state.discs[state.to_move.idx()] |= landing;
        state.to_move = state.to_move.other();
    }

    #[inline]
    fn undo(&self, state: &mut State, column: Column, (): ()) {
        state.to_move = state.to_move.other();
        let shift = usize::from(column.0) * (self.rows() + 1);
        let height = (state.occupied() >> shift).trailing_ones() as usize;
        state.discs[state.to_move.idx()] ^= self.bit(column.0.into(), height - 1);
    }

    fn ending(&self, state: &State) -> Option<Ending> {
        if self.has_four(state.waiting()) {
            return Some(Ending::Scored(Utility::won_by(state.to_move.other())));
        }
        self.is_full(state).then(|| Ending::Scored(Utility::new(&[0.0, 0.0])))
    }

    fn validate(&self, state: &State) -> Result<(), InvalidState> {
        let fail = |reason: String| Err(InvalidState(reason));
        let [first, second] = state.discs;
        if first & second != 0 {
            return fail("two discs lie in one place".to_owned());
        }
        let (n_first, n_second) = (first.count_ones(), second.count_ones());
        if n_first != n_second + u32::from(state.to_move == Seat::SECOND) {
            return fail(format!("{n_first} and {n_second} discs with seat {:?}", state.to_move));
        }
        let occupied = state.occupied();
        let mut standing = 0;
        for column in 0..self.columns() {
            let height = (0..self.rows()).take_while(|row| occupied & self.bit(column, *row) != 0);
            standing |= height.fold(0, |bits, row| bits | self.bit(column, row));
        }
        if occupied != standing {
            let bit = (occupied & !standing).trailing_zeros() as usize;
            let (column, row) = (bit / (self.rows() + 1), bit % (self.rows() + 1));
            let place = crate::grid::cell_text(column, row);
            return fail(format!("nothing is under the disc on {place}"));
        }
        if self.has_four(state.discs[state.to_move.idx()]) {
            return fail("the side to move has four in a row already".to_owned());
        }
        Ok(())
    }

    fn is_possible(&self, state: &State, column: Column) -> bool {
        usize::from(column.0) < self.columns()
            && self.is_open(state.occupied(), column.0.into())
            && !self.has_four(state.waiting())
    }
}

impl Chance for ConnectFour {
    fn outcomes(&self, _: &State, _: &mut impl FnMut(Column, u32)) {}
}

impl TwoPlayerZeroSum for ConnectFour {}

const SALT: u64 = 0x636f_6e6e_6563_7434;

impl Keyed for ConnectFour {
    /// The discs of the seat to act plus all places filled, each column with the bit above its top: no two positions
    /// share this sum (J. Tromp), and mixing loses nothing.
    #[inline]
    fn key(&self, state: &State) -> u64 {
        let bottom = (0..self.columns()).fold(0, |bits, column| bits | self.bit(column, 0));
        let own = state.discs[state.to_move.idx()];
        key_number(SALT, own.wrapping_add(state.occupied()).wrapping_add(bottom))
    }

    fn key_from_scratch(&self, state: &State) -> u64 {
        let mut sum = 0u64;
        for column in 0..self.columns() {
            let rows = 0..self.rows();
            let height = rows.filter(|row| state.occupied() & self.bit(column, *row) != 0).count();
            let own = (0..self.rows())
                .filter(|row| state.discs[state.to_move.idx()] & self.bit(column, *row) != 0)
                .map(|row| self.bit(column, row))
                .sum::<u64>();
            sum += own + self.bit(column, height);
        }
        key_number(SALT, sum)
    }
}

impl Symmetric for ConnectFour {
    fn n_symmetries(&self) -> usize {
        2
    }

    fn turned_state(&self, symmetry: usize, state: &State) -> State {
        let mirrored = |discs: u64| {
            (0..self.columns()).fold(0, |bits, column| {
                let own = discs >> (column * (self.rows() + 1)) & ((1 << (self.rows + 1)) - 1);
                bits | own << ((self.columns() - 1 - column) * (self.rows() + 1))
            })
        };
        match symmetry {
            0 => *state,
            _ => State { discs: state.discs.map(mirrored), ..*state },
        }
    }

    fn turned_action(&self, symmetry: usize, column: Column) -> Column {
        match symmetry {
            0 => column,
            _ => Column(self.columns - 1 - column.0),
        }
    }
}
