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

    /// 1 on the board, 0 off it; row-major.
    pub fn cell_mask(&self) -> Vec<f32> {
        self.board.chars().map(|cell| if cell == '#' { 1.0 } else { 0.0 }).collect()
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
    /// The 3 × 3 mask, row-major.
    pub fn mask(self) -> [f32; 9] {
        let mut mask = [1.0; 9];
        match self {
            Kernel::Square => {}
            Kernel::HexRising => {
                mask[0] = 0.0;
                mask[8] = 0.0;
            }
            Kernel::HexFalling => {
                mask[2] = 0.0;
                mask[6] = 0.0;
            }
        }
        mask
    }
}
