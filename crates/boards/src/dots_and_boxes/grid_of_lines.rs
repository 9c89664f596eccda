//! Lines between neighbouring dots, and the boxes they bound.

/// A line by its number: horizontal lines first, row by row from below, then vertical ones, row by row from below.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Line(pub u8);

impl Line {
    #[inline]
    pub(super) fn bit(self) -> u128 {
        1 << self.0
    }
}

/// The numbers of lines for so many columns and rows of boxes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct GridOfLines {
    pub columns: usize,
    pub rows: usize,
}

impl GridOfLines {
    pub fn n_lines(self) -> usize {
        (self.rows + 1) * self.columns + self.rows * (self.columns + 1)
    }

    fn n_horizontal(self) -> usize {
        (self.rows + 1) * self.columns
    }

    /// From dot (`column`, `row`) to the right.
    pub fn horizontal(self, column: usize, row: usize) -> Line {
        Line((row * self.columns + column) as u8)
    }

    /// From dot (`column`, `row`) upwards.
    pub fn vertical(self, column: usize, row: usize) -> Line {
        Line((self.n_horizontal() + row * (self.columns + 1) + column) as u8)
    }

    /// The two dots of a line, the left or lower one first, as column and row.
    pub fn dots(self, line: Line) -> [(usize, usize); 2] {
        let idx = usize::from(line.0);
        match idx.checked_sub(self.n_horizontal()) {
            None => {
                let (column, row) = (idx % self.columns, idx / self.columns);
                [(column, row), (column + 1, row)]
            }
            Some(idx) => {
                let (column, row) = (idx % (self.columns + 1), idx / (self.columns + 1));
                [(column, row), (column, row + 1)]
            }
        }
    }

    /// The line between two dots, in either order.
    pub fn line_between(self, a: (usize, usize), b: (usize, usize)) -> Option<Line> {
        let (from, to) = (a.min(b), a.max(b));
        if to == (from.0 + 1, from.1) {
            Some(self.horizontal(from.0, from.1))
        } else if to == (from.0, from.1 + 1) {
            Some(self.vertical(from.0, from.1))
        } else {
            None
        }
    }

    /// The four lines round a box, which is named by its lower left dot.
    pub fn around(self, column: usize, row: usize) -> u128 {
        self.horizontal(column, row).bit()
            | self.horizontal(column, row + 1).bit()
            | self.vertical(column, row).bit()
            | self.vertical(column + 1, row).bit()
    }

    /// How many boxes that `line` bounds are complete in `drawn`.
    #[inline]
    pub fn n_completed_at(self, line: Line, drawn: u128) -> u8 {
        let [(column, row), (to_column, _)] = self.dots(line);
        let is_horizontal = to_column > column;
        let is_complete = |column: usize, row: usize| {
            let around = self.around(column, row);
            u8::from(around & drawn == around)
        };
        let mut n_completed = 0;
        if is_horizontal && row > 0 {
            n_completed += is_complete(column, row - 1);
        }
        if is_horizontal && row < self.rows {
            n_completed += is_complete(column, row);
        }
        if !is_horizontal && column > 0 {
            n_completed += is_complete(column - 1, row);
        }
        if !is_horizontal && column < self.columns {
            n_completed += is_complete(column, row);
        }
        n_completed
    }

    /// All boxes that are complete in `drawn`.
    pub fn n_completed(self, drawn: u128) -> usize {
        let boxes = (0..self.rows).flat_map(|row| (0..self.columns).map(move |c| (c, row)));
        boxes
            .map(|(column, row)| self.around(column, row))
            .filter(|around| around & drawn == *around)
            .count()
    }
}
