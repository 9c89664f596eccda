//! The value of a two-seat zero-sum game by a linear program over the first seat's plans (Koller, Megiddo, von Stengel,
//! Fast algorithms for finding randomized strategies in game trees, 1994). Built from the tree's nodes alone.

use crate::tree::{NodeKind, Tree};
use microlp::{ComparisonOp, OptimizationDirection, Problem, Variable};
use std::collections::BTreeMap;

/// Why there is no value.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum NoValue {
    #[error("the game has {n_seats} seats; the program is for two")]
    NotForTwo { n_seats: usize },
    #[error("the utilities of the two seats do not sum to 0; the program needs that they do")]
    NotZeroSum,
    #[error("the linear program was not solved: {reason}")]
    NotSolved { reason: String },
}

/// A seat's own choices on the way to a node: the set and action it came through last; `None` before the first.
type Sequence = Option<(u32, u32)>;

/// What the program is made of.
#[derive(Default)]
struct Parts {
    /// For each seat, its sets with the sequence before them and their number of actions.
    sets: [BTreeMap<u32, (Sequence, u32)>; 2],
    /// Chance times the first seat's utility, summed over the terminals of two sequences.
    payoffs: BTreeMap<(Sequence, Sequence), f64>,
}

/// The most that the first seat can secure. As exact as the crate that solves the program: on Leduc 4e-8 off, whatever
/// the payoffs are scaled to.
///
/// maximize v over plans x of the first seat, where for every sequence s of the second seat: the worth of the set that s
/// leaves is at most the worths of the sets that follow s plus what s earns against x; v is the worth of the start.
pub fn value(tree: &Tree) -> Result<f64, NoValue> {
    if tree.n_seats() != 2 {
        return Err(NoValue::NotForTwo { n_seats: tree.n_seats() });
    }
    if !tree.is_zero_sum() {
        return Err(NoValue::NotZeroSum);
    }
    let mut parts = Parts::default();
    gather(tree, 0, [None, None], 1.0, &mut parts);
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let free = (f64::NEG_INFINITY, f64::INFINITY);
    let start = problem.add_var(1.0, free);
    let mut plan: BTreeMap<Sequence, Variable> = BTreeMap::new();
    plan.insert(None, problem.add_var(0.0, (1.0, 1.0)));
    for (set, (_, n_actions)) in &parts.sets[0] {
        for action in 0..*n_actions {
            plan.insert(Some((*set, action)), problem.add_var(0.0, (0.0, 1.0)));
        }
    }
    for (set, (before, n_actions)) in &parts.sets[0] {
        let mut terms: Vec<(Variable, f64)> =
            (0..*n_actions).map(|action| (plan[&Some((*set, action))], 1.0)).collect();
        terms.push((plan[before], -1.0));
        problem.add_constraint(&terms, ComparisonOp::Eq, 0.0);
    }
    let worths: BTreeMap<u32, Variable> =
        parts.sets[1].keys().map(|set| (*set, problem.add_var(0.0, free))).collect();
    // One row for each sequence of the second seat.
    let mut rows: BTreeMap<Sequence, Vec<(Variable, f64)>> = BTreeMap::new();
    rows.insert(None, vec![(start, 1.0)]);
    for (set, (_, n_actions)) in &parts.sets[1] {
        for action in 0..*n_actions {
            rows.insert(Some((*set, action)), vec![(worths[set], 1.0)]);
        }
    }
    for (set, (before, _)) in &parts.sets[1] {
        rows.entry(*before).or_default().push((worths[set], -1.0));
    }
    for ((first, second), payoff) in &parts.payoffs {
        rows.entry(*second).or_default().push((plan[first], -payoff));
    }
    for terms in rows.values() {
        problem.add_constraint(terms, ComparisonOp::Le, 0.0);
    }
    let failed = |reason: String| NoValue::NotSolved { reason };
    let outcome = problem.solve().map_err(|error| failed(error.to_string()))?;
    let solution = outcome.into_solution().map_err(|_| failed("it was stopped".to_owned()))?;
    Ok(solution.objective())
}

fn gather(tree: &Tree, node: usize, sequences: [Sequence; 2], chance: f64, parts: &mut Parts) {
    match tree.kind(node) {
        NodeKind::Terminal(terminal) => {
            let payoff = chance * tree.utilities(terminal)[0];
            *parts.payoffs.entry((sequences[0], sequences[1])).or_default() += payoff;
        }
        NodeKind::Chance => {
            let total = tree.chance_total(node) as f64;
            for child in tree.children(node) {
                let share = f64::from(tree.chance_weight(child)) / total;
                gather(tree, child, sequences, chance * share, parts);
            }
        }
        NodeKind::Decision(set) => {
            let seat = tree.information_sets()[set as usize].seat.idx();
            let n_actions = tree.children(node).len() as u32;
            parts.sets[seat].insert(set, (sequences[seat], n_actions));
            for (action, child) in tree.children(node).enumerate() {
                let mut next = sequences;
                next[seat] = Some((set, action as u32));
                gather(tree, child, next, chance, parts);
            }
        }
    }
}
