//! Sampled counterfactual values at a policy that stays as it is: what a solver would learn from, to look at.

use super::layout::Layout;
use super::walk::Ledger;
use super::{Sampling, sampled_turn};
use crate::policy::Policy;
use crate::tree::Tree;
use game::{Seat, Stream};
use std::ops::Range;

/// Samples counterfactual values of a fixed policy.
pub struct Estimator {
    layout: Layout,
    sampling: Sampling,
    scratch: Vec<f64>,
    ledger: Values,
}

struct Values {
    strategies: Vec<f64>,
    values: Vec<f64>,
    passes: Vec<f64>,
}

impl Estimator {
    pub fn new(tree: &Tree, sampling: Sampling, policy: &Policy) -> Estimator {
        let layout = Layout::new(tree);
        let zeros = vec![0.0; layout.n_entries];
        let strategies = policy.probabilities().to_vec();
        Estimator {
            scratch: Vec::with_capacity(layout.n_values_max),
            layout,
            sampling,
            ledger: Values { strategies, values: zeros.clone(), passes: zeros },
        }
    }

    /// One walk for `seat`. Gives, for every entry of the seat, an unbiased sample of Σ over the histories of its set
    /// of (what chance and the others play towards the history) × (what the seat expects after the action, in its own
    /// utility). Entries of other seats are 0.
    pub fn sample(&mut self, seat: Seat, stream: &mut Stream) -> &[f64] {
        self.ledger.values.fill(0.0);
        self.ledger.passes.fill(0.0);
        let Estimator { layout, sampling, scratch, ledger } = self;
        sampled_turn(*sampling, layout, seat.idx(), ledger, stream, scratch);
        &self.ledger.values
    }

    /// What the last turn would have added to the strategy sums. In a game of two seats it is the other seat's: its mean
    /// is the seat's plan (own reach × probability), times chance summed over the histories of the set. With more seats
    /// it is the updated seat's own, and chance is multiplied by equal choices of all others.
    pub fn averaged(&self) -> &[f64] {
        &self.ledger.passes
    }
}

impl Ledger for Values {
    fn strategy(&self, entries: Range<usize>) -> &[f64] {
        &self.strategies[entries]
    }

    fn value(&mut self, entries: Range<usize>, weight: f64, values: &[f64]) {
        for (sum, value) in self.values[entries].iter_mut().zip(values) {
            *sum += weight * value;
        }
    }

    fn pass(&mut self, entries: Range<usize>, weight: f64) {
        let strategy = &self.strategies[entries.clone()];
        for (sum, probability) in self.passes[entries].iter_mut().zip(strategy) {
            *sum += weight * probability;
        }
    }
}
