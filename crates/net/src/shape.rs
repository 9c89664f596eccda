//! What a network must fit: a game's input row, its policy head, and the cells of its board.

use game::{ActionSpace, Encode, FeatureLayout, PolicyLayout};
use serde::{Deserialize, Serialize};

/// The sizes a network is built from, as checkpoint headers carry them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkShape {
    pub height: usize,
    pub width: usize,
    pub feature_planes: usize,
    pub feature_globals: usize,
    pub policy_planes: usize,
    pub policy_flat: usize,
    /// One character a grid cell, row-major: `#` on the board, `.` off it.
    pub board: String,
}

/// Which of the nine cells around a cell count as neighbours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kernel {
    /// All nine: a board of squares.
    Square,
    /// Without the upper left and the lower right cell: axial hex coordinates, in which those two are two steps
    /// away.
    HexRising,
    /// Without the upper right and the lower left cell: the mirrored axial coordinates.
    HexFalling,
}

/// A shape that no network has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("network shape is not usable: {0}")]
pub struct InvalidShape(pub String);

impl NetworkShape {
    pub fn of<G: Encode + ActionSpace>(rules: &G) -> NetworkShape {
        let features = rules.feature_layout();
        let policy = rules.policy_layout();
        NetworkShape {
            height: features.height,
            width: features.width,
            feature_planes: features.planes,
            feature_globals: features.globals,
            policy_planes: policy.planes,
            policy_flat: policy.flat,
            board: rules.cell_mask().iter().map(|cell| if *cell { '#' } else { '.' }).collect(),
        }
    }

    /// Checks what comes from outside, so that building a network cannot fail or ask for absurd memory.
    pub fn validate(&self) -> Result<(), InvalidShape> {
        let sizes = [
            ("height", self.height, 1..=64),
            ("width", self.width, 1..=64),
            ("feature_planes", self.feature_planes, 1..=4096),
            ("feature_globals", self.feature_globals, 1..=65_536),
            ("policy_planes", self.policy_planes, 0..=1024),
            ("policy_flat", self.policy_flat, 1..=16_384),
        ];
        for (name, size, range) in sizes {
            if !range.contains(&size) {
                return Err(InvalidShape(format!(
                    "{name} is {size}, expected {} to {}",
                    range.start(),
                    range.end()
                )));
            }
        }
        let cells = self.height * self.width;
        if self.board.len() != cells || self.board.chars().any(|cell| cell != '#' && cell != '.') {
            return Err(InvalidShape(format!("board needs {cells} characters # or .")));
        }
        if self.n_board_cells() == 0 {
            return Err(InvalidShape("board has no cell".to_owned()));
        }
        if self.n_actions() > usize::from(u16::MAX) + 1 {
            return Err(InvalidShape(format!("{} actions do not fit 16 bits", self.n_actions())));
        }
        Ok(())
    }

    pub fn n_cells(&self) -> usize {
        self.height * self.width
    }

    pub fn n_board_cells(&self) -> usize {
        self.board.chars().filter(|cell| *cell == '#').count()
    }

    pub fn spatial_len(&self) -> usize {
        self.feature_planes * self.n_cells()
    }

    pub fn row_len(&self) -> usize {
        self.spatial_len() + self.feature_globals
    }

    pub fn n_actions(&self) -> usize {
        self.policy_planes * self.n_cells() + self.policy_flat
    }

    /// The grid cells on the board, ascending. Their order is the order of board cells everywhere.
    pub fn board_cells(&self) -> Vec<usize> {
        (0..self.n_cells()).filter(|cell| self.board.as_bytes()[*cell] == b'#').collect()
    }

    /// How many numbers a network's logits have for one row: actions off the board have none.
    pub fn n_logits(&self) -> usize {
        self.policy_planes * self.n_board_cells() + self.policy_flat
    }

    /// Where each action's logit stands.
    pub fn logit_places(&self) -> LogitPlaces {
        let mut places = vec![LogitPlaces::NONE; self.n_actions()];
        let n_grid_actions = self.policy_planes * self.n_cells();
        for (board_cell, cell) in self.board_cells().into_iter().enumerate() {
            for plane in 0..self.policy_planes {
                places[plane * self.n_cells() + cell] =
                    (board_cell * self.policy_planes + plane) as u32;
            }
        }
        let n_map_logits = self.policy_planes * self.n_board_cells();
        for flat in 0..self.policy_flat {
            places[n_grid_actions + flat] = (n_map_logits + flat) as u32;
        }
        LogitPlaces(places)
    }

    /// For each board cell the board cell at each tap of the kernel, itself first; `n_board_cells` where there
    /// is none.
    pub(crate) fn neighbours(&self) -> Vec<usize> {
        let cells = self.board_cells();
        let off_board = cells.len();
        let taps = self.kernel().taps();
        let at = |row: i32, column: i32| {
            let (height, width) = (self.height as i32, self.width as i32);
            if !(0..height).contains(&row) || !(0..width).contains(&column) {
                return off_board;
            }
            cells.binary_search(&((row * width + column) as usize)).unwrap_or(off_board)
        };
        let of_cell = |cell: &usize| {
            let (row, column) = ((cell / self.width) as i32, (cell % self.width) as i32);
            taps.iter().map(move |(d_row, d_column)| at(row + d_row, column + d_column))
        };
        cells.iter().flat_map(of_cell).collect()
    }

