//! What rows in the making are worth.

use super::points::Points;
use super::rules::InARow;
use super::state::{Point, State};
use game::{STATIC_SCORE_MAX, SearchHints, StaticEvaluation};

/// The worth of a stretch as long as a winning row that holds so many stones of one side and none of the other; each
/// stone more is worth several stretches with one stone less, as an open row of three lies in up to three stretches
/// and a closed one in one.
const STRETCH: [i32; 4] = [0, 1, 4, 16];
/// One stone short of a row: a four in gomoku. An open four lies in two such stretches, of which only one can be
/// stopped.
const ONE_SHORT: i32 = 200;
/// Two short, an open three in gomoku.
const TWO_SHORT: i32 = 50;
/// A stretch that the seat to move completes with what it has left in its turn.
const COMPLETED_NOW: i32 = 20_000;

impl InARow {
    fn stretch_worth(&self, n_stones: usize) -> i32 {
        match self.in_a_row() - n_stones {
            _ if n_stones == 0 => 0,
            1 => ONE_SHORT,
            2 => TWO_SHORT,
            _ => STRETCH[n_stones.min(STRETCH.len() - 1)],
        }
    }

    /// The first seat's stretches less the second's, then whether the seat to move completes one.
    fn stretches(&self, state: &State) -> (i32, bool) {
        let (columns, rows) = (self.columns() as i32, self.rows() as i32);
        let last = self.in_a_row() as i32 - 1;
        let (mut worth, mut completes) = (0, false);
        for (right, up) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            for point in 0..self.n_points() {
                let (column, row) = (point as i32 % columns, point as i32 / columns);
                let (end_column, end_row) = (column + last * right, row + last * up);
                if end_column >= columns || !(0..rows).contains(&end_row) {
                    continue;
                }
                let step = (up * columns + right) as isize;
                let count = |stones: &Points| {
                    let at = |n: i32| (point as isize + n as isize * step) as usize;
                    (0..=last).filter(|n| stones.contains(at(*n))).count()
                };
                let counts = state.stones.each_ref().map(count);
                let (seat, n_stones) = match counts {
                    [n, 0] => (0, n),
                    [0, n] => (1, n),
                    _ => continue,
                };
                worth += self.stretch_worth(n_stones) * if seat == 0 { 1 } else { -1 };
                completes |= seat == state.to_move().idx()
                    && n_stones > 0
                    && n_stones + usize::from(state.left_in_turn()) >= self.in_a_row();
            }
        }
        (worth, completes)
    }
}

impl StaticEvaluation for InARow {
    fn static_score(&self, state: &State) -> i32 {
        let (first, completes) = self.stretches(state);
        let own = if state.to_move().idx() == 0 { first } else { -first };
        let score = own + if completes { COMPLETED_NOW } else { 0 };
        score.clamp(-STATIC_SCORE_MAX, STATIC_SCORE_MAX)
    }
}

impl SearchHints for InARow {
    /// Near other stones, and near the middle.
    fn promise(&self, state: &State, point: Point) -> i32 {
        let (columns, rows) = (self.columns() as i32, self.rows() as i32);
        let (column, row) = (point.idx() as i32 % columns, point.idx() as i32 / columns);
        let off_centre = (2 * column + 1 - columns).abs().max((2 * row + 1 - rows).abs());
        let occupied = state.occupied();
        let mut neighbours = 0;
        for near_row in (row - 1).max(0)..=(row + 1).min(rows - 1) {
            for near_column in (column - 1).max(0)..=(column + 1).min(columns - 1) {
                neighbours +=
                    i32::from(occupied.contains((near_row * columns + near_column) as usize));
            }
        }
        40 * neighbours - off_centre
    }
}
