//! The sequential probability ratio test over pairs, for normalised Elo.
//!
//! The hypotheses are about t = (mean − ½) / standard deviation of a game, in units of 800 / ln 10: normalised Elo,
//! which costs the same number of games to resolve whatever the share of draws. For decisive, independent games
//! near equality it is the same number as logistic Elo. The ratio is that of the generalised test: the most
//! likely pentanomial distribution under each hypothesis. Van den Bergh, "Comments on normalized Elo", sections 1
//! and 4.

use crate::pairs::{PAIR_SCORES, PairCounts};
use serde::Serialize;

/// One test: H0 says that A is `elo0` stronger, H1 says `elo1`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// What the pairs so far allow to say.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SprtDecision {
    /// H1: A is stronger.
    Accept,
    /// H0.
    Reject,
    Undecided,
}

impl SprtDecision {
    pub const fn name(self) -> &'static str {
        match self {
            SprtDecision::Accept => "accept",
            SprtDecision::Reject => "reject",
            SprtDecision::Undecided => "undecided",
        }
    }
}

/// Hypotheses or error rates that make no test.
#[derive(Clone, PartialEq, Debug)]
pub enum SprtError {
    Order { elo0: f64, elo1: f64 },
    Rate { alpha: f64, beta: f64 },
}

impl std::fmt::Display for SprtError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SprtError::Order { elo0, elo1 } => {
                write!(
                    f,
                    "elo0 is {elo0} and elo1 is {elo1}: give finite numbers, elo0 the smaller"
                )
            }
            SprtError::Rate { alpha, beta } => {
                write!(
                    f,
                    "alpha is {alpha} and beta is {beta}: give numbers above 0 with a sum below 1"
                )
            }
        }
    }
}

impl std::error::Error for SprtError {}

/// Normalised Elo of t = 1 for games.
const NELO_PER_T: f64 = 800.0 / std::f64::consts::LN_10;

impl Sprt {
    /// `alpha` is the chance to accept when H0 holds, `beta` to reject when H1 holds.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, SprtError> {
        if !(elo0 < elo1 && elo0.is_finite() && elo1.is_finite()) {
            return Err(SprtError::Order { elo0, elo1 });
        }
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            return Err(SprtError::Rate { alpha, beta });
        }
        Ok(Sprt { elo0, elo1, alpha, beta })
    }

    /// The log-likelihood ratio of H1 to H0; 0 without pairs.
    pub fn llr(&self, counts: &PairCounts) -> f64 {
        if counts.n_pairs() == 0 {
            return 0.0;
        }
        // A score that never came up is still possible.
        let weights = counts.0.map(|n| if n == 0 { 1e-3 } else { n as f64 });
        let total: f64 = weights.iter().sum();
        let seen = weights.map(|weight| weight / total);
        // The standard deviation of a pair's mean is that of a game divided by √2.
        let t = |elo: f64| std::f64::consts::SQRT_2 * elo / NELO_PER_T;
        let (h0, h1) = (most_likely(&seen, t(self.elo0)), most_likely(&seen, t(self.elo1)));
        (0..5).map(|idx| weights[idx] * (h1[idx] / h0[idx]).ln()).sum()
    }

    pub fn decide(&self, counts: &PairCounts) -> SprtDecision {
        let llr = self.llr(counts);
        if llr >= ((1.0 - self.beta) / self.alpha).ln() {
            SprtDecision::Accept
        } else if llr <= (self.beta / (1.0 - self.alpha)).ln() {
            SprtDecision::Reject
        } else {
            SprtDecision::Undecided
        }
    }
}

/// The most likely distribution of pair scores with (mean − ½) / standard deviation = `t`, given the frequencies
/// `seen` (all positive). The constraint is made linear around the last distribution and solved again until
/// nothing moves.
fn most_likely(seen: &[f64; 5], t: f64) -> [f64; 5] {
    const ROUNDS_MAX: usize = 200;
    let mut p = [0.2; 5];
    for _ in 0..ROUNDS_MAX {
        let mean: f64 = p.iter().zip(PAIR_SCORES).map(|(p, a)| p * a).sum();
        let variance: f64 = p.iter().zip(PAIR_SCORES).map(|(p, a)| p * (a - mean).powi(2)).sum();
        let deviation = variance.sqrt();
        let phi = PAIR_SCORES
            .map(|a| a - 0.5 - 0.5 * t * deviation * (1.0 + (a - mean).powi(2) / variance));
        let next = tilted(seen, &phi);
        let moved = p.iter().zip(next).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        p = next;
        if moved < 1e-9 {
            break;
        }
    }
    p
}

