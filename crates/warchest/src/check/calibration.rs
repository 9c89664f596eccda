//! Calibration at full size: in games in which both seats choose uniformly, the truth must lie among the
//! configurations of `exact-uniform` as its weights say, and equal weights must be found out on the same games.
//!
//! For one position of each game, the mass of the configurations that sort before the true one plus a uniform share
//! of its own (the randomized probability integral transform) is uniform in [0, 1] exactly when the weights are the
//! posterior. Any order will do; this one puts those first in which coins of one type lie apart, which there are more
//! ways to deal than equal weights allow for.

use crate::belief::{ExactUniform, Measure, Posterior, StructuralUniform};
use crate::{Coins, Concealed, WarChest};
use game::{Chance, Contradiction, Hidden, Observation, Rules, Seat, Stream, Turn};
use num_bigint::BigUint;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many games, and from which seed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CalibrationCheck {
    pub n_games: u64,
    pub seed: u64,
    pub n_threads: usize,
}

/// The seed of the check, fixed before its first run.
pub const CALIBRATION_SEED: u64 = 3_141_592_653;

/// What the transforms look like. Equal checks give equal reports, whatever the threads.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
pub struct CalibrationReport {
    pub games: u64,
    /// Positions with more than one configuration; the others say nothing.
    pub several: u64,
    /// The probability of a sample at least as far from uniform, were `exact-uniform` the posterior.
    pub ks_p: f64,
    /// The same of `structural-uniform-v1`, which is not: far below 0.01, or the check has no power.
    pub ks_p_control: f64,
}

impl CalibrationReport {
    /// Whether `exact-uniform` is not rejected and equal weights are.
    pub fn is_clean(&self) -> bool {
        self.ks_p > 0.01 && self.ks_p_control < 0.001
    }
}

/// Uniform play nearly always reaches the cap, some 520 plies on.
const N_PLIES_MAX: u32 = 500;

/// `done` is told of games as they are finished.
pub fn calibration(
    check: &CalibrationCheck,
    done: &(dyn Fn(u64) + Sync),
) -> Result<CalibrationReport, Contradiction> {
    let rules = WarChest::ranked();
    let next = AtomicU64::new(0);
    let all = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..check.n_threads.max(1) {
            scope.spawn(|| {
                loop {
                    let game = next.fetch_add(1, Ordering::Relaxed);
                    if game >= check.n_games {
                        return;
                    }
                    let found = transforms(&rules, check.seed.wrapping_add(game));
                    all.lock().unwrap_or_else(|broken| broken.into_inner()).push((game, found));
                    done(1);
                }
            });
        }
    });
    let mut all = all.into_inner().unwrap_or_else(|broken| broken.into_inner());
    all.sort_by_key(|(game, _)| *game);
    let (mut exact, mut control, mut several) = (Vec::new(), Vec::new(), 0);
    for (_, found) in all {
        let found = found?;
        exact.push(found.exact);
        control.push(found.structural);
        several += u64::from(found.support_len > 1);
    }
    Ok(CalibrationReport {
        games: exact.len() as u64,
        several,
        ks_p: kolmogorov_smirnov_p(exact),
        ks_p_control: kolmogorov_smirnov_p(control),
    })
}

struct Transforms {
    exact: f64,
    structural: f64,
    support_len: usize,
}

fn transforms(rules: &WarChest, seed: u64) -> Result<Transforms, Contradiction> {
    let mut stream = Stream::from_seed(seed);
    let Position { truth, observation } = play(rules, &mut stream);
    let share = stream.unit();
    let reserve = observation.now().opponent.reserve;
    let mut weighted = infer(ExactUniform, rules, &observation)?.weighted();
    let one = BigUint::from(1u32);
    let equal = infer(StructuralUniform, rules, &observation)?;
    let mut equal: Vec<_> = equal.configurations().map(|c| (c, one.clone())).collect();
    sort(&mut weighted, reserve);
    sort(&mut equal, reserve);
    // A truth without weight has no place: it counts as the end, and a thousand such would show.
    let place = |weighted: &[_]| transform(weighted, &truth, share).unwrap_or(1.0);
    Ok(Transforms {
        exact: place(&weighted),
        structural: place(&equal),
        support_len: weighted.len(),
    })
}

fn infer<M: Measure>(
    measure: M,
    rules: &WarChest,
    observation: &Observation<WarChest>,
) -> Result<Posterior<M>, Contradiction> {
    let mut posterior = Posterior::begin(measure, observation, observation.seat().other());
    posterior.catch_up(rules, observation)?;
    Ok(posterior)
}

