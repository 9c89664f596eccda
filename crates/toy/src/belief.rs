//! The exact posterior of a small game, by carrying along every line that fits.

use crate::line::Line;
use crate::small::{Small, SmallGame};
use game::{
    Belief, Contradiction, Hidden, ModelFree, Observation, Rules, Seat, Stream, Turn, World,
};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_rational::Ratio;
use std::collections::BTreeMap;

/// Every line that looks to the observer as the real one did, each as likely as chance and an opponent that chooses
/// uniformly among its legal acts make it. Exact integer weights. What the observer itself did is given and has no
/// probability.
#[derive(Clone, Copy, Debug)]
pub struct Enumerated;

/// The lines that fit and their weights, which have no common factor.
#[derive(Clone, Debug)]
pub struct LineWeights {
    lines: Vec<(Line, BigUint)>,
    /// Events taken in.
    n_events: usize,
}

impl LineWeights {
    /// Each line that fits with its share of the weight.
    pub fn shares(&self) -> BTreeMap<Line, Ratio<BigInt>> {
        let total = BigInt::from(self.total());
        let share = |weight: &BigUint| Ratio::new(weight.clone().into(), total.clone());
        self.lines.iter().map(|(line, weight)| (*line, share(weight))).collect()
    }

    fn total(&self) -> BigUint {
        self.lines.iter().map(|(_, weight)| weight).sum()
    }
}

impl Enumerated {
    /// The lines one ply later that show the observer what it saw: each line's weight is shared among its
    /// continuations.
    fn step<G: SmallGame>(
        rules: &Small<G>,
        lines: &[(Line, BigUint)],
        observation: &Observation<Small<G>>,
        event_idx: usize,
    ) -> Vec<(Line, BigUint)> {
        let observer = observation.seat();
        let expected = observation.events()[event_idx];
        // Line, numerator and denominator of what is multiplied to its weight.
        let mut next: Vec<(Line, BigUint, u64)> = Vec::new();
        for (line, weight) in lines {
            let mut choices: Vec<(crate::Act, u64)> = Vec::new();
            let is_own = rules.turn(line) == Turn::Seat(observer);
            match rules.turn(line) {
                Turn::Over => {}
                Turn::Seat(_) => choices.extend(rules.legal(line).into_iter().map(|act| (act, 1))),
                Turn::Chance => rules
                    .0
                    .outcomes(line.acts(), &mut |act, weight| choices.push((act, weight.into()))),
            }
            let total = if is_own { 1 } else { choices.iter().map(|(_, weight)| weight).sum() };
            for (act, share) in choices {
                if rules.event(line, act, observer) == expected {
                    let mut longer = *line;
                    longer.push(act);
                    next.push((longer, weight * share, total));
                }
            }
        }
        let common = next.iter().fold(1, |common: u64, (_, _, total)| common.lcm(total));
        let mut lines: Vec<(Line, BigUint)> = next
            .into_iter()
            .map(|(line, weight, total)| (line, weight * (common / total)))
            .collect();
        let factor = lines.iter().fold(BigUint::ZERO, |factor, (_, weight)| factor.gcd(weight));
        lines.iter_mut().for_each(|(_, weight)| *weight /= &factor);
        lines
    }
}

impl<G: SmallGame> Belief<Small<G>> for Enumerated {
    type Posterior = LineWeights;

    fn name(&self) -> String {
        "exact-uniform".to_owned()
    }

    fn prior(&self, _: &Small<G>, _: &Observation<Small<G>>) -> LineWeights {
        LineWeights { lines: vec![(Line::START, BigUint::from(1u32))], n_events: 0 }
    }

    fn catch_up(
        &self,
        rules: &Small<G>,
        posterior: &mut LineWeights,
        observation: &Observation<Small<G>>,
    ) -> Result<(), Contradiction> {
        for event_idx in posterior.n_events..observation.events().len() {
            let lines = Enumerated::step(rules, &posterior.lines, observation, event_idx);
            if lines.is_empty() {
                return Err(Contradiction {
                    event_idx,
                    reason: format!("no line shows {:?}", observation.events()[event_idx]),
                    position: format!("{:?}", &observation.events()[..event_idx]),
                });
            }
            *posterior = LineWeights { lines, n_events: event_idx + 1 };
        }
        Ok(())
    }

    fn support_len(&self, posterior: &LineWeights) -> usize {
        posterior.lines.len()
    }

    fn posterior_bytes(&self, _: &Small<G>, posterior: &LineWeights) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (line, weight) in &posterior.lines {
            bytes.push(line.acts().len() as u8);
            bytes.extend(line.acts().iter().map(|act| act.0));
            let digits = weight.to_bytes_le();
            bytes.extend((digits.len() as u32).to_le_bytes());
            bytes.extend(digits);
        }
        bytes
    }

    fn log_weight(&self, _: &Small<G>, posterior: &LineWeights, _: Seat, state: &Line) -> f64 {
        let found = posterior.lines.iter().find(|(line, _)| line == state);
        found.map_or(f64::NEG_INFINITY, |(_, weight)| log_share(weight, &posterior.total()))
    }

    fn world(
        &self,
        _: &Small<G>,
        posterior: &LineWeights,
        _: &Observation<Small<G>>,
        seed: u64,
    ) -> World<Small<G>> {
        let mut left = below(&posterior.total(), &mut Stream::from_seed(seed));
        for (line, weight) in &posterior.lines {
            if left < *weight {
                return World::sampled(*line);
            }
            left -= weight;
        }
        unreachable!("what is drawn lies below the sum of the weights")
    }

    fn all_worlds(
        &self,
        _: &Small<G>,
        posterior: &LineWeights,
        _: &Observation<Small<G>>,
    ) -> Vec<(World<Small<G>>, f64)> {
        let total = posterior.total();
        let lines = posterior.lines.iter();
        lines.map(|(line, weight)| (World::sampled(*line), log_share(weight, &total))).collect()
    }
}

impl<G: SmallGame> ModelFree<Small<G>> for Enumerated {}

/// A uniform number below `n`, which is at least 1: bits are drawn until they are below it.
fn below(n: &BigUint, stream: &mut Stream) -> BigUint {
    let n_bits = n.bits();
    loop {
        let words = n_bits.div_ceil(64);
        let mut drawn = BigUint::ZERO;
        for _ in 0..words {
            drawn = (drawn << 64) + stream.next_u64();
        }
        drawn >>= words * 64 - n_bits;
        if drawn < *n {
            return drawn;
        }
    }
}

fn log_share(weight: &BigUint, total: &BigUint) -> f64 {
    log(weight) - log(total)
}

/// The natural logarithm of a number that is not 0.
fn log(number: &BigUint) -> f64 {
    let shift = number.bits().saturating_sub(64);
    let head = (number >> shift).to_u64_digits().first().copied().unwrap_or(0);
    (head as f64).ln() + shift as f64 * std::f64::consts::LN_2
}
