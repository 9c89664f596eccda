//! Elo difference of two players, with its interval.

use crate::pairs::PairCounts;
use crate::wilson::{Z_95, wilson};
use serde::Serialize;

/// No estimate or limit goes beyond this: a score of 0.999. A match without a single loss says "at least", and a
/// finite number can stand in JSON.
pub const ELO_LIMIT: f64 = 1200.0;

/// The Elo difference at which a player scores `score`, within ±[`ELO_LIMIT`].
pub fn elo_of_score(score: f64) -> f64 {
    let least = score_of_elo(-ELO_LIMIT);
    let score = score.clamp(least, 1.0 - least);
    (400.0 * (score / (1.0 - score)).log10()).clamp(-ELO_LIMIT, ELO_LIMIT)
}

/// The expected score of a player who is `elo` stronger.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// A's Elo less B's, with a 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct EloEstimate {
    pub elo: f64,
    pub elo_low: f64,
    pub elo_high: f64,
}

impl EloEstimate {
    /// From pair scores.
    ///
    /// The interval is Wilson's on the mean score, for the number of independent games that would have the
    /// variance seen between pairs. That variance gets one more pair of the largest variance that the mean
    /// allows, so that few or equal pairs do not pretend to certainty; at a score of 0 or 1 every pair counts as
    /// one game. The point estimate is the score with half a game added to each side where it would be infinite.
    pub fn from_pairs(counts: &PairCounts) -> EloEstimate {
        let n = counts.n_pairs() as f64;
        let score = counts.score();
        let most = score * (1.0 - score);
        let n_effective = if most > 0.0 && n > 0.0 {
            let variance = (counts.squared_deviations() + most) / n;
            n * (most / variance).max(1.0)
        } else {
            n
        };
        let (low, high) = wilson(score, n_effective, Z_95);
        let least = 0.5 / (2.0 * n + 1.0);
        EloEstimate {
            elo: elo_of_score(score.clamp(least, 1.0 - least)),
            elo_low: elo_of_score(low),
            elo_high: elo_of_score(high),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_and_score_are_inverse() {
        for elo in [-700.0, -35.0, 0.0, 20.0, 191.0, 1100.0] {
            assert!((elo_of_score(score_of_elo(elo)) - elo).abs() < 1e-9);
        }
        assert!((score_of_elo(400.0) - 10.0 / 11.0).abs() < 1e-12);
        assert_eq!(elo_of_score(1.0), ELO_LIMIT);
        assert_eq!(elo_of_score(0.0), -ELO_LIMIT);
    }

    #[test]
    fn every_number_is_finite_and_in_order() {
        let cases = [[0; 5], [0, 0, 0, 0, 40], [40, 0, 0, 0, 0], [0, 0, 40, 0, 0], [0, 0, 0, 0, 1]];
        for counts in cases.map(PairCounts) {
            let EloEstimate { elo, elo_low, elo_high } = EloEstimate::from_pairs(&counts);
            assert!(elo_low <= elo && elo <= elo_high && elo_low < elo_high, "{counts:?}");
            assert!([elo, elo_low, elo_high].iter().all(|x| x.abs() <= ELO_LIMIT), "{counts:?}");
        }
    }

    /// 40 pairs won outright: the lower limit of Wilson's interval, 40 / (40 + z²).
    #[test]
    fn a_clean_sweep_has_a_lower_limit() {
        let estimate = EloEstimate::from_pairs(&PairCounts([0, 0, 0, 0, 40]));
        assert!((estimate.elo_low - 407.0).abs() < 1.0, "{estimate:?}");
        assert_eq!(estimate.elo_high, ELO_LIMIT);
    }

    /// For many pairs the interval is the normal one: score ± z · sd / √n.
    #[test]
    fn many_pairs_give_the_normal_interval() {
        let counts = PairCounts([365, 16_618, 36_229, 16_974, 390]);
        let estimate = EloEstimate::from_pairs(&counts);
        let n = counts.n_pairs() as f64;
        let half = Z_95 * (counts.squared_deviations() / n / n).sqrt();
        assert!((estimate.elo - elo_of_score(counts.score())).abs() < 1e-9);
        assert!((estimate.elo_low - elo_of_score(counts.score() - half)).abs() < 0.01);
        assert!((estimate.elo_high - elo_of_score(counts.score() + half)).abs() < 0.01);
    }

    /// Pairs that split evenly tell more than their games would alone, pairs that do not tell less.
    #[test]
    fn correlation_inside_pairs_counts() {
        let width = |counts| {
            let estimate = EloEstimate::from_pairs(&PairCounts(counts));
            estimate.elo_high - estimate.elo_low
        };
        let (split, independent, same) =
            (width([0, 0, 100, 0, 0]), width([25, 0, 50, 0, 25]), width([50, 0, 0, 0, 50]));
        assert!(split < independent && independent < same, "{split} {independent} {same}");
    }
}
