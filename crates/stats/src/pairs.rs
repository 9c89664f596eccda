//! What came out of the pairs of a match.

/// How one game ended, from A's view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameResult {
    Win,
    Draw,
    Loss,
    /// Stopped by the cap: no result. It counts half a point and is never called a draw.
    Truncated,
}

impl GameResult {
    /// Points for A, in halves.
    pub const fn half_points(self) -> usize {
        match self {
            GameResult::Win => 2,
            GameResult::Draw | GameResult::Truncated => 1,
            GameResult::Loss => 0,
        }
    }
}

/// How many pairs gave A 0, ½, 1, 1½ and 2 points: the pentanomial counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PairCounts(pub [u64; 5]);

impl PairCounts {
    pub fn add(&mut self, first: GameResult, second: GameResult) {
        self.0[first.half_points() + second.half_points()] += 1;
    }

    pub fn n_pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// A's mean points a game, in [0, 1]; one half without pairs.
    pub fn score(&self) -> f64 {
        match self.n_pairs() {
            0 => 0.5,
            n => self.sum_of(|score| score) / n as f64,
        }
    }

    /// Sum over pairs of the squared distance from the mean score.
    pub(crate) fn squared_deviations(&self) -> f64 {
        let mean = self.score();
        self.sum_of(|score| (score - mean).powi(2))
    }

    fn sum_of(&self, f: impl Fn(f64) -> f64) -> f64 {
        self.0.iter().zip(PAIR_SCORES).map(|(&n, score)| n as f64 * f(score)).sum()
    }
}

/// The mean score of a pair, in the order of [`PairCounts`].
pub(crate) const PAIR_SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
