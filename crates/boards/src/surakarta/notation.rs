//! Positions as rows of letters, moves as two points.

use super::circuit::{Point, SIDE};
use super::rules::{Action, State, Surakarta};
use crate::grid::{
    board_text, error, nothing_more, parse_cell, parse_number, parse_side, read_board, side_letter,
    split_cells,
};
use game::{Notation, NotationError, Rules};

/// The first side's stones and turn, the second side's.
const SIDES: [char; 2] = ['b', 'w'];
const STANDARD_SETUP: &str = "standard";

impl Notation for Surakarta {
    /// From and to: `c2d3`.
    fn action_text(&self, action: Action) -> String {
        format!("{}{}", action.from, action.to)
    }

    fn parse_action(&self, text: &str) -> Result<Action, NotationError> {
        let point = |name: &str| match parse_cell(name, SIDE, SIDE) {
            Some((column, row)) => Ok(Point::new(column, row)),
            None => {
                let reason = format!("{name:?} is no point: they go from a1 to f6");
                Err(error("action", text, reason))
            }
        };
        match split_cells(text)[..] {
            [from, to] => Ok(Action { from: point(from)?, to: point(to)? }),
            _ => Err(error("action", text, "a move is two points, as in c2d3")),
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

    /// The board, the side to move (`b` begins) and the plies without a capture.
    fn position_text(&self, state: &State) -> String {
        let letter = |column, row| {
            state.stone_at(Point::new(column, row)).map(|seat| side_letter(SIDES, seat))
        };
        let board = board_text(SIDE, SIDE, letter);
        let side = side_letter(SIDES, state.to_move);
        format!("{board} {side} {}", state.plies_without_capture)
    }

    /// The number may be missing: 0.
    fn parse_position(&self, text: &str) -> Result<State, NotationError> {
        let fail = |reason: String| error("position", text, reason);
        let mut fields = text.split_whitespace();
        let mut stones = [0, 0];
        let put = |column, row, letter| {
            let point = Point::new(column, row);
            let seat = SIDES
                .iter()
                .position(|side| *side == letter)
                .ok_or_else(|| format!("{letter:?} on {point} is no stone: they are b and w"))?;
            stones[seat] |= point.bit();
            Ok(())
        };
        read_board(fields.next().unwrap_or_default(), SIDE, SIDE, put).map_err(fail)?;
        let to_move = parse_side(fields.next(), SIDES).map_err(fail)?;
        let plies_without_capture = match fields.next() {
            None => 0,
            field => parse_number(field, "the number of plies without a capture").map_err(fail)?,
        };
        nothing_more(fields).map_err(fail)?;
        let state = State { stones, to_move, plies_without_capture };
        self.validate(&state).map_err(|invalid| fail(invalid.0))?;
        Ok(state)
    }
}
