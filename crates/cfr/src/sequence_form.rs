//! The tree without its inner nodes: for each seat the tree of its own decisions, and a list of terminals.
//!
//! A *sequence* of a seat is one of its entries, or nothing at all: sequence 0 is the empty one, sequence `k + 1` the
//! seat's `k`-th entry. With perfect recall a history fixes one sequence a seat, and the probability that a seat plays
//! towards it is the product of its own choices along that sequence, its *plan*. A terminal is then reached with
//! (chance) × (plan of each seat), each factor kept apart (von Stengel, Efficient computation of behavior strategies,
//! 1996). Everything that solvers and best responses need is a pass over terminals and a pass over one seat's sets.

use crate::policy::Policy;
use crate::tree::{NodeKind, Tree};
use game::Seat;

/// One seat's own decisions.
#[derive(Clone, Debug)]
pub struct OwnDecisions {
    /// The seat's first entry in arrays over all entries.
    pub first_entry: usize,
    /// One more than the seat has sets: the actions of set `k` are sequences `first[k]..first[k + 1]`.
    pub first_sequences: Vec<u32>,
    /// The sequence before each set. It belongs to an earlier set.
    pub parent_sequences: Vec<u32>,
}

impl OwnDecisions {
    pub fn n_sets(&self) -> usize {
        self.parent_sequences.len()
    }

    /// The empty sequence included.
    pub fn n_sequences(&self) -> usize {
        *self.first_sequences.last().expect("one more than sets") as usize
    }

    /// Writes the probability that the seat plays each sequence, if its choices are `probabilities` (one an entry of
    /// this seat).
    pub fn write_plan(&self, probabilities: &[f64], plan: &mut [f64]) {
        plan[0] = 1.0;
        for (set, parent) in self.parent_sequences.iter().enumerate() {
            let before = plan[*parent as usize];
            for sequence in self.first_sequences[set]..self.first_sequences[set + 1] {
                plan[sequence as usize] = before * probabilities[sequence as usize - 1];
            }
        }
    }
}

/// The sequence form of a compiled game.
#[derive(Clone, Debug)]
pub struct SequenceForm {
    pub seats: Vec<OwnDecisions>,
    /// `n_seats` sequences a terminal.
    pub terminal_sequences: Vec<u32>,
    /// The probability of a terminal's chance outcomes.
    pub terminal_chances: Vec<f64>,
    /// `n_seats` utilities a terminal.
    pub utilities: Vec<f64>,
}

impl SequenceForm {
    pub fn new(tree: &Tree) -> SequenceForm {
        let seats: Vec<OwnDecisions> = tree.seats().map(|seat| own_decisions(tree, seat)).collect();
        let n_seats = tree.n_seats();
        let mut at = vec![0u32; tree.n_nodes() * n_seats];
        let mut terminal_sequences = vec![0; tree.n_terminals() * n_seats];
        let mut terminal_chances = vec![0.0; tree.n_terminals()];
        let chances = tree.chance_reaches();
        for node in 0..tree.n_nodes() {
            if let NodeKind::Terminal(terminal) = tree.kind(node) {
                let place = terminal as usize * n_seats;
                terminal_sequences[place..place + n_seats]
                    .copy_from_slice(&at[node * n_seats..(node + 1) * n_seats]);
                terminal_chances[terminal as usize] = chances[node];
            }
            for child in tree.children(node) {
                at.copy_within(node * n_seats..(node + 1) * n_seats, child * n_seats);
                if let (NodeKind::Decision(set), Some(entry)) =
                    (tree.kind(node), tree.entry_into(child))
                {
                    let seat = tree.information_sets()[set as usize].seat.idx();
                    at[child * n_seats + seat] = (entry - seats[seat].first_entry) as u32 + 1;
                }
            }
        }
        let utilities = tree.utilities.clone();
        SequenceForm { seats, terminal_sequences, terminal_chances, utilities }
    }

    pub fn n_seats(&self) -> usize {
        self.seats.len()
    }

    pub fn n_terminals(&self) -> usize {
        self.terminal_chances.len()
    }

    /// Every seat's plan under a policy.
    pub fn plans(&self, policy: &Policy) -> Vec<Vec<f64>> {
        let plan = |own: &OwnDecisions| {
            let mut plan = vec![0.0; own.n_sequences()];
            let first = own.first_entry;
            let probabilities = &policy.probabilities()[first..first + own.n_sequences() - 1];
            own.write_plan(probabilities, &mut plan);
            plan
        };
        self.seats.iter().map(plan).collect()
    }

    /// For every sequence of `seat`: the sum over the terminals it leads to directly (no further decision of the seat
    /// on the way) of chance × the others' plans × the seat's utility. The seat's own plan is not in it.
    pub fn values_of_sequences(&self, seat: Seat, plans: &[Vec<f64>]) -> Vec<f64> {
        let n_seats = self.n_seats();
        let mut values = vec![0.0; self.seats[seat.idx()].n_sequences()];
        for terminal in 0..self.n_terminals() {
            let row = terminal * n_seats..(terminal + 1) * n_seats;
            let sequences = &self.terminal_sequences[row.clone()];
            let mut reach = self.terminal_chances[terminal];
            for other in (0..n_seats).filter(|other| *other != seat.idx()) {
                reach *= plans[other][sequences[other] as usize];
            }
            values[sequences[seat.idx()] as usize] +=
                reach * self.utilities[row.start + seat.idx()];
        }
        values
    }

    /// The expected utility of each seat.
    pub fn expected_utilities(&self, policy: &Policy) -> Vec<f64> {
        let plans = self.plans(policy);
        let value = |seat: usize| {
            let values = self.values_of_sequences(Seat::new(seat as u8), &plans);
            values.iter().zip(&plans[seat]).map(|(value, reach)| value * reach).sum()
        };
        (0..self.n_seats()).map(value).collect()
    }
}

fn own_decisions(tree: &Tree, seat: Seat) -> OwnDecisions {
    let first_entry = tree.entries_of(seat).start;
    let local = |entry: usize| (entry - first_entry) as u32 + 1;
    let sets = &tree.information_sets()[tree.sets_of(seat)];
    let mut first_sequences = vec![1];
    first_sequences.extend(sets.iter().map(|set| local(set.entries().end)));
    let parent = |parent: Option<u32>| parent.map_or(0, |entry| local(entry as usize));
    let parent_sequences = sets.iter().map(|set| parent(set.parent_entry)).collect();
    OwnDecisions { first_entry, first_sequences, parent_sequences }
}
