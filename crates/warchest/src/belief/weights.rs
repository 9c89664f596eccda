//! What a table of configurations keeps of their weights.

/// The weights of a table, one a row.
pub trait Weights: Clone + Send {
    fn new(weights: impl Iterator<Item = u128>) -> Self;

    /// Empties it, to be filled with rows none of which is more than `growth` times the largest of `from`.
    fn clear_for(&mut self, from: &Self, growth: u128);

    fn push_zero(&mut self);

    /// Adds `factor` times row `row` of `from` to the last row.
    fn add_scaled(&mut self, from: &Self, row: usize, factor: u128);

    /// All rows are written.
    fn finish(&mut self);

    /// Makes [`Weights::pick`] ready.
    fn seal(&mut self);

    /// A row, drawn by weight; there is one. The same seed gives the same row.
    fn pick(&self, n_rows: usize, seed: u64) -> usize;

    /// The natural logarithm of the share of each of the `n_rows` rows.
    fn log_shares(&self, n_rows: usize) -> Vec<f64>;
}

/// All weights are equal, and nothing is kept of them.
#[derive(Clone, Copy, Debug)]
pub struct Equal;

impl Weights for Equal {
    fn new(_: impl Iterator<Item = u128>) -> Equal {
        Equal
    }

    #[inline]
    fn clear_for(&mut self, _: &Equal, _: u128) {}

    #[inline]
    fn push_zero(&mut self) {}

    #[inline]
    fn add_scaled(&mut self, _: &Equal, _: usize, _: u128) {}

    #[inline]
    fn finish(&mut self) {}

    fn seal(&mut self) {}

    #[inline]
    fn pick(&self, n_rows: usize, seed: u64) -> usize {
        // Lemire's multiply-and-reject.
        let n = n_rows as u64;
        let mut idx = 0;
        loop {
            let product = u128::from(seed_word(seed, idx)) * u128::from(n);
            let low = product as u64;
            if low >= n || low >= n.wrapping_neg() % n {
                return (product >> 64) as usize;
            }
            idx += 1;
        }
    }

    fn log_shares(&self, n_rows: usize) -> Vec<f64> {
        vec![-(n_rows as f64).ln(); n_rows]
    }
}

/// Word `idx` of the random words of a seed (splitmix64), so that neighbouring seeds are as good as random ones.
#[inline]
pub fn seed_word(seed: u64, idx: u64) -> u64 {
    let mut mixed = seed.wrapping_add((idx.wrapping_add(1)).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}
