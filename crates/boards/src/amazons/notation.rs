//! Positions as rows of letters, turns as three squares.

use super::queen_lines::{Square, Squares};
use super::rules::{Action, Amazons, State};
use crate::grid::{
    board_text, cell_text, error, nothing_more, parse_cell, parse_side, read_board, side_letter,
    split_cells,
};
use game::{Notation, NotationError, Rules, Seat};

/// The letters of the side to move; its amazons are the same in upper case for the first side.
const SIDES: [char; 2] = ['w', 'b'];
const AMAZONS: [char; 2] = ['W', 'b'];
const ARROW: char = 'x';
const STANDARD_SETUP: &str = "standard";

fn text_of(square: Square) -> String {
    cell_text(square.column(), square.row())
}

impl Notation for Amazons {
    /// From, to, arrow: `d1d7g7`.
    fn action_text(&self, action: Action) -> String {
        [action.from, action.to, action.arrow].map(text_of).concat()
    }

    fn parse_action(&self, text: &str) -> Result<Action, NotationError> {
        let square = |name: &str| match parse_cell(name, self.size(), self.size()) {
            Some((column, row)) => Ok(Square::new(column, row)),
            None => {
                let last = cell_text(self.size() - 1, self.size() - 1);
                let reason = format!("{name:?} is no square: they go from a1 to {last}");
                Err(error("action", text, reason))
            }
        };
        match split_cells(text)[..] {
            [from, to, arrow] => {
                Ok(Action { from: square(from)?, to: square(to)?, arrow: square(arrow)? })
            }
            _ => Err(error("action", text, "a turn is three squares, as in d1d7g7")),
        }
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

    /// The board (`W` and `b` amazons, `x` arrows) and the side to move, `w` or `b`.
    fn position_text(&self, state: &State) -> String {
        let letter = |column, row| {
            let square = Square::new(column, row);
            match Seat::BOTH.into_iter().find(|seat| state.amazons(*seat).contains(square)) {
                Some(seat) => Some(AMAZONS[seat.idx()]),
                None => state.arrows.contains(square).then_some(ARROW),
            }
        };
        let board = board_text(self.size(), self.size(), letter);
        format!("{board} {}", side_letter(SIDES, state.to_move))
    }

    fn parse_position(&self, text: &str) -> Result<State, NotationError> {
        let fail = |reason: String| error("position", text, reason);
        let mut fields = text.split_whitespace();
        let (mut amazons, mut arrows) = ([Squares::NONE; 2], Squares::NONE);
        let board = fields.next().unwrap_or_default();
        let put = |column, row, letter| {
            let square = Square::new(column, row);
            let set = match letter {
                'W' => &mut amazons[0],
                'b' => &mut amazons[1],
                ARROW => &mut arrows,
                _ => return Err(format!("{letter:?} on {square:?} is none of W, b and x")),
            };
            *set = *set | Squares::of(square);
            Ok(())
        };
        read_board(board, self.size(), self.size(), put).map_err(fail)?;
        let to_move = parse_side(fields.next(), SIDES).map_err(fail)?;
        nothing_more(fields).map_err(fail)?;
        let state = State { amazons, arrows, to_move };
        self.validate(&state).map_err(|invalid| fail(invalid.0))?;
        Ok(state)
    }
}
