//! Network input, written from what a seat may know now and from nothing else.

use crate::Hidden;

/// The shape of one input row: `planes` maps over a `height` × `width` grid, then `globals` single numbers, all
/// f32 in that order (plane-major, row-major).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FeatureLayout {
    pub planes: usize,
    pub height: usize,
    pub width: usize,
    pub globals: usize,
}

impl FeatureLayout {
    pub const fn spatial_len(&self) -> usize {
        self.planes * self.height * self.width
    }

    pub const fn row_len(&self) -> usize {
        self.spatial_len() + self.globals
    }
}

pub trait Encode: Hidden {
    fn feature_layout(&self) -> FeatureLayout;

    /// Overwrites `out` (`row_len` numbers) with the features of the observer's present knowledge, seen from the
    /// observer's side of the board.
    fn write_features(&self, now: &Self::Now, out: &mut [f32]);

    /// Which grid cells exist on the board (row-major, `height` × `width`): the mask of the convolution.
    fn cell_mask(&self) -> Vec<bool>;

    /// One line per plane and per global: its name and unit. Part of the fingerprint.
    fn feature_spec(&self) -> String;
}
