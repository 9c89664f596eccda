//! The rules as a value with its parameters.

use super::bits::{flips, moves};
use super::state::{Action, State};
use crate::grid::cell_text;
use crate::keys::key_number;
use crate::size::UnsupportedSize;
use game::{
    ActionSink, Chance, Ending, InvalidState, Keyed, Rules, Seat, Stream, Symmetric, Turn,
    TwoPlayerZeroSum, Utility,
};
use std::ops::ControlFlow;

/// What an ending is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scoring {
    /// 1 to whoever has more discs.
    Won,
    /// How many discs more, squares left empty counting for nobody.
    Margin,
}

/// Othello. A side that cannot turn a disc over passes, and a pass is a ply; when neither can, the game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Othello {
    size: u8,
    board: u64,
    pub scoring: Scoring,
}

impl Default for Othello {
    fn default() -> Othello {
        Othello { size: 8, board: !0, scoring: Scoring::Won }
    }
}

impl Othello {
    /// `size` is 4, 6 or 8.
    pub fn new(size: u8, scoring: Scoring) -> Result<Othello, UnsupportedSize> {
        let board = match size {
            4 => 0x0000_3c3c_3c3c_0000,
            6 => 0x007e_7e7e_7e7e_7e00,
            8 => !0,
            _ => {
                return Err(UnsupportedSize {
                    game: Othello::NAME,
                    width: size.into(),
                    height: size.into(),
                    reason: "a board is 4×4, 6×6 or 8×8",
                });
            }
        };
        Ok(Othello { size, board, scoring })
    }

    pub fn size(&self) -> usize {
        usize::from(self.size)
    }

    /// The bit of a column and a row, both from 0; row 0 is the one that is printed last.
    pub(super) fn bit_idx(&self, column: usize, row: usize) -> usize {
        let margin = (8 - self.size()) / 2;
        (row + margin) * 8 + column + margin
    }

    /// Column and row of a bit.
    pub(super) fn column_and_row(&self, bit_idx: usize) -> (usize, usize) {
        let margin = (8 - self.size()) / 2;
        (bit_idx % 8 - margin, bit_idx / 8 - margin)
    }

    pub(super) fn board(&self) -> u64 {
        self.board
    }

    /// Where the seat to move can place a disc.
    #[inline]
    pub(super) fn open(&self, state: &State) -> u64 {
        moves(state.own(), state.other(), self.board)
    }

    /// Where its opponent could, if it were to move.
    #[inline]
    pub(super) fn open_to_other(&self, state: &State) -> u64 {
        moves(state.other(), state.own(), self.board)
    }
}

/// The squares of a set, lowest bit first.
struct Squares(u64);

impl Iterator for Squares {
    type Item = Action;

    #[inline]
    fn next(&mut self) -> Option<Action> {
        let square = self.0.trailing_zeros();
        (square < 64).then(|| {
            self.0 &= self.0 - 1;
            Action(square as u8)
        })
    }
}

impl Rules for Othello {
    /// There is one beginning.
    type Setup = ();
    type State = State;
    type Action = Action;
    /// The discs that were turned over.
    type Undo = u64;

    const NAME: &'static str = "othello";

    fn deal(&self, _: &mut Stream) {}

    /// Black on the two squares of the rising diagonal.
    fn initial(&self, (): &()) -> State {
        State { discs: [1 << 36 | 1 << 27, 1 << 35 | 1 << 28], to_move: Seat::FIRST }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if self.open(state) == 0 && self.open_to_other(state) == 0 {
            return Turn::Over;
        }
        Turn::Seat(state.to_move)
    }

