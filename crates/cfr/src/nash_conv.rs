//! How far a policy is from equilibrium.

use crate::best_response::best_response;
use crate::policy::Policy;
use crate::sequence_form::SequenceForm;

/// The sum over all seats of what each gains by deviating alone to a best response. 0 in an equilibrium, never less
/// (but for rounding).
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct NashConv(pub f64);

/// NashConv of a game of two seats, divided by two.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct Exploitability(pub f64);

/// What a policy earns and what deviations from it would.
#[derive(Clone, PartialEq, Debug)]
pub struct Evaluation {
    /// The expected utility of each seat.
    pub values: Vec<f64>,
    /// What each seat's best response to the others earns it.
    pub best_responses: Vec<f64>,
}

impl Evaluation {
    pub fn of(form: &SequenceForm, policy: &Policy) -> Evaluation {
        let plans = form.plans(policy);
        let seats = (0..form.n_seats()).map(|seat| game::Seat::new(seat as u8));
        Evaluation {
            values: form.expected_utilities(policy),
            best_responses: seats.map(|seat| best_response(form, &plans, seat).value).collect(),
        }
    }

    pub fn nash_conv(&self) -> NashConv {
        NashConv(
            self.best_responses.iter().zip(&self.values).map(|(best, value)| best - value).sum(),
        )
    }

    /// `None` unless the game has two seats.
    pub fn exploitability(&self) -> Option<Exploitability> {
        (self.values.len() == 2).then(|| Exploitability(self.nash_conv().0 / 2.0))
    }
}
