//! One sampled walk for one seat i.
//!
//! At a history h the walk carries its weight w(h) = π₋ᵢ(h) / q(h): the probability that chance and the others play
//! towards h, divided by the probability that the walk gets there. It returns an unbiased estimate v(h) of what i
//! expects from h on. Where the walk takes branch a with probability q(a):
//!
//! | node | weight of the branch | estimate |
//! |---|---|---|
//! | chance, another seat | w · p(a) / q(a) | Σ v(ha) · p(a) / q(a) over the branches taken |
//! | seat i | w / q(a) | Σ σ(a) · v(a), where v(a) = v(ha) / q(a) if a was taken, else 0 |
//!
//! At a node of i, w(h) · v(a), summed over the histories of its set, is a sampled counterfactual value: its mean is
//! Σ π₋ᵢ(h) · (what i expects after a), with i's own strategy in neither factor (Lanctot et al. 2009, lemma 1). At a
//! node of another seat j of two, w(h) is what j's strategy is averaged with: its mean over walks is chance(h) · πⱼ(h),
//! that is j's own reach times a constant of the set.

use super::layout::{Layout, Mover};
use super::scheme::Scheme;
use crate::policy::place_at;
use game::Stream;
use std::ops::Range;

/// What a walk reads strategies from and writes to.
pub(super) trait Ledger {
    /// The probabilities of the actions of one set.
    fn strategy(&self, entries: Range<usize>) -> &[f64];

    /// The walk has passed a history of the updated seat's set: its weight and its estimate for each action.
    fn value(&mut self, entries: Range<usize>, weight: f64, values: &[f64]);

    /// The walk has passed a history of a set whose strategy it averages, and with what weight.
    fn pass(&mut self, entries: Range<usize>, weight: f64);
}

pub(super) struct Walk<'w, S, L> {
    pub layout: &'w Layout,
    pub scheme: S,
    /// The updated seat.
    pub seat: usize,
    /// Whether the weights average the strategies of the other seats: they do with two seats.
    pub averages: bool,
    pub ledger: &'w mut L,
    pub stream: &'w mut Stream,
    /// The estimates of the updated seat's decisions on the way, the deepest last.
    pub values: &'w mut Vec<f64>,
}

impl<S: Scheme, L: Ledger> Walk<'_, S, L> {
    /// An estimate of what the seat expects from a history of this `weight` on. Recursion is as deep as the game.
    pub fn visit(&mut self, idx: usize, weight: f64) -> f64 {
        let node = self.layout.node(idx);
        match node.mover {
            Mover::NOBODY => self.layout.utility(node, self.seat),
            Mover::CHANCE => {
                let child = self.layout.draw(node, self.stream);
                self.visit(child, weight)
            }
            mover if mover == Mover::seat(self.seat) => match self.scheme.exploration() {
                None => self.all_own(node.entries(), node.children(), weight),
                Some(share) => self.one_own(node.entries(), node.children(), weight, share),
            },
            _ => self.other(node.entries(), node.children(), weight),
        }
    }

    fn other(&mut self, entries: Range<usize>, children: Range<usize>, weight: f64) -> f64 {
        if self.averages {
            self.ledger.pass(entries.clone(), weight);
        }
        if !S::ALL_OF_OTHERS {
            let unit = self.stream.unit();
            let place = place_at(self.ledger.strategy(entries).iter().copied(), unit);
            return self.visit(children.start + place, weight);
        }
        let mut value = 0.0;
        for (child, entry) in children.zip(entries) {
            let probability = self.ledger.strategy(entry..entry + 1)[0];
            // All that lies behind would be weighted by 0.
            if probability > 0.0 {
                value += probability * self.visit(child, weight * probability);
            }
        }
        value
    }

    fn all_own(&mut self, entries: Range<usize>, children: Range<usize>, weight: f64) -> f64 {
        let first = self.values.len();
        self.values.resize(first + entries.len(), 0.0);
        for (place, child) in children.enumerate() {
            let value = self.visit(child, weight);
            self.values[first + place] = value;
        }
        self.close(entries, weight, first)
    }

    fn one_own(
        &mut self,
        entries: Range<usize>,
        children: Range<usize>,
        weight: f64,
        exploration: f64,
    ) -> f64 {
        let uniform = exploration / entries.len() as f64;
        let unit = self.stream.unit();
        let sampled = |probability: &f64| uniform + (1.0 - exploration) * probability;
        let strategy = self.ledger.strategy(entries.clone());
        let place = place_at(strategy.iter().map(sampled), unit);
        let probability = sampled(&strategy[place]);
        let first = self.values.len();
        self.values.resize(first + entries.len(), 0.0);
        let value = self.visit(children.start + place, weight / probability);
        self.values[first + place] = value / probability;
        self.close(entries, weight, first)
    }

    /// Hands over the estimates from `first` on and gives their mean under the seat's strategy.
    fn close(&mut self, entries: Range<usize>, weight: f64, first: usize) -> f64 {
        let values = &self.values[first..];
        let strategy = self.ledger.strategy(entries.clone());
        let mean = strategy.iter().zip(values).map(|(p, value)| p * value).sum();
        self.ledger.value(entries, weight, values);
        self.values.truncate(first);
        mean
    }
}

/// Averages one seat's strategy by a walk of its own, as games of more than two seats need it: there the weight of a
/// history has the strategies of third seats in it, which change. The seat follows its strategy, chance its weights,
/// everybody else chooses uniformly; then the mean of what is added is the seat's own reach times a constant of the set.
pub(super) fn average_walk(
    layout: &Layout,
    seat: usize,
    ledger: &mut impl Ledger,
    stream: &mut Stream,
) {
    let mut idx = 0;
    loop {
        let node = layout.node(idx);
        idx = match node.mover {
            Mover::NOBODY => return,
            Mover::CHANCE => layout.draw(node, stream),
            mover if mover == Mover::seat(seat) => {
                ledger.pass(node.entries(), 1.0);
                let strategy = ledger.strategy(node.entries()).iter().copied();
                node.first_child as usize + place_at(strategy, stream.unit())
            }
            _ => (node.first_child + stream.below(node.n_children)) as usize,
        };
    }
}
