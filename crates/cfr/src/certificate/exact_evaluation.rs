//! Values and best responses in exact arithmetic.
//!
//! Every terminal's contribution is an integer over one common denominator: the least common multiple of the chance
//! totals on the ways to the terminals, times the policy's denominator to the greatest number of decisions on a way,
//! times a power of two that makes all utilities integers. Sums and comparisons are then those of integers; fractions
//! are reduced once, at the end.

use super::exact_policy::ExactPolicy;
use super::rational::{Dyadic, Rational};
use crate::tree::{NodeKind, Tree};
use game::Seat;
use num_bigint::BigInt;
use num_integer::Integer;

/// What exact strategies earn and what deviations from them would; one number a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExactEvaluation {
    pub values: Vec<Rational>,
    pub best_responses: Vec<Rational>,
}

/// A terminal whose utility is no finite number.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("after {history:?} a utility is no finite number")]
pub struct InfiniteUtility {
    pub history: Vec<String>,
}

impl ExactEvaluation {
    pub fn of(tree: &Tree, policy: &ExactPolicy) -> Result<ExactEvaluation, InfiniteUtility> {
        let ways = Ways::of(tree)?;
        let powers = powers(policy.denominator(), ways.decisions_max);
        let mut values = Vec::new();
        let mut best_responses = Vec::new();
        for seat in tree.seats() {
            let unit = &ways.chance_unit * &powers[ways.decisions_max];
            let exact = |sum: BigInt| Rational::new(sum, &unit << ways.utility_scale);
            values.push(exact(ways.value(tree, policy, &powers, seat)));
            best_responses.push(exact(ways.best_response(tree, policy, &powers, seat)));
        }
        Ok(ExactEvaluation { values, best_responses })
    }

    /// The sum over the seats of what each gains by deviating alone. Never negative.
    pub fn nash_conv(&self) -> Rational {
        let gains = self.best_responses.iter().zip(&self.values).map(|(best, value)| best - value);
        gains.fold(Rational::from_integer(BigInt::from(0)), |sum, gain| sum + gain)
    }
}

/// The ways from the root to the terminals, and the units that make all that happens on them integers.
struct Ways {
    /// Node of each terminal.
    nodes: Vec<usize>,
    /// Per terminal, the probability of its chance outcomes, in units of 1 / `chance_unit`.
    chances: Vec<BigInt>,
    chance_unit: BigInt,
    /// Utilities are in units of 2^−`utility_scale`.
    utility_scale: usize,
    /// The most decisions on a way.
    decisions_max: usize,
}

impl Ways {
    fn of(tree: &Tree) -> Result<Ways, InfiniteUtility> {
        let mut ways = Ways {
            nodes: Vec::new(),
            chances: Vec::new(),
            chance_unit: BigInt::from(1),
            utility_scale: 0,
            decisions_max: 0,
        };
        let mut totals = Vec::new();
        for node in 0..tree.n_nodes() {
            let NodeKind::Terminal(terminal) = tree.kind(node) else { continue };
            let history = || tree.history(node).into_iter().map(str::to_owned).collect();
            for utility in tree.utilities(terminal) {
                let dyadic =
                    Dyadic::of(*utility).ok_or_else(|| InfiniteUtility { history: history() })?;
                ways.utility_scale = ways.utility_scale.max(dyadic.scale.max(0) as usize);
            }
            let (mut weight, mut total) = (BigInt::from(1), BigInt::from(1));
            let (mut at, mut decisions) = (node, 0);
            while at != tree.parent(at) {
                let parent = tree.parent(at);
                match tree.kind(parent) {
                    NodeKind::Chance => {
                        weight *= tree.chance_weight(at);
                        total *= tree.chance_total(parent);
                    }
                    _ => decisions += 1,
                }
                at = parent;
            }
            if !ways.chance_unit.is_multiple_of(&total) {
                ways.chance_unit = ways.chance_unit.lcm(&total);
            }
            ways.decisions_max = ways.decisions_max.max(decisions);
            ways.nodes.push(node);
            ways.chances.push(weight);
            totals.push(total);
        }
        for (chance, total) in ways.chances.iter_mut().zip(&totals) {
            *chance *= &ways.chance_unit / total;
        }
        Ok(ways)
    }

    /// The seat's expected utility, in the common unit.
    fn value(&self, tree: &Tree, policy: &ExactPolicy, powers: &[BigInt], seat: Seat) -> BigInt {
        let mut sum = BigInt::from(0);
        for (node, chance) in self.nodes.iter().zip(&self.chances) {
            let (mut product, mut decisions) = (chance.clone(), 0);
            for entry in Path::to(tree, *node) {
                product *= policy.numerators()[entry];
                decisions += 1;
            }
            sum +=
                product * &powers[self.decisions_max - decisions] * self.utility(tree, *node, seat);
        }
        sum
    }

    /// The most that the seat can earn against the others' strategies, in the common unit.
    fn best_response(
        &self,
        tree: &Tree,
        policy: &ExactPolicy,
        powers: &[BigInt],
        seat: Seat,
    ) -> BigInt {
        let own = tree.entries_of(seat);
        // What each own entry earns from there on, then the place before the seat's first decision.
        let mut earned = vec![BigInt::from(0); own.len()];
        let mut total = BigInt::from(0);
        for (node, chance) in self.nodes.iter().zip(&self.chances) {
            let (mut product, mut decisions, mut last_own) = (chance.clone(), 0, None);
            for entry in Path::to(tree, *node) {
                if own.contains(&entry) {
                    last_own = last_own.or(Some(entry));
                } else {
                    product *= policy.numerators()[entry];
                    decisions += 1;
                }
            }
            let contribution =
                product * &powers[self.decisions_max - decisions] * self.utility(tree, *node, seat);
            match last_own {
                Some(entry) => earned[entry - own.start] += contribution,
                None => total += contribution,
            }
        }
        // A set comes after those that its player has passed: backwards, later decisions are settled first.
        for set in tree.sets_of(seat).rev() {
            let set = &tree.information_sets()[set];
            let best = set.entries().map(|entry| &earned[entry - own.start]).max().cloned();
            let best = best.unwrap_or_default();
            match set.parent_entry {
                Some(entry) => earned[entry as usize - own.start] += best,
                None => total += best,
            }
        }
        total
    }

    fn utility(&self, tree: &Tree, node: usize, seat: Seat) -> BigInt {
        let NodeKind::Terminal(terminal) = tree.kind(node) else { return BigInt::from(0) };
        match Dyadic::of(tree.utilities(terminal)[seat.idx()]) {
            Some(dyadic) => {
                let shift = self.utility_scale as i64 - i64::from(dyadic.scale);
                BigInt::from(dyadic.numerator) << shift
            }
            None => BigInt::from(0),
        }
    }
}

/// The entries on the way to a node, the last first.
struct Path<'t> {
    tree: &'t Tree,
    at: usize,
}

impl Path<'_> {
    fn to(tree: &Tree, node: usize) -> Path<'_> {
        Path { tree, at: node }
    }
}

impl Iterator for Path<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        while self.at != self.tree.parent(self.at) {
            let entry = self.tree.entry_into(self.at);
            self.at = self.tree.parent(self.at);
            if entry.is_some() {
                return entry;
            }
        }
        None
    }
}

/// The powers of `base` from 0 to `last`.
fn powers(base: u64, last: usize) -> Vec<BigInt> {
    let mut powers = vec![BigInt::from(1)];
    for exponent in 0..last {
        let next = &powers[exponent] * base;
        powers.push(next);
    }
    powers
}
