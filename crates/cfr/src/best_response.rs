//! The best that one seat can do when all others keep to a policy.

use crate::policy::Policy;
use crate::sequence_form::SequenceForm;
use crate::tree::Tree;
use game::Seat;

/// A pure strategy that no other of the same seat beats, and what it earns.
#[derive(Clone, PartialEq, Debug)]
pub struct BestResponse {
    pub seat: Seat,
    /// The seat's expected utility.
    pub value: f64,
    /// The chosen action's place in each of the seat's sets; among equals the first.
    pub choices: Vec<u32>,
}

/// Exact, in one pass over the terminals and one over the seat's sets.
pub fn best_response(form: &SequenceForm, plans: &[Vec<f64>], seat: Seat) -> BestResponse {
    let own = &form.seats[seat.idx()];
    let mut values = form.values_of_sequences(seat, plans);
    let mut choices = vec![0; own.n_sets()];
    for set in (0..own.n_sets()).rev() {
        let actions = own.first_sequences[set] as usize..own.first_sequences[set + 1] as usize;
        let (mut best, mut best_value) = (actions.start, values[actions.start]);
        for action in actions.clone() {
            if best_value < values[action] {
                (best, best_value) = (action, values[action]);
            }
        }
        choices[set] = (best - actions.start) as u32;
        values[own.parent_sequences[set] as usize] += best_value;
    }
    BestResponse { seat, value: values[0], choices }
}

impl BestResponse {
    /// `policy` with this seat's part replaced by the response.
    pub fn against(&self, tree: &Tree, policy: &Policy) -> Policy {
        let mut weights = policy.probabilities().to_vec();
        for (set, choice) in tree.sets_of(self.seat).zip(&self.choices) {
            let row = &mut weights[tree.information_sets()[set].entries()];
            row.fill(0.0);
            row[*choice as usize] = 1.0;
        }
        Policy::from_weights(tree, &weights)
    }
}