/// The true configuration of one position and what the other seat saw.
struct Position {
    truth: Concealed,
    observation: Observation<WarChest>,
}

/// A game of uniform play up to a ply that was drawn before it began, or to its end; and a seat drawn likewise.
fn play(rules: &WarChest, stream: &mut Stream) -> Position {
    let n_plies = stream.below(N_PLIES_MAX);
    let seat = Seat::new(stream.below(2) as u8);
    let mut state = rules.initial(&rules.deal(stream));
    let mut observation = Observation::begin(seat, rules.now(&state, seat));
    for _ in 0..n_plies {
        let action = match rules.turn(&state) {
            Turn::Over => break,
            Turn::Chance => rules.draw(&state, stream),
            Turn::Seat(_) => {
                let legal = rules.legal(&state);
                legal[stream.below(legal.len() as u32) as usize]
            }
        };
        let event = rules.event(&state, action, seat);
        rules.apply(&mut state, action);
        observation.extend(event, rules.now(&state, seat));
    }
    Position { truth: Concealed::of(&state, seat.other()), observation }
}

/// Sorts configurations of `reserve` by how much coins of one type lie together.
fn sort(weighted: &mut [(Concealed, BigUint)], reserve: Coins) {
    weighted.sort_by_key(|(concealed, _)| {
        let Concealed { hand, discard_down, drawn } = *concealed;
        let places = [hand, discard_down, drawn, reserve - concealed.total()];
        let squares =
            |coins: Coins| coins.counts().map(|n| u32::from(n).pow(2)).iter().sum::<u32>();
        let together: u32 = places.map(squares).iter().sum();
        (together, [hand, discard_down, drawn].map(Coins::bits))
    });
}

/// A quotient of at most 1.
fn quotient(part: &BigUint, whole: &BigUint) -> f64 {
    let scaled: BigUint = (part << 53u32) / whole;
    u64::try_from(scaled).unwrap_or(u64::MAX) as f64 / (1u64 << 53) as f64
}

/// Where the truth lies among the configurations, by their weights; `None` when it is not among them.
fn transform(weighted: &[(Concealed, BigUint)], truth: &Concealed, share: f64) -> Option<f64> {
    let total: BigUint = weighted.iter().map(|(_, weight)| weight).sum();
    let idx = weighted.iter().position(|(concealed, _)| concealed == truth)?;
    let before: BigUint = weighted[..idx].iter().map(|(_, weight)| weight).sum();
    Some(quotient(&before, &total) + share * quotient(&weighted[idx].1, &total))
}

/// The probability that `n` uniform numbers are at least this far from uniform (Kolmogorov's limit with the
/// correction of Stephens 1970).
fn kolmogorov_smirnov_p(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let n = values.len() as f64;
    let distance = values.iter().enumerate().fold(0.0f64, |distance, (idx, value)| {
        distance.max(value - idx as f64 / n).max((idx + 1) as f64 / n - value)
    });
    let lambda = (n.sqrt() + 0.12 + 0.11 / n.sqrt()) * distance;
    let term = |k: i32| {
        let sign = if k % 2 == 0 { -1.0 } else { 1.0 };
        sign * (-2.0 * f64::from(k * k) * lambda * lambda).exp()
    };
    (2.0 * (1..100).map(term).sum::<f64>()).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_test_of_uniformity_knows_what_is_uniform() {
        let mut stream = Stream::from_seed(1);
        let uniform: Vec<f64> = (0..2_000).map(|_| stream.unit()).collect();
        let bent: Vec<f64> = uniform.iter().map(|value| value.powf(1.1)).collect();
        assert!(kolmogorov_smirnov_p(uniform) > 0.01);
        assert!(kolmogorov_smirnov_p(bent) < 0.001);
        // The middle of n equal steps is 1 / 2n away.
        let even = (0..100).map(|idx| (f64::from(idx) + 0.5) / 100.0).collect();
        assert!(kolmogorov_smirnov_p(even) > 0.999);
        // Kolmogorov's distribution at 1.358 is 0.05: 10,000 even steps, the first 135.8 of them taken away.
        let shifted = (0..10_000).map(|idx| f64::from(idx).max(135.2) / 10_000.0).collect();
        assert!((kolmogorov_smirnov_p(shifted) - 0.05).abs() < 0.002);
    }
}
