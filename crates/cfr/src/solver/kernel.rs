//! The passes of an iteration, for all lanes of a public situation at once.

// A loop `for lane in 0..L` over arrays of L numbers becomes a few vector instructions, and reads as one.
#![allow(clippy::needless_range_loop)]

use super::lanes::{LaneForm, PublicDecisions};
use super::payoffs::Payoffs;
use super::{Arrays, SolverState};
use crate::rule::{Discount, Updates};
use game::Utility;

/// One number a lane. Aligned so that a row is whole vector registers.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(align(32))]
pub(super) struct Lanes<const L: usize>(pub [f64; L]);

impl<const L: usize> Lanes<L> {
    const ZERO: Lanes<L> = Lanes([0.0; L]);
    const ONE: Lanes<L> = Lanes([1.0; L]);
}

/// a · b + c, fused where the processor the program was built for can.
#[inline(always)]
pub(super) fn fma(a: f64, b: f64, c: f64) -> f64 {
    if cfg!(target_feature = "fma") { a.mul_add(b, c) } else { a * b + c }
}

/// All seats of one solve.
pub(super) struct Kernel<const L: usize> {
    seats: Vec<SeatArrays<L>>,
    n_entries: usize,
}

/// One seat's arrays: a row for each of its public sequences, the empty one first.
struct SeatArrays<const L: usize> {
    decisions: PublicDecisions,
    payoffs: Payoffs<L>,
    /// The probability that the seat plays each sequence.
    plan: Vec<Lanes<L>>,
    strategies: Vec<Lanes<L>>,
    regrets: Vec<Lanes<L>>,
    /// The regrets of the last iteration, if the rule predicts by them; else empty.
    predictions: Vec<Lanes<L>>,
    strategy_sums: Vec<Lanes<L>>,
    /// Scratch: what each sequence earns against the others' plans.
    values: Vec<Lanes<L>>,
}

impl<const L: usize> Kernel<L> {
    pub fn new(form: &LaneForm, predicts: bool) -> Self {
        let seat = |(idx, decisions): (usize, &PublicDecisions)| {
            let n = decisions.n_sequences();
            let mut arrays = SeatArrays {
                payoffs: Payoffs::new(form, idx),
                decisions: decisions.clone(),
                plan: vec![Lanes::ONE; n],
                strategies: vec![Lanes::ZERO; n],
                regrets: vec![Lanes::ZERO; n],
                predictions: vec![Lanes::ZERO; if predicts { n } else { 0 }],
                strategy_sums: vec![Lanes::ZERO; n],
                values: vec![Lanes::ZERO; n],
            };
            arrays.choose();
            arrays.follow_plan();
            arrays
        };
        let seats = form.seats.iter().enumerate().map(seat).collect();
        Kernel { seats, n_entries: form.n_entries }
    }

    pub fn width(&self) -> usize {
        L
    }

    pub fn iterate(&mut self, discount: Discount, updates: Updates) {
        match updates {
            Updates::Alternating => {
                for seat in 0..self.seats.len() {
                    self.evaluate(seat);
                    self.seats[seat].learn(discount);
                    self.seats[seat].follow_plan();
                }
            }
            Updates::Simultaneous => {
                (0..self.seats.len()).for_each(|seat| self.evaluate(seat));
                for seat in &mut self.seats {
                    seat.learn(discount);
                    seat.follow_plan();
                }
            }
        }
    }

    /// What each sequence of `seat` earns against the others' present plans.
    fn evaluate(&mut self, seat: usize) {
        let (before, rest) = self.seats.split_at_mut(seat);
        let (arrays, after) = rest.split_first_mut().expect("the seat is one of them");
        arrays.values.fill(Lanes::ZERO);
        let mut plans: [&[Lanes<L>]; Utility::SEATS_MAX] = [&[]; Utility::SEATS_MAX];
        let mut n_others = 0;
        for other in before.iter().chain(after.iter()) {
            plans[n_others] = &other.plan;
            n_others += 1;
        }
        arrays.payoffs.add_values(&plans[..n_others], &mut arrays.values);
    }

    pub fn restore(&mut self, state: &SolverState) {
        for seat in &mut self.seats {
            scatter(&seat.decisions, &state.regrets, &mut seat.regrets);
            scatter(&seat.decisions, &state.strategy_sums, &mut seat.strategy_sums);
            if !state.predictions.is_empty() {
                scatter(&seat.decisions, &state.predictions, &mut seat.predictions);
            }
            seat.choose();
            seat.follow_plan();
        }
    }

    fn gather(&self, array: impl Fn(&SeatArrays<L>) -> &[Lanes<L>]) -> Vec<f64> {
        let mut out = vec![0.0; self.n_entries];
        for seat in &self.seats {
            let n_lanes = seat.decisions.n_lanes;
            let rows = array(seat);
            for (place, entry) in seat.decisions.entries.iter().enumerate() {
                if let Some(entry) = entry {
                    out[*entry as usize] = rows[1 + place / n_lanes].0[place % n_lanes];
                }
            }
        }
        out
    }
}

