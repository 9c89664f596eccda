//! NashConv as its definition reads, history by history. Slow; made to be compared with.
//!
//! A seat's best response takes in each information set the action whose value, summed over the set's histories and
//! weighted by the chance and the others' probabilities of reaching each, is greatest, when it goes on in the same
//! way afterwards.

use crate::nash_conv::NashConv;
use crate::policy::Policy;
use crate::tree::{NodeKind, Tree};
use game::Seat;

/// The sum over the seats of best response value minus value.
pub fn nash_conv(tree: &Tree, policy: &Policy) -> NashConv {
    let gain = |seat| best_response_value(tree, policy, seat) - value(tree, policy, seat);
    NashConv(tree.seats().map(gain).sum())
}

/// The seat's expected utility when all play `policy`.
pub fn value(tree: &Tree, policy: &Policy, seat: Seat) -> f64 {
    value_of_history(tree, 0, seat, &|node| match tree.entry_into(node) {
        Some(entry) => policy.probabilities()[entry],
        None => chance_probability(tree, node),
    })
}

/// The most that the seat can expect when all others play `policy`.
pub fn best_response_value(tree: &Tree, policy: &Policy, seat: Seat) -> f64 {
    let mut histories = vec![Vec::new(); tree.information_sets().len()];
    for node in 0..tree.n_nodes() {
        if let NodeKind::Decision(set) = tree.kind(node) {
            histories[set as usize].push(node);
        }
    }
    let choices = vec![None; histories.len()];
    Responder { tree, policy, seat, histories, choices }.value(0)
}

fn value_of_history(
    tree: &Tree,
    node: usize,
    seat: Seat,
    probability_into: &dyn Fn(usize) -> f64,
) -> f64 {
    if let NodeKind::Terminal(terminal) = tree.kind(node) {
        return tree.utilities(terminal)[seat.idx()];
    }
    let child_value =
        |child| probability_into(child) * value_of_history(tree, child, seat, probability_into);
    tree.children(node).map(child_value).sum()
}

/// Of an outcome among those of its chance node.
fn chance_probability(tree: &Tree, node: usize) -> f64 {
    f64::from(tree.chance_weight(node)) / tree.chance_total(tree.parent(node)) as f64
}

struct Responder<'a> {
    tree: &'a Tree,
    policy: &'a Policy,
    seat: Seat,
    /// Per information set.
    histories: Vec<Vec<usize>>,
    /// Per information set of the seat, the place of its best action, once it is known.
    choices: Vec<Option<usize>>,
}

impl Responder<'_> {
    /// What the seat expects from a history on, when it takes its best actions.
    fn value(&mut self, node: usize) -> f64 {
        match self.tree.kind(node) {
            NodeKind::Terminal(terminal) => self.tree.utilities(terminal)[self.seat.idx()],
            NodeKind::Decision(set) if self.is_own(set) => {
                let place = self.choice(set as usize);
                self.value(self.tree.children(node).start + place)
            }
            _ => {
                let children = self.tree.children(node);
                children.map(|child| self.probability_into(child) * self.value(child)).sum()
            }
        }
    }

    fn choice(&mut self, set: usize) -> usize {
        if let Some(place) = self.choices[set] {
            return place;
        }
        let histories = self.histories[set].clone();
        let n_actions = self.tree.information_sets()[set].n_actions as usize;
        let (mut best, mut best_value) = (0, f64::NEG_INFINITY);
        for place in 0..n_actions {
            let mut value = 0.0;
            for history in &histories {
                let child = self.tree.children(*history).start + place;
                value += self.others_reach(*history) * self.value(child);
            }
            if best_value < value {
                (best, best_value) = (place, value);
            }
        }
        self.choices[set] = Some(best);
        best
    }

    /// The probability that chance and the other seats play towards a history.
    fn others_reach(&self, node: usize) -> f64 {
        let (mut reach, mut at) = (1.0, node);
        while at != self.tree.parent(at) {
            let parent = self.tree.parent(at);
            let is_own =
                matches!(self.tree.kind(parent), NodeKind::Decision(set) if self.is_own(set));
            if !is_own {
                reach *= self.probability_into(at);
            }
            at = parent;
        }
        reach
    }

    fn is_own(&self, set: u32) -> bool {
        self.tree.information_sets()[set as usize].seat == self.seat
    }

    fn probability_into(&self, node: usize) -> f64 {
        match self.tree.entry_into(node) {
            Some(entry) => self.policy.probabilities()[entry],
            None => chance_probability(self.tree, node),
        }
    }
}
