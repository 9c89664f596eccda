//! The passes of an iteration, for all lanes of a public situation at once.

use super::lane_form::{LaneForm, PublicDecisions};
use super::lanes::Lanes;
use super::payoffs::{Earnings, Matrices, MatrixEarnings, Payoffs, ProductEarnings, Products};
use super::{Arrays, SolverState};
use crate::rule::{Discount, Updates};
use game::Utility;

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
    /// What each sequence earns through the seat's own later decisions; 0 between iterations.
    later: Vec<Lanes<L>>,
}

impl<const L: usize> Kernel<L> {
    pub fn new(form: &LaneForm, predicts: bool) -> Self {
        let seat = |(idx, decisions): (usize, &PublicDecisions)| {
            let n = decisions.n_sequences();
            let mut arrays = SeatArrays {
                payoffs: if L == 1 {
                    Payoffs::Products(Products::new(form, idx))
                } else {
                    Payoffs::Matrices(Matrices::new(form, idx))
                },
                decisions: decisions.clone(),
                plan: vec![Lanes::all(1.0); n],
                strategies: vec![Lanes::ZERO; n],
                regrets: vec![Lanes::ZERO; n],
                predictions: vec![Lanes::ZERO; if predicts { n } else { 0 }],
                strategy_sums: vec![Lanes::ZERO; n],
                later: vec![Lanes::ZERO; n],
            };
            arrays.choose();
            arrays.follow_plan(0.0);
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
                    self.learn(seat, discount);
                    self.seats[seat].follow_plan(discount.weight);
                }
            }
            Updates::Simultaneous => {
                (0..self.seats.len()).for_each(|seat| self.learn(seat, discount));
                self.seats.iter_mut().for_each(|seat| seat.follow_plan(discount.weight));
            }
        }
    }

    /// The next strategies of `seat`, from what it earns against the others' present plans.
    fn learn(&mut self, seat: usize, discount: Discount) {
        let (before, rest) = self.seats.split_at_mut(seat);
        let (arrays, after) = rest.split_first_mut().expect("the seat is one of them");
        let mut plans: [&[Lanes<L>]; Utility::SEATS_MAX] = [&[]; Utility::SEATS_MAX];
        let mut n_others = 0;
        for other in before.iter().chain(after.iter()) {
            plans[n_others] = &other.plan;
            n_others += 1;
        }
        let SeatArrays { decisions, payoffs, strategies, regrets, predictions, later, .. } = arrays;
        let learning = Learning { decisions, strategies, regrets, predictions, later, discount };
        match payoffs {
            Payoffs::Products(products) => {
                learning.run(&ProductEarnings { products, plans: &plans[..n_others] });
            }
            Payoffs::Matrices(matrices) => {
                learning.run(&MatrixEarnings { matrices, plan: plans[0] });
            }
        }
    }

    pub fn restore(&mut self, state: &SolverState) {
        for seat in &mut self.seats {
            scatter(&seat.decisions, &state.regrets, &mut seat.regrets);
            scatter(&seat.decisions, &state.strategy_sums, &mut seat.strategy_sums);
            if !state.predictions.is_empty() {
                scatter(&seat.decisions, &state.predictions, &mut seat.predictions);
            }
            seat.choose();
            seat.follow_plan(0.0);
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

/// The pass backwards over one seat's sets: values, regrets, next strategies.
struct Learning<'a, const L: usize> {
    decisions: &'a PublicDecisions,
    strategies: &'a mut [Lanes<L>],
    regrets: &'a mut [Lanes<L>],
    predictions: &'a mut [Lanes<L>],
    later: &'a mut [Lanes<L>],
    discount: Discount,
}

impl<const L: usize> Learning<'_, L> {
    fn run(self, earnings: &impl Earnings<L>) {
        if self.predictions.is_empty() {
            self.run_by::<false>(earnings);
        } else {
            self.run_by::<true>(earnings);
        }
    }

    fn run_by<const PREDICTS: bool>(mut self, earnings: &impl Earnings<L>) {
        for set in (0..self.decisions.n_sets()).rev() {
            let first = self.decisions.first_sequences[set] as usize;
            let end = self.decisions.first_sequences[set + 1] as usize;
            let parent = self.decisions.parent_sequences[set] as usize;
            // The same code with its loops unrolled for the usual numbers of actions.
            let mean = match end - first {
                1 => self.learn_set::<PREDICTS>(first, 1, earnings),
                2 => self.learn_set::<PREDICTS>(first, 2, earnings),
                3 => self.learn_set::<PREDICTS>(first, 3, earnings),
                n_actions => self.learn_set::<PREDICTS>(first, n_actions, earnings),
            };
            self.later[parent] = self.later[parent].plus(mean);
        }
        self.later[0] = Lanes::ZERO;
    }

    /// Gives what the set is worth under the strategies before.
    #[inline(always)]
    fn learn_set<const PREDICTS: bool>(
        &mut self,
        first: usize,
        n_actions: usize,
        earnings: &impl Earnings<L>,
    ) -> Lanes<L> {
        let later = &mut self.later[first..first + n_actions];
        let strategies = &mut self.strategies[first..first + n_actions];
        let regrets = &mut self.regrets[first..first + n_actions];
        let mut mean = Lanes::ZERO;
        for action in 0..n_actions {
            let value = later[action].plus(earnings.value(first + action));
            mean = value.times_plus(strategies[action], mean);
            later[action] = value;
        }
        let Discount { positive, negative, .. } = self.discount;
        let mut total = Lanes::ZERO;
        for action in 0..n_actions {
            let now = later[action].minus(mean);
            let sum = regrets[action].plus(now);
            let kept = sum.map(|sum| sum * if sum >= 0.0 { positive } else { negative });
            regrets[action] = kept;
            let mut hope = kept;
            if PREDICTS {
                self.predictions[first + action] = now;
                hope = hope.plus(now);
            }
            strategies[action] = hope.positive_part();
            total = total.plus(strategies[action]);
            later[action] = Lanes::ZERO;
        }
        normalize(strategies, total);
        mean
    }
}

