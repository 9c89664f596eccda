//! CFR as the papers write it: a recursion over histories with every reach in its own variable. Slow, and sharing nothing
//! with the solver but the tree. With a fault planted it shows which faults the reference curves can see.

use cfr::{NodeKind, Policy, Rule, Tree, Updates};

/// What is wrong with the recursion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Nothing.
    None,
    /// Regrets are weighted by the own reach and the average by the others'.
    ReachesSwapped,
    OthersReachDropped,
    ChanceDropped,
    /// Every seat maximizes the first seat's utility.
    SignNotTurned,
    /// Regrets are clipped after every history instead of once for its information set.
    ClippedPerHistory,
    AverageByJointReach,
}

/// The three factors of a history's probability.
#[derive(Clone, Copy)]
struct Reach {
    own: f64,
    others: f64,
    chance: f64,
}

pub struct Textbook<'t> {
    tree: &'t Tree,
    rule: Rule,
    updates: Updates,
    fault: Fault,
    t: u64,
    regrets: Vec<f64>,
    /// The regrets of the last iteration alone.
    last: Vec<f64>,
    sums: Vec<f64>,
    strategies: Vec<f64>,
}

impl<'t> Textbook<'t> {
    pub fn new(tree: &'t Tree, rule: Rule, updates: Updates, fault: Fault) -> Self {
        let zeros = vec![0.0; tree.n_entries()];
        Textbook {
            tree,
            rule,
            updates,
            fault,
            t: 0,
            regrets: zeros.clone(),
            last: zeros.clone(),
            sums: zeros,
            strategies: Policy::uniform(tree).probabilities().to_vec(),
        }
    }

    pub fn average(&self) -> Policy {
        Policy::from_weights(self.tree, &self.sums)
    }

    pub fn iterate(&mut self) {
        self.t += 1;
        match self.updates {
            Updates::Alternating => {
                for seat in 0..self.tree.n_seats() {
                    self.learn(seat);
                    self.choose(seat);
                }
            }
            Updates::Simultaneous => {
                (0..self.tree.n_seats()).for_each(|seat| self.learn(seat));
                (0..self.tree.n_seats()).for_each(|seat| self.choose(seat));
            }
        }
    }

    fn learn(&mut self, seat: usize) {
        let entries = self.tree.entries_of(game::Seat::new(seat as u8));
        self.last[entries.clone()].fill(0.0);
        self.walk(0, seat, Reach { own: 1.0, others: 1.0, chance: 1.0 });
        let t = self.t as f64;
        for entry in entries {
            let sum = match self.fault {
                Fault::ClippedPerHistory => self.regrets[entry],
                _ => self.regrets[entry] + self.last[entry],
            };
            let power = |exponent: f64| t.powf(exponent) / (t.powf(exponent) + 1.0);
            self.regrets[entry] = match self.rule {
                Rule::Vanilla => sum,
                Rule::Plus | Rule::PredictivePlus => sum.max(0.0),
                Rule::Linear => sum * power(1.0),
                Rule::Discounted { alpha, beta, .. } => {
                    sum * power(if sum >= 0.0 { alpha } else { beta })
                }
            };
        }
        // As written in the paper on discounted CFR: the sums so far shrink, the newest is added in full.
        let shrink = match self.rule {
            Rule::Linear => t / (t + 1.0),
            Rule::Discounted { gamma, .. } => (t / (t + 1.0)).powf(gamma),
            _ => 1.0,
        };
        for entry in self.tree.entries_of(game::Seat::new(seat as u8)) {
            self.sums[entry] *= shrink;
        }
    }

    fn choose(&mut self, seat: usize) {
        let seat = game::Seat::new(seat as u8);
        let predicts = self.rule == Rule::PredictivePlus;
        let hopes: Vec<f64> = self
            .regrets
            .iter()
            .zip(&self.last)
            .map(|(regret, last)| (regret + if predicts { *last } else { 0.0 }).max(0.0))
            .collect();
        let next = Policy::from_weights(self.tree, &hopes);
        let entries = self.tree.entries_of(seat);
        self.strategies[entries.clone()].copy_from_slice(&next.probabilities()[entries]);
    }

    /// The expected utility of `seat` from `node` on.
    fn walk(&mut self, node: usize, seat: usize, reach: Reach) -> f64 {
        let tree = self.tree;
        match tree.kind(node) {
            NodeKind::Terminal(terminal) => {
                let viewed = if self.fault == Fault::SignNotTurned { 0 } else { seat };
                tree.utilities(terminal)[viewed]
            }
            NodeKind::Chance => {
                let total = tree.chance_total(node) as f64;
                let mut value = 0.0;
                for child in tree.children(node) {
                    let share = f64::from(tree.chance_weight(child)) / total;
                    let next = Reach { chance: reach.chance * share, ..reach };
                    value += share * self.walk(child, seat, next);
                }
                value
            }
            NodeKind::Decision(set) => self.decide(node, set as usize, seat, reach),
        }
    }

    fn decide(&mut self, node: usize, set: usize, seat: usize, reach: Reach) -> f64 {
        let tree = self.tree;
        let set = &tree.information_sets()[set];
        let is_own = set.seat.idx() == seat;
        let mut values = Vec::new();
        for (child, entry) in tree.children(node).zip(set.entries()) {
            let probability = self.strategies[entry];
            let next = if is_own {
                Reach { own: reach.own * probability, ..reach }
            } else {
                Reach { others: reach.others * probability, ..reach }
            };
            values.push(self.walk(child, seat, next));
        }
        let mean: f64 =
            values.iter().zip(set.entries()).map(|(v, entry)| v * self.strategies[entry]).sum();
        if is_own {
            self.remember(node, set.first_node as usize, set.entries(), &values, mean, reach);
        }
        mean
    }

    fn remember(
        &mut self,
        node: usize,
        first_node: usize,
        entries: std::ops::Range<usize>,
        values: &[f64],
        mean: f64,
        reach: Reach,
    ) {
        let counterfactual = match self.fault {
            Fault::ReachesSwapped => reach.own * reach.chance,
            Fault::OthersReachDropped => reach.chance,
            Fault::ChanceDropped => reach.others,
            _ => reach.others * reach.chance,
        };
        let own = match self.fault {
            Fault::ReachesSwapped => reach.others,
            Fault::AverageByJointReach => reach.own * reach.others * reach.chance,
            _ => reach.own,
        };
        // The own reach is the same for all histories of a set: it is counted once.
        let counts = node == first_node || self.fault == Fault::AverageByJointReach;
        let weight = match self.rule {
            Rule::Plus => self.t as f64,
            Rule::PredictivePlus => (self.t * self.t) as f64,
            _ => 1.0,
        };
        for (entry, value) in entries.zip(values) {
            let regret = counterfactual * (value - mean);
            self.last[entry] += regret;
            if self.fault == Fault::ClippedPerHistory {
                self.regrets[entry] = (self.regrets[entry] + regret).max(0.0);
            }
            if counts {
                self.sums[entry] += weight * own * self.strategies[entry];
            }
        }
    }
}
