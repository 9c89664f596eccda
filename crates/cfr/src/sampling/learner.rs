//! Regrets and average strategies from sampled walks: the same update, whatever was sampled.
//!
//! With w and v(a) as in [`walk`](super::walk) and σ the strategy during the walk:
//!
//! R(a) ← R(a) + w · (v(a) − Σ σ(b) v(b)), next σ(a) ∝ max(R(a), 0); for a set that is averaged S(a) ← S(a) + w · σ(a).

use super::layout::Layout;
use super::walk::Ledger;
use crate::policy::normalize;
use std::ops::Range;

pub(super) struct Learner {
    pub regrets: Vec<f64>,
    pub strategy_sums: Vec<f64>,
    strategies: Vec<f64>,
    /// The sets whose regrets the present walk has moved.
    touched: Vec<Range<usize>>,
    /// By a set's first entry, the walk that touched it last.
    touched_by: Vec<u64>,
    walk: u64,
}

impl Learner {
    pub fn new(layout: &Layout, n_sets: usize, strategies: Vec<f64>) -> Learner {
        Learner {
            regrets: vec![0.0; layout.n_entries],
            strategy_sums: vec![0.0; layout.n_entries],
            strategies,
            touched: Vec::with_capacity(n_sets),
            touched_by: vec![0; layout.n_entries],
            walk: 1,
        }
    }

    pub fn strategies(&self) -> &[f64] {
        &self.strategies
    }

    /// Goes on from saved arrays; `strategies` belong to these regrets.
    pub fn restore(&mut self, regrets: &[f64], strategy_sums: &[f64], strategies: &[f64]) {
        self.regrets.copy_from_slice(regrets);
        self.strategy_sums.copy_from_slice(strategy_sums);
        self.strategies.copy_from_slice(strategies);
    }

    /// The walk is over: only now its seat's strategy changes, so that every history of a set is valued by the same
    /// one.
    pub fn choose(&mut self) {
        for entries in self.touched.drain(..) {
            let mut sum = 0.0;
            for (strategy, regret) in
                self.strategies[entries.clone()].iter_mut().zip(&self.regrets[entries.clone()])
            {
                *strategy = regret.max(0.0);
                sum += *strategy;
            }
            let strategy = &mut self.strategies[entries];
            if sum > 0.0 {
                strategy.iter_mut().for_each(|probability| *probability /= sum);
            } else {
                normalize(&[], strategy);
            }
        }
        self.walk += 1;
    }
}

impl Ledger for Learner {
    #[inline]
    fn strategy(&self, entries: Range<usize>) -> &[f64] {
        &self.strategies[entries]
    }

    #[inline]
    fn value(&mut self, entries: Range<usize>, weight: f64, values: &[f64]) {
        let strategy = &self.strategies[entries.clone()];
        let mean: f64 = strategy.iter().zip(values).map(|(p, value)| p * value).sum();
        for (regret, value) in self.regrets[entries.clone()].iter_mut().zip(values) {
            *regret += weight * (value - mean);
        }
        if self.touched_by[entries.start] != self.walk {
            self.touched_by[entries.start] = self.walk;
            self.touched.push(entries);
        }
    }

    #[inline]
    fn pass(&mut self, entries: Range<usize>, weight: f64) {
        let sums = &mut self.strategy_sums[entries.clone()];
        for (sum, probability) in sums.iter_mut().zip(&self.strategies[entries]) {
            *sum += weight * probability;
        }
    }
}