    #[inline]
    fn actions(&self, state: &State, sink: &mut impl ActionSink<Action>) -> ControlFlow<()> {
        let open = self.open(state);
        if open != 0 {
            return sink.push_set(open.count_ones() as usize, Squares(open));
        }
        if self.open_to_other(state) != 0 {
            return sink.push(Action::PASS);
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn apply(&self, state: &mut State, action: Action) -> u64 {
        debug_assert!(self.is_possible(state, action), "{action:?} in {state:?}");
        let (seat, other) = (state.to_move.idx(), state.to_move.other().idx());
        state.to_move = state.to_move.other();
        if action.is_pass() {
            return 0;
        }
        let placed = 1 << action.0;
        let turned = flips(placed, state.discs[seat], state.discs[other]);
        state.discs[seat] ^= placed | turned;
        state.discs[other] ^= turned;
        turned
    }

    #[inline]
    fn after<T>(&self, state: &mut State, action: Action, look: impl FnOnce(&mut State) -> T) -> T {
        let mut next = *state;
        self.apply(&mut next, action);
        look(&mut next)
    }

    #[inline]
    fn undo(&self, state: &mut State, action: Action, turned: u64) {
        state.to_move = state.to_move.other();
        if action.is_pass() {
            return;
        }
        let (seat, other) = (state.to_move.idx(), state.to_move.other().idx());
        state.discs[seat] ^= 1 << action.0 | turned;
        state.discs[other] ^= turned;
    }

    fn ending(&self, state: &State) -> Option<Ending> {
        if self.turn(state) != Turn::Over {
            return None;
        }
        let [black, white] = Seat::BOTH.map(|seat| f64::from(state.n_discs(seat)));
        let margin = black - white;
        let score = match self.scoring {
            Scoring::Margin => margin,
            Scoring::Won if margin == 0.0 => 0.0,
            Scoring::Won => margin.signum(),
        };
        Some(Ending::Scored(Utility::new(&[score, -score])))
    }

    fn validate(&self, state: &State) -> Result<(), InvalidState> {
        let [black, white] = state.discs;
        if black & white != 0 {
            return Err(InvalidState("two discs lie on one square".to_owned()));
        }
        if (black | white) & !self.board != 0 {
            return Err(InvalidState("a disc lies beside the board".to_owned()));
        }
        // A square once taken stays taken, and the first four were taken before the first ply.
        let missing = 0x0000_0018_1800_0000 & !(black | white);
        if missing != 0 {
            let (column, row) = self.column_and_row(missing.trailing_zeros() as usize);
            let square = cell_text(column, row);
            return Err(InvalidState(format!("no disc lies on {square}, one of the middle four")));
        }
        Ok(())
    }

    fn is_possible(&self, state: &State, action: Action) -> bool {
        let open = self.open(state);
        match action {
            Action::PASS => open == 0 && self.open_to_other(state) != 0,
            Action(square) => square < 64 && open >> square & 1 == 1,
        }
    }
}

impl Chance for Othello {
    fn outcomes(&self, _: &State, _: &mut impl FnMut(Action, u32)) {}
}

impl TwoPlayerZeroSum for Othello {}

const SALT: u64 = 0x6f74_6865_6c6c_6f21;

impl Keyed for Othello {
    /// Mixed from the two sets of discs at once; the side to move says which comes first.
    #[inline]
    fn key(&self, state: &State) -> u64 {
        key_number(key_number(SALT ^ state.to_move.idx() as u64, state.own()), state.other())
    }

    fn key_from_scratch(&self, state: &State) -> u64 {
        let [black, white] = state.discs;
        match state.to_move {
            Seat::FIRST => key_number(key_number(SALT, black), white),
            _ => key_number(key_number(SALT ^ 1, white), black),
        }
    }
}

impl Othello {
    /// Bit 0 mirrors columns and rows along the falling diagonal, bit 1 along the rising one.
    fn turned_bit(symmetry: usize, bit_idx: usize) -> usize {
        let (mut column, mut row) = (bit_idx % 8, bit_idx / 8);
        if symmetry & 1 != 0 {
            (column, row) = (row, column);
        }
        if symmetry & 2 != 0 {
            (column, row) = (7 - row, 7 - column);
        }
        row * 8 + column
    }
}

impl Symmetric for Othello {
    /// The four that keep the beginning as it is.
    fn n_symmetries(&self) -> usize {
        4
    }

    fn turned_state(&self, symmetry: usize, state: &State) -> State {
        let turned = |discs: u64| {
            Squares(discs)
                .fold(0, |bits, square| bits | 1 << Othello::turned_bit(symmetry, square.0.into()))
        };
        State { discs: state.discs.map(turned), ..*state }
    }

    fn turned_action(&self, symmetry: usize, action: Action) -> Action {
        match action {
            Action::PASS => action,
            Action(bit) => Action(Othello::turned_bit(symmetry, bit.into()) as u8),
        }
    }
}
