//! A board turned or mirrored is the same game.

use super::points::Points;
use super::rules::{InARow, StoneOrder};
use super::state::{Point, State};
use game::{Keyed, Symmetric};

impl InARow {
    /// Bit 0 mirrors columns, bit 1 rows, bit 2 swaps both.
    fn turned_point(&self, symmetry: usize, point: usize) -> usize {
        let (mut column, mut row) = (point % self.columns(), point / self.columns());
        if symmetry & 1 != 0 {
            column = self.columns() - 1 - column;
        }
        if symmetry & 2 != 0 {
            row = self.rows() - 1 - row;
        }
        if symmetry & 4 != 0 {
            (column, row) = (row, column);
        }
        row * self.columns() + column
    }
}

impl Symmetric for InARow {
    /// Eight on a square board, four on another, one where the order of stones tells points apart.
    fn n_symmetries(&self) -> usize {
        match self.stone_order() {
            StoneOrder::Ascending => 1,
            StoneOrder::Any if self.columns() == self.rows() => 8,
            StoneOrder::Any => 4,
        }
    }

    fn turned_state(&self, symmetry: usize, state: &State) -> State {
        let turned = |stones: &Points| {
            let mut turned = Points::default();
            (0..self.n_points())
                .filter(|point| stones.contains(*point))
                .for_each(|point| turned.toggle(self.turned_point(symmetry, point)));
            turned
        };
        let mut state = State { stones: state.stones.each_ref().map(turned), ..*state };
        state.key = self.key_from_scratch(&state);
        state
    }

    fn turned_action(&self, symmetry: usize, point: Point) -> Point {
        Point(self.turned_point(symmetry, point.idx()) as u16)
    }
}
