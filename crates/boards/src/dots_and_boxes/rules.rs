//! The rules as a value with its parameters.

use super::grid_of_lines::{GridOfLines, Line};
use crate::keys::key_number;
use crate::size::UnsupportedSize;
use game::{ActionSink, Chance, Ending, InvalidState, Rules, Seat, Stream, Turn, Utility};
use std::ops::ControlFlow;

/// What a finished game is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Scoring {
    /// ±1 for more boxes than the opponent, 0 for as many.
    #[default]
    MoreBoxesWin,
    /// The own boxes minus the opponent's.
    Margin,
}

/// Dots and boxes on a rectangle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DotsAndBoxes {
    pub(super) lines: GridOfLines,
    scoring: Scoring,
}

impl DotsAndBoxes {
    /// So many columns and rows of boxes, at least one each and at most 128 lines in all.
    pub fn new(columns: usize, rows: usize) -> Result<DotsAndBoxes, UnsupportedSize> {
        let lines = GridOfLines { columns, rows };
        let is_supported =
            (1..=64).contains(&columns) && (1..=64).contains(&rows) && lines.n_lines() <= 128;
        if !is_supported {
            return Err(UnsupportedSize {
                game: DotsAndBoxes::NAME,
                width: columns,
                height: rows,
                reason: "there must be at least one box and at most 128 lines",
            });
        }
        Ok(DotsAndBoxes { lines, scoring: Scoring::default() })
    }

    pub fn with_scoring(self, scoring: Scoring) -> DotsAndBoxes {
        DotsAndBoxes { scoring, ..self }
    }

    pub fn columns(&self) -> usize {
        self.lines.columns
    }

    pub fn rows(&self) -> usize {
        self.lines.rows
    }

    pub fn n_lines(&self) -> usize {
        self.lines.n_lines()
    }

    fn all_lines(&self) -> u128 {
        u128::MAX >> (128 - self.n_lines())
    }

    /// A number for lines, boxes and the side to move.
    pub fn key(&self, state: &State) -> u64 {
        const SALT: u64 = 0x646f_7473;
        let mut key = key_number(SALT, state.to_move.idx() as u64);
        key ^= key_number(SALT, 2 + u64::from(state.boxes[0]));
        key ^= key_number(SALT, 0x100 + u64::from(state.boxes[1]));
        let mut left = state.drawn;
        while left != 0 {
            key ^= key_number(SALT, 0x200 + u64::from(left.trailing_zeros()));
            left &= left - 1;
        }
        key
    }
}

/// Five by five boxes, as tournaments play it: 25 boxes, so that nobody can tie.
impl Default for DotsAndBoxes {
    fn default() -> DotsAndBoxes {
        DotsAndBoxes { lines: GridOfLines { columns: 5, rows: 5 }, scoring: Scoring::MoreBoxesWin }
    }
}

/// Which lines are drawn, how many boxes each seat owns, who draws next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    pub(super) drawn: u128,
    pub(super) boxes: [u8; 2],
    pub(super) to_move: Seat,
}

impl State {
    pub fn is_drawn(&self, line: Line) -> bool {
        self.drawn & line.bit() != 0
    }

    /// The drawn lines as a set: bit n is line n.
    pub fn drawn(&self) -> u128 {
        self.drawn
    }

    pub fn boxes(&self, seat: Seat) -> u8 {
        self.boxes[seat.idx()]
    }

    pub fn to_move(&self) -> Seat {
        self.to_move
    }
}

/// How many boxes the line completed.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    n_completed: u8,
}

impl Rules for DotsAndBoxes {
    type Setup = ();
    type State = State;
    type Action = Line;
    type Undo = Undo;

    const NAME: &'static str = "dots-and-boxes";

    fn deal(&self, _: &mut Stream) {}

    fn initial(&self, (): &()) -> State {
        State { drawn: 0, boxes: [0, 0], to_move: Seat::FIRST }
    }

    fn turn(&self, state: &State) -> Turn {
        if state.drawn == self.all_lines() { Turn::Over } else { Turn::Seat(state.to_move) }
    }

    fn actions(&self, state: &State, sink: &mut impl ActionSink<Line>) -> ControlFlow<()> {
        let open = self.all_lines() & !state.drawn;
        let lines = (0..self.n_lines() as u8).map(Line).filter(|line| open & line.bit() != 0);
        sink.push_set(open.count_ones() as usize, lines)
    }

    fn apply(&self, state: &mut State, line: Line) -> Undo {
        debug_assert!(self.is_possible(state, line), "{line:?} in {state:?}");
        state.drawn |= line.bit();
        let n_completed = self.lines.n_completed_at(line, state.drawn);
        if n_completed == 0 {
            state.to_move = state.to_move.other();
        } else {
            state.boxes[state.to_move.idx()] += n_completed;
        }
        Undo { n_completed }
    }

    fn undo(&self, state: &mut State, line: Line, undo: Undo) {
        state.drawn &= !line.bit();
        if undo.n_completed == 0 {
            state.to_move = state.to_move.other();
        } else {
            state.boxes[state.to_move.idx()] -= undo.n_completed;
        }
    }

    fn ending(&self, state: &State) -> Option<Ending> {
        if self.turn(state) != Turn::Over {
            return None;
        }
        let margin = f64::from(state.boxes[0]) - f64::from(state.boxes[1]);
        let first = match self.scoring {
            Scoring::Margin => margin,
            Scoring::MoreBoxesWin if margin == 0.0 => 0.0,
            Scoring::MoreBoxesWin => margin.signum(),
        };
        Some(Ending::Scored(Utility::new(&[first, -first])))
    }

    fn validate(&self, state: &State) -> Result<(), InvalidState> {
        if state.drawn & !self.all_lines() != 0 {
            return Err(InvalidState("a line is drawn that the board does not have".to_owned()));
        }
        let n_completed = self.lines.n_completed(state.drawn);
        let n_owned = usize::from(state.boxes[0]) + usize::from(state.boxes[1]);
        if n_completed != n_owned {
            return Err(InvalidState(format!(
                "{n_completed} boxes are complete, and the players own {n_owned}"
            )));
        }
        Ok(())
    }

    fn is_possible(&self, state: &State, line: Line) -> bool {
        usize::from(line.0) < self.n_lines() && !state.is_drawn(line)
    }
}

impl Chance for DotsAndBoxes {
    fn outcomes(&self, _: &State, _: &mut impl FnMut(Line, u32)) {}
}
