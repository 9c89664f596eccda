//! Columns as letters, positions as rows of discs.

use super::rules::ConnectFour;
use super::state::{Column, State};
use crate::grid::{board_text, cell_text, error, nothing_more, parse_side, read_board};
use game::{Notation, NotationError, Rules, Seat};

const LETTERS: [char; 2] = ['x', 'o'];
const STANDARD_SETUP: &str = "standard";

impl Notation for ConnectFour {
    /// The letter of a column, from `a` on the left.
    fn action_text(&self, column: Column) -> String {
        char::from(b'a' + column.0).to_string()
    }

    fn parse_action(&self, text: &str) -> Result<Column, NotationError> {
        let column = match text.as_bytes() {
            [letter @ b'a'..=b'z'] => usize::from(letter - b'a'),
            _ => self.columns(),
        };
        if column >= self.columns() {
            let last = self.action_text(Column(self.columns() as u8 - 1));
            return Err(error("action", text, format!("a column is a letter from a to {last}")));
        }
        Ok(Column(column as u8))
    }

    fn setup_text(&self, (): &()) -> String {
        STANDARD_SETUP.to_owned()
    }

    fn parse_setup(&self, text: &str) -> Result<(), NotationError> {
        match text {
            STANDARD_SETUP => Ok(()),
            _ => Err(error("set-up", text, "the only one is \"standard\"")),
        }
    }

    /// Rows from the top, `x` for the first seat, numbers for empty places; the side to move.
    fn position_text(&self, state: &State) -> String {
        let letter = |column, row| {
            let bit = self.bit(column, row);
            let of = |seat: &Seat| state.discs[seat.idx()] & bit != 0;
            Seat::BOTH.into_iter().find(of).map(|seat| LETTERS[seat.idx()])
        };
        let board = board_text(self.columns(), self.rows(), letter);
        format!("{board} {}", LETTERS[state.to_move.idx()])
    }

    fn parse_position(&self, text: &str) -> Result<State, NotationError> {
        let fail = |reason: String| error("position", text, reason);
        let mut fields = text.split_whitespace();
        let mut discs = [0, 0];
        let put = |column: usize, row: usize, letter: char| {
            let seat = LETTERS.iter().position(|known| *known == letter).ok_or_else(|| {
                format!("{letter:?} on {} is no disc (x or o)", cell_text(column, row))
            })?;
            discs[seat] |= self.bit(column, row);
            Ok(())
        };
        let board = fields.next().unwrap_or_default();
        read_board(board, self.columns(), self.rows(), put).map_err(fail)?;
        let to_move = parse_side(fields.next(), LETTERS).map_err(fail)?;
        nothing_more(fields).map_err(fail)?;
        let state = State { discs, to_move };
        self.validate(&state).map_err(|invalid| fail(invalid.0))?;
        Ok(state)
    }
}