/// The most likely distribution with mean of `phi` = 0: seen / (1 + θ · phi), θ found by bisection.
fn tilted(seen: &[f64; 5], phi: &[f64; 5]) -> [f64; 5] {
    let (least, most) =
        phi.iter().fold((f64::MAX, f64::MIN), |(low, high), &x| (low.min(x), high.max(x)));
    // No distribution satisfies the constraint: the one nearest to it is all that can be said.
    if least >= 0.0 || most <= 0.0 {
        return *seen;
    }
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..200 {
        let theta = 0.5 * (low + high);
        // Falls from +∞ to −∞ over the interval.
        let slope: f64 = seen.iter().zip(phi).map(|(p, x)| p * x / (1.0 + theta * x)).sum();
        if slope > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
    }
    let theta = 0.5 * (low + high);
    let mut p = [0.0; 5];
    for (idx, p) in p.iter_mut().enumerate() {
        *p = seen[idx] / (1.0 + theta * phi[idx]);
    }
    p
}

#[cfg(test)]
mod tests {
    use super::*;

    fn llr(elo0: f64, elo1: f64, counts: [u64; 5]) -> f64 {
        Sprt::new(elo0, elo1, 0.05, 0.05).unwrap().llr(&PairCounts(counts))
    }

    /// Counts and ratios from Disservin/fastchess#426 and #783, given there to two digits.
    #[test]
    fn agrees_with_published_ratios() {
        let cases = [
            (0.0, 2.0, [365, 16_618, 36_229, 16_974, 390], 2.25),
            (-1.75, 0.25, [127, 4_883, 10_712, 5_150, 104], 3.01),
            (0.0, 2.0, [379, 10_170, 21_828, 10_640, 343], 2.946),
        ];
        for (elo0, elo1, counts, expected) in cases {
            let got = llr(elo0, elo1, counts);
            assert!((got - expected).abs() < 0.006, "{counts:?}: {got}, expected {expected}");
        }
    }

    /// Very unequal players: counts and ratios from Disservin/fastchess#882.
    #[test]
    fn agrees_with_published_ratios_far_from_equality() {
        for (counts, expected) in [([77, 1, 0, 0, 0], -2.95), ([72, 10, 0, 0, 0], -2.97)] {
            let got = llr(-1000.0, -500.0, counts);
            assert!((got - expected).abs() < 0.006, "{counts:?}: {got}, expected {expected}");
        }
    }

    /// A clean sweep: the most likely distributions put all else on lost pairs, so the share of won pairs is ½
    /// under H0 and the root of w − ½ = t · √(w (1 − w)) under H1, with t = √2 · 5 · ln 10 / 800.
    #[test]
    fn a_clean_sweep_has_the_ratio_of_its_closed_form() {
        let t = std::f64::consts::SQRT_2 * 5.0 / NELO_PER_T;
        let w = 0.5 + 0.5 * t / (1.0 + t * t).sqrt();
        let expected = 104.0 * (w / 0.5).ln();
        let got = llr(0.0, 5.0, [0, 0, 0, 0, 104]);
        assert!((got - expected).abs() < 0.01, "{got}, expected {expected}");
    }

    #[test]
    fn decisions_follow_the_bounds() {
        let test = Sprt::new(0.0, 20.0, 0.05, 0.05).unwrap();
        let decide = |counts| test.decide(&PairCounts(counts));
        assert_eq!(decide([0; 5]), SprtDecision::Undecided);
        assert_eq!(decide([5, 0, 10, 0, 5]), SprtDecision::Undecided);
        assert_eq!(decide([100, 0, 300, 0, 600]), SprtDecision::Accept);
        assert_eq!(decide([600, 0, 300, 0, 100]), SprtDecision::Reject);
    }

    /// Turning the match round turns the ratio round, for hypotheses on both sides of 0.
    #[test]
    fn the_test_is_symmetric() {
        let (a, b) = (llr(-5.0, 5.0, [3, 10, 40, 20, 9]), llr(-5.0, 5.0, [9, 20, 40, 10, 3]));
        assert!((a + b).abs() < 1e-6 && a > 0.0, "{a} {b}");
    }

    #[test]
    fn every_ratio_is_finite() {
        for n in [1, 2, 40, 100_000] {
            for idx in 0..5 {
                let mut counts = [0; 5];
                counts[idx] = n;
                assert!(llr(0.0, 20.0, counts).is_finite(), "{counts:?}");
                assert!(llr(-400.0, 400.0, counts).is_finite(), "{counts:?}");
            }
        }
    }

    #[test]
    fn nonsense_makes_no_test() {
        assert!(Sprt::new(5.0, 5.0, 0.05, 0.05).is_err());
        assert!(Sprt::new(0.0, f64::NAN, 0.05, 0.05).is_err());
        assert!(Sprt::new(0.0, 5.0, 0.0, 0.05).is_err());
        assert!(Sprt::new(0.0, 5.0, 0.6, 0.5).is_err());
    }
}
