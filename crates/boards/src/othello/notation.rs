//! Squares as `d3`, positions as rows of discs.

use super::rules::Othello;
use super::state::{Action, State};
use crate::grid::{board_text, cell_text, error, nothing_more, parse_cell, parse_side, read_board};
use game::{Notation, NotationError, Rules, Seat};

const LETTERS: [char; 2] = ['x', 'o'];
const PASS: &str = "pass";
const STANDARD_SETUP: &str = "standard";

impl Notation for Othello {
    /// A column letter and a row number from the bottom, or `pass`.
    fn action_text(&self, action: Action) -> String {
        if action.is_pass() {
            return PASS.to_owned();
        }
        let (column, row) = self.column_and_row(action.0.into());
        cell_text(column, row)
    }

    fn parse_action(&self, text: &str) -> Result<Action, NotationError> {
        if text == PASS {
            return Ok(Action::PASS);
        }
        let cell = parse_cell(text, self.size(), self.size());
        let (column, row) = cell.ok_or_else(|| {
            let corner = cell_text(self.size() - 1, self.size() - 1);
            error("action", text, format!("a square is between a1 and {corner}; or pass"))
        })?;
        Ok(Action(self.bit_idx(column, row) as u8))
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

    /// Rows from the top, `x` for black, who begins, numbers for empty squares; the side to move.
    fn position_text(&self, state: &State) -> String {
        let letter = |column, row| {
            let bit = self.bit_idx(column, row);
            let of = |seat: &Seat| state.discs[seat.idx()] >> bit & 1 == 1;
            Seat::BOTH.into_iter().find(of).map(|seat| LETTERS[seat.idx()])
        };
        let board = board_text(self.size(), self.size(), letter);
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
            discs[seat] |= 1 << self.bit_idx(column, row);
            Ok(())
        };
        let board = fields.next().unwrap_or_default();
        read_board(board, self.size(), self.size(), put).map_err(fail)?;
        let to_move = parse_side(fields.next(), LETTERS).map_err(fail)?;
        nothing_more(fields).map_err(fail)?;
        let state = State { discs, to_move };
        self.validate(&state).map_err(|invalid| fail(invalid.0))?;
        Ok(state)
    }
}
