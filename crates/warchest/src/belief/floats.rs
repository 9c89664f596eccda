//! Weights of a model that is itself a floating-point function, such as a network: 64-bit floats, always in the same
//! order of operations, so that the same events and evaluations give the same bytes.

use super::weights::{Weights, seed_word};

/// The largest row is 1 after every event.
#[derive(Clone, Debug)]
pub struct Floats {
    rows: Vec<f64>,
    /// The sums of all rows up to and including each; filled by `seal`.
    sums: Vec<f64>,
}

/// No row that is possible falls below this share of the largest: what a model deems all but impossible may have
/// happened, and must then still have weight.
const LEAST: f64 = 1e-200;

impl Floats {
    /// The weights; the largest is 1.
    pub fn rows(&self) -> &[f64] {
        &self.rows
    }
}

impl Weights for Floats {
    fn new(weights: impl Iterator<Item = u128>) -> Floats {
        let mut all =
            Floats { rows: weights.map(|weight| weight as f64).collect(), sums: Vec::new() };
        all.finish();
        all
    }

    fn clear_for(&mut self, _: &Floats, _: u128) {
        self.rows.clear();
    }

    fn push_zero(&mut self) {
        self.rows.push(0.0);
    }

    fn add_scaled(&mut self, from: &Floats, row: usize, factor: u128) {
        if let Some(last) = self.rows.last_mut() {
            *last += from.rows[row] * factor as f64;
        }
    }

    fn finish(&mut self) {
        let most = self.rows.iter().copied().fold(0.0, f64::max);
        self.rows.iter_mut().for_each(|row| *row = (*row / most).max(LEAST));
    }

    fn seal(&mut self) {
        let mut sum = 0.0;
        self.sums.clear();
        self.sums.extend(self.rows.iter().map(|row| {
            sum += row;
            sum
        }));
    }

    fn pick(&self, n_rows: usize, seed: u64) -> usize {
        debug_assert_eq!(self.sums.len(), n_rows, "sealed");
        let unit = (seed_word(seed, 0) >> 11) as f64 / (1u64 << 53) as f64;
        let drawn = unit * self.sums[n_rows - 1];
        self.sums.partition_point(|sum| *sum <= drawn).min(n_rows - 1)
    }

    fn log_shares(&self, _: usize) -> Vec<f64> {
        let sum: f64 = self.rows.iter().sum();
        self.rows.iter().map(|row| row.ln() - sum.ln()).collect()
    }
}