    /// Read from the board's own outline: a hex board in an axial grid leaves two opposite corners empty.
    pub fn kernel(&self) -> Kernel {
        let cells = self.board.as_bytes();
        let corner = |row: usize, column: usize| cells[row * self.width + column] == b'#';
        let (bottom, right) = (self.height - 1, self.width - 1);
        let falling = corner(0, 0) || corner(bottom, right);
        let rising = corner(0, right) || corner(bottom, 0);
        match (falling, rising) {
            (false, true) => Kernel::HexRising,
            (true, false) => Kernel::HexFalling,
            _ => Kernel::Square,
        }
    }

    pub(crate) fn matches(&self, features: FeatureLayout, policy: PolicyLayout) -> bool {
        self.row_len() == features.row_len() && self.n_actions() == policy.n_actions()
    }
}

impl Kernel {
    /// Row and column steps to the cells that count, the cell itself first.
    pub fn taps(self) -> Vec<(i32, i32)> {
        let mut taps = vec![(0, 0), (0, 1), (1, 0), (0, -1), (-1, 0)];
        if self != Kernel::HexFalling {
            taps.extend([(-1, 1), (1, -1)]);
        }
        if self != Kernel::HexRising {
            taps.extend([(1, 1), (-1, -1)]);
        }
        taps
    }
}

/// The place of each action's logit in a row of logits: cell by cell, each with all its planes, then the flat
/// ones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogitPlaces(Vec<u32>);

impl LogitPlaces {
    const NONE: u32 = u32::MAX;

    /// `None` for an index that is no action, or an action of a cell off the board.
    pub fn place(&self, action: u16) -> Option<usize> {
        self.0
            .get(usize::from(action))
            .filter(|place| **place != LogitPlaces::NONE)
            .map(|place| *place as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::golden_shape;

    #[test]
    fn a_hexagon_has_its_number_of_neighbours() {
        // Radius n has 3n² + 3n + 1 cells and 9n² + 3n edges between neighbours: 37 and 90 for n = 3.
        let shape = golden_shape();
        assert_eq!(shape.kernel(), Kernel::HexRising);
        let neighbours = shape.neighbours();
        assert_eq!(neighbours.len(), 37 * 7);
        let n_edges =
            neighbours.chunks(7).flat_map(|taps| &taps[1..]).filter(|cell| **cell < 37).count();
        assert_eq!(n_edges, 2 * 90);
        for (cell, taps) in neighbours.chunks(7).enumerate() {
            assert_eq!(taps[0], cell);
            for there in taps[1..].iter().filter(|there| **there < 37) {
                assert!(neighbours[there * 7 + 1..(there + 1) * 7].contains(&cell));
            }
        }
    }

    #[test]
    fn the_board_decides_which_corners_count() {
        let shape = |board: &str| NetworkShape {
            height: 3,
            width: 3,
            board: board.to_owned(),
            ..golden_shape()
        };
        assert_eq!(shape(".#######.").kernel(), Kernel::HexRising);
        assert_eq!(shape("##.####..").kernel(), Kernel::Square);
        assert_eq!(shape("##.###.##").kernel(), Kernel::HexFalling);
        assert_eq!(shape("#########").kernel(), Kernel::Square);
        assert_eq!(shape("#########").neighbours().len(), 81);
    }

    #[test]
    fn every_action_on_the_board_has_its_own_logit() {
        let shape = golden_shape();
        let places = shape.logit_places();
        let mut found: Vec<usize> =
            (0..=u16::MAX).filter_map(|action| places.place(action)).collect();
        found.sort_unstable();
        assert_eq!(found, (0..shape.n_logits()).collect::<Vec<_>>());
        assert_eq!(places.place(0), None);
        assert_eq!(places.place(3), Some(0));
        assert_eq!(places.place(49 + 3), Some(1));
        assert_eq!(places.place(98), Some(74));
    }

    #[test]
    fn sizes_from_outside_are_checked() {
        let good = golden_shape();
        good.validate().unwrap();
        let bad = [
            NetworkShape { height: 0, ..good.clone() },
            NetworkShape { feature_planes: usize::MAX, ..good.clone() },
            NetworkShape { policy_planes: 1024, policy_flat: 16_384, ..good.clone() },
            NetworkShape { board: "#".repeat(48), ..good.clone() },
            NetworkShape { board: ".".repeat(49), ..good.clone() },
            NetworkShape { board: "x".repeat(49), ..good.clone() },
        ];
        for shape in bad {
            assert!(shape.validate().is_err(), "{shape:?}");
        }
    }
}