impl<const L: usize> SeatArrays<L> {
    /// The next strategies from regrets and predictions alone.
    fn choose(&mut self) {
        for set in 0..self.decisions.n_sets() {
            let first = self.decisions.first_sequences[set] as usize;
            let end = self.decisions.first_sequences[set + 1] as usize;
            let mut total = Lanes::ZERO;
            for sequence in first..end {
                let predicted = self.predictions.get(sequence).copied().unwrap_or(Lanes::ZERO);
                let hope = self.regrets[sequence].plus(predicted).positive_part();
                self.strategies[sequence] = hope;
                total = total.plus(hope);
            }
            normalize(&mut self.strategies[first..end], total);
        }
    }

    /// Forwards over the sets: adds `weight` times the plan so far to the sums, then makes the plan of the present
    /// strategies.
    fn follow_plan(&mut self, weight: f64) {
        for set in 0..self.decisions.n_sets() {
            let first = self.decisions.first_sequences[set] as usize;
            let end = self.decisions.first_sequences[set + 1] as usize;
            let before = self.plan[self.decisions.parent_sequences[set] as usize];
            let strategies = &self.strategies[first..end];
            let (plan, sums) = (&mut self.plan[first..end], &mut self.strategy_sums[first..end]);
            for action in 0..end - first {
                sums[action] = plan[action].times_plus(Lanes::all(weight), sums[action]);
                plan[action] = before.times(strategies[action]);
            }
        }
    }
}

/// Divides the rows by `total` lane by lane; a lane whose total is 0 becomes uniform.
#[inline(always)]
fn normalize<const L: usize>(rows: &mut [Lanes<L>], total: Lanes<L>) {
    let uniform = 1.0 / rows.len() as f64;
    let factor = total.map(|total| if total > 0.0 { 1.0 / total } else { 0.0 });
    let rest = total.map(|total| if total > 0.0 { 0.0 } else { uniform });
    for row in rows {
        *row = row.times_plus(factor, rest);
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
