//! Lines by their two dots, positions as rows of lines.

use super::grid_of_lines::Line;
use super::rules::{DotsAndBoxes, State};
use crate::grid::{
    cell_text, error, nothing_more, parse_cell, parse_number, parse_side, side_letter, split_cells,
};
use game::{Notation, NotationError, Rules};

/// First and second player, as positions name the side to move.
const SIDES: [char; 2] = ['1', '2'];
const UNDRAWN: char = '.';
const EMPTY_SETUP: &str = "empty";

impl DotsAndBoxes {
    /// The lines of each row of a position's text, from the top, with the character of a drawn one.
    fn text_rows(&self) -> Vec<(char, Vec<Line>)> {
        let (lines, columns, rows) = (self.lines, self.columns(), self.rows());
        let horizontal = |row| (0..columns).map(move |column| lines.horizontal(column, row));
        let vertical = |row| (0..=columns).map(move |column| lines.vertical(column, row));
        let mut text_rows = vec![('-', horizontal(rows).collect())];
        for row in (0..rows).rev() {
            text_rows.push(('|', vertical(row).collect()));
            text_rows.push(('-', horizontal(row).collect()));
        }
        text_rows
    }
}

impl Notation for DotsAndBoxes {
    /// The two dots of the line, the left or lower one first: `a1b1`.
    fn action_text(&self, line: Line) -> String {
        let [from, to] = self.lines.dots(line);
        cell_text(from.0, from.1) + &cell_text(to.0, to.1)
    }

    fn parse_action(&self, text: &str) -> Result<Line, NotationError> {
        let dot = |name: &str| {
            parse_cell(name, self.columns() + 1, self.rows() + 1).ok_or_else(|| {
                let last = cell_text(self.columns(), self.rows());
                error("action", text, format!("{name:?} is no dot: they go from a1 to {last}"))
            })
        };
        match split_cells(text)[..] {
            [from, to] => self.lines.line_between(dot(from)?, dot(to)?).ok_or_else(|| {
                error("action", text, format!("{from} and {to} are not next to each other"))
            }),
            _ => Err(error("action", text, "a line is two dots, as in a1b1")),
        }
    }

    fn setup_text(&self, (): &()) -> String {
        EMPTY_SETUP.to_owned()
    }

    fn parse_setup(&self, text: &str) -> Result<(), NotationError> {
        match text {
            EMPTY_SETUP => Ok(()),
            _ => Err(error("set-up", text, "the only one is \"empty\"")),
        }
    }

    /// Rows of horizontal (`-`) and vertical (`|`) lines from the top, `.` for a line not drawn; the side to move, 1
    /// or 2; the boxes of both.
    fn position_text(&self, state: &State) -> String {
        let row_text = |(letter, lines): (char, Vec<Line>)| -> String {
            lines
                .into_iter()
                .map(|line| if state.is_drawn(line) { letter } else { UNDRAWN })
                .collect()
        };
        let rows: Vec<String> = self.text_rows().into_iter().map(row_text).collect();
        let [first, second] = state.boxes;
        format!("{} {} {first} {second}", rows.join("/"), side_letter(SIDES, state.to_move))
    }

    fn parse_position(&self, text: &str) -> Result<State, NotationError> {
        let fail = |reason: String| error("position", text, reason);
        let mut fields = text.split_whitespace();
        let drawn = self.read_lines(fields.next().unwrap_or_default()).map_err(fail)?;
        let to_move = parse_side(fields.next(), SIDES).map_err(fail)?;
        let first = parse_number(fields.next(), "the first player's number of boxes");
        let second = parse_number(fields.next(), "the second player's number of boxes");
        nothing_more(fields).map_err(fail)?;
        let boxes = [first.map_err(fail)?, second.map_err(fail)?];
        let state = State { drawn, boxes, to_move };
        self.validate(&state).map_err(|invalid| fail(invalid.0))?;
        Ok(state)
    }
}

impl DotsAndBoxes {
    fn read_lines(&self, text: &str) -> Result<u128, String> {
        let (expected, given) = (self.text_rows(), text.split('/').collect::<Vec<_>>());
        if given.len() != expected.len() {
            let (n_given, n_expected) = (given.len(), expected.len());
            return Err(format!("there are {n_given} rows of lines instead of {n_expected}"));
        }
        let mut drawn = 0;
        for ((letter, lines), row) in expected.into_iter().zip(given) {
            let n_given = row.chars().count();
            if n_given != lines.len() {
                return Err(format!("{row:?} has {n_given} lines instead of {}", lines.len()));
            }
            for (line, given) in lines.into_iter().zip(row.chars()) {
                if given == letter {
                    drawn |= line.bit();
                } else if given != UNDRAWN {
                    let name = self.action_text(line);
                    return Err(format!("line {name} is {letter:?} or '.', not {given:?}"));
                }
            }
        }
        Ok(drawn)
    }
}
