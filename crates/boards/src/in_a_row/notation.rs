//! Points as `h8`, positions as rows of stones.

use super::rules::{InARow, StoneOrder};
use super::state::{Point, State};
use crate::grid::{board_text, cell_text, error, nothing_more, parse_cell, parse_side, read_board};
use game::{Notation, NotationError, Rules, Seat};

const LETTERS: [char; 2] = ['x', 'o'];
const STANDARD_SETUP: &str = "standard";

impl Notation for InARow {
    /// A column letter and a row number from the bottom: `a1`.
    fn action_text(&self, point: Point) -> String {
        cell_text(point.idx() % self.columns(), point.idx() / self.columns())
    }

    fn parse_action(&self, text: &str) -> Result<Point, NotationError> {
        let cell = parse_cell(text, self.columns(), self.rows());
        let (column, row) = cell.ok_or_else(|| {
            let corner = cell_text(self.columns() - 1, self.rows() - 1);
            error("action", text, format!("a point is between a1 and {corner}"))
        })?;
        Ok(Point((row * self.columns() + column) as u16))
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

    /// Rows from the top, `x` for the first seat, numbers for empty points; the side to move. Inside a turn whose
    /// stones have a fixed order, the lowest point that its next stone may take.
    fn position_text(&self, state: &State) -> String {
        let letter = |column, row| {
            let stone = state.stone_at(Point((row * self.columns() + column) as u16));
            stone.map(|seat| LETTERS[seat.idx()])
        };
        let board = board_text(self.columns(), self.rows(), letter);
        let text = format!("{board} {}", LETTERS[state.to_move().idx()]);
        match state.lowest {
            0 => text,
            lowest => format!("{text} {lowest}"),
        }
    }

    fn parse_position(&self, text: &str) -> Result<State, NotationError> {
        let fail = |reason: String| error("position", text, reason);
        let mut fields = text.split_whitespace();
        let mut state = self.start();
        let put = |column: usize, row: usize, letter: char| {
            let seat = match letter {
                'x' => Seat::FIRST,
                'o' => Seat::SECOND,
                _ => {
                    let cell = cell_text(column, row);
                    return Err(format!("{letter:?} on {cell} is no stone (x or o)"));
                }
            };
            state.stones[seat.idx()].toggle(row * self.columns() + column);
            state.n_stones += 1;
            Ok(())
        };
        let board = fields.next().unwrap_or_default();
        read_board(board, self.columns(), self.rows(), put).map_err(fail)?;
        let side = parse_side(fields.next(), LETTERS).map_err(fail)?;
        (state.to_move, state.left_in_turn) = self.turn_of_stone(state.n_stones());
        if side != state.to_move {
            let n_stones = state.n_stones;
            let expected = LETTERS[state.to_move.idx()];
            return Err(fail(format!("after {n_stones} stones {expected} is to move")));
        }
        if self.stone_order() == StoneOrder::Ascending
            && let Some(field) = fields.next()
        {
            let lowest = field.parse().ok().filter(|n| usize::from(*n) <= self.n_points());
            state.lowest = lowest.ok_or_else(|| fail(format!("{field:?} is no point's number")))?;
        }
        nothing_more(fields).map_err(fail)?;
        let winner = |seat: &Seat| self.has_row(&state.stones[seat.idx()]);
        state.winner = Seat::BOTH.into_iter().find(winner);
        state.key = game::Keyed::key_from_scratch(self, &state);
        self.validate(&state).map_err(|invalid| fail(invalid.0))?;
        Ok(state)
    }
}