fn scatter<const L: usize>(decisions: &PublicDecisions, from: &[f64], to: &mut [Lanes<L>]) {
    let n_lanes = decisions.n_lanes;
    for (place, entry) in decisions.entries.iter().enumerate() {
        if let Some(entry) = entry {
            to[1 + place / n_lanes].0[place % n_lanes] = from[*entry as usize];
        }
    }
}

impl<const L: usize> SeatArrays<L> {
    /// Backwards over the sets: values, regrets, strategy sums, next strategies. Needs `values`.
    fn learn(&mut self, discount: Discount) {
        if self.predictions.is_empty() {
            self.learn_by::<false>(discount);
        } else {
            self.learn_by::<true>(discount);
        }
    }

    fn learn_by<const PREDICTS: bool>(&mut self, discount: Discount) {
        for set in (0..self.decisions.n_sets()).rev() {
            let first = self.decisions.first_sequences[set] as usize;
            let end = self.decisions.first_sequences[set + 1] as usize;
            let parent = self.decisions.parent_sequences[set] as usize;
            let values = &self.values[first..end];
            let strategies = &mut self.strategies[first..end];
            let mut mean = [0.0; L];
            for (value, strategy) in values.iter().zip(strategies.iter()) {
                for lane in 0..L {
                    mean[lane] = fma(value.0[lane], strategy.0[lane], mean[lane]);
                }
            }
            let regrets = &mut self.regrets[first..end];
            let mut total = [0.0; L];
            for (place, (value, regret)) in values.iter().zip(regrets.iter_mut()).enumerate() {
                for lane in 0..L {
                    let now = value.0[lane] - mean[lane];
                    let sum = regret.0[lane] + now;
                    let kept = if sum >= 0.0 { discount.positive } else { discount.negative };
                    regret.0[lane] = sum * kept;
                    let mut hope = regret.0[lane];
                    if PREDICTS {
                        self.predictions[first + place].0[lane] = now;
                        hope += now;
                    }
                    let hope = if hope > 0.0 { hope } else { 0.0 };
                    strategies[place].0[lane] = hope;
                    total[lane] += hope;
                }
            }
            let sums = &mut self.strategy_sums[first..end];
            for (sum, reach) in sums.iter_mut().zip(&self.plan[first..end]) {
                for lane in 0..L {
                    sum.0[lane] = fma(discount.weight, reach.0[lane], sum.0[lane]);
                }
            }
            normalize(strategies, &total);
            for (value, mean) in self.values[parent].0.iter_mut().zip(&mean) {
                *value += mean;
            }
        }
    }

    /// The next strategies from regrets and predictions alone.
    fn choose(&mut self) {
        for set in 0..self.decisions.n_sets() {
            let first = self.decisions.first_sequences[set] as usize;
            let end = self.decisions.first_sequences[set + 1] as usize;
            let mut total = [0.0; L];
            for sequence in first..end {
                for lane in 0..L {
                    let predicted = self.predictions.get(sequence).map_or(0.0, |row| row.0[lane]);
                    let hope = (self.regrets[sequence].0[lane] + predicted).max(0.0);
                    self.strategies[sequence].0[lane] = hope;
                    total[lane] += hope;
                }
            }
            normalize(&mut self.strategies[first..end], &total);
        }
    }

    /// Forwards over the sets: the plan of the present strategies.
    fn follow_plan(&mut self) {
        for set in 0..self.decisions.n_sets() {
            let first = self.decisions.first_sequences[set] as usize;
            let end = self.decisions.first_sequences[set + 1] as usize;
            let before = self.plan[self.decisions.parent_sequences[set] as usize];
            for sequence in first..end {
                for lane in 0..L {
                    self.plan[sequence].0[lane] =
                        before.0[lane] * self.strategies[sequence].0[lane];
                }
            }
        }
    }
}

/// Divides the rows by `total` lane by lane; a lane whose total is 0 becomes uniform.
#[inline(always)]
fn normalize<const L: usize>(rows: &mut [Lanes<L>], total: &[f64; L]) {
    let uniform = 1.0 / rows.len() as f64;
    let (mut factor, mut rest) = ([0.0; L], [0.0; L]);
    for lane in 0..L {
        let is_positive = total[lane] > 0.0;
        factor[lane] = if is_positive { 1.0 / total[lane] } else { 0.0 };
        rest[lane] = if is_positive { 0.0 } else { uniform };
    }
    for row in rows {
        for lane in 0..L {
            row.0[lane] = fma(row.0[lane], factor[lane], rest[lane]);
        }
    }
}

impl<const L: usize> Arrays for Kernel<L> {
    fn regrets(&self) -> Vec<f64> {
        self.gather(|seat| &seat.regrets)
    }

    fn predictions(&self) -> Vec<f64> {
        self.gather(|seat| &seat.predictions)
    }

    fn strategy_sums(&self) -> Vec<f64> {
        self.gather(|seat| &seat.strategy_sums)
    }

    fn strategies(&self) -> Vec<f64> {
        self.gather(|seat| &seat.strategies)
    }
}
