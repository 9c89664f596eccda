//! NashConv of a player that can only be asked, between two estimates.
//!
//! The player is asked n times in every information set, which gives a policy Â, and n times more, which gives an
//! independent B̂. A best response s_A to Â also exploits the noise of Â, so its value there is too high: E max ≥ max E.
//! Valued against B̂, which knows nothing of s_A, it is not: with perfect recall every history asks a set at most once,
//! sets are sampled independently, and so the expected value against B̂ is the true value of s_A against the player,
//! which no response exceeds. Hence, in expectation,
//!
//! Σᵢ uᵢ(s_A, B̂) − uᵢ(B̂)  ≤  NashConv  ≤  Σᵢ uᵢ(s_A, Â) − uᵢ(Â).
//!
//! Both directions (A on B, B on A; A on A, B on B) are averaged. Both sides close in on NashConv as n grows.

use super::estimate::Estimate;
use super::player::StochasticPlayer;
use crate::best_response::best_response;
use crate::policy::Policy;
use crate::sequence_form::SequenceForm;
use crate::tree::Tree;
use game::{Seat, Stream};

/// How often a player is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Asks {
    /// n: in each information set, for each half of a pair.
    pub per_half: u32,
    /// Independent pairs of halves; at least two, so that there is a standard error.
    pub pairs: u32,
}

/// What was found. In expectation NashConv lies between the means.
#[derive(Clone, PartialEq, Debug)]
pub struct Bracket {
    pub asks: Asks,
    /// Fitted on one half, valued on the other: in expectation at most NashConv.
    pub lower: Estimate,
    /// Fitted and valued on the same half: in expectation at least NashConv.
    pub upper: Estimate,
    pub seats: Vec<SeatBracket>,
}

/// One seat's part of the sums: what it gains by a best response to the others.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SeatBracket {
    pub seat: Seat,
    pub lower: Estimate,
    pub upper: Estimate,
}

impl Bracket {
    /// How often the player was asked in each information set.
    pub fn asks_per_set(&self) -> u64 {
        2 * u64::from(self.asks.per_half) * u64::from(self.asks.pairs)
    }

    pub fn width(&self) -> f64 {
        self.upper.mean - self.lower.mean
    }
}

/// A player that cannot be measured so.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BracketError {
    #[error(
        "the player took action number {place} in information set {set} ({label}), which has {n_actions}"
    )]
    NoSuchAction { set: usize, label: String, place: usize, n_actions: usize },
    #[error("{per_half} asks a half in {pairs} pairs are too few: at least 1 in at least 2 pairs")]
    TooFewAsks { per_half: u32, pairs: u32 },
}

/// Asks `player`, which plays all seats, in every information set. The same seed gives the same bracket.
pub fn bracket(
    tree: &Tree,
    player: &mut impl StochasticPlayer,
    asks: Asks,
    seed: u64,
) -> Result<Bracket, BracketError> {
    let Asks { per_half, pairs } = asks;
    if per_half < 1 || pairs < 2 {
        return Err(BracketError::TooFewAsks { per_half, pairs });
    }
    let form = SequenceForm::new(tree);
    let mut stream = Stream::from_seed(seed);
    // By seat, one number a pair.
    let mut lowers = vec![Vec::new(); tree.n_seats()];
    let mut uppers = lowers.clone();
    for _ in 0..pairs {
        let halves = [
            Half::new(&form, &sampled_policy(tree, player, per_half, &mut stream)?),
            Half::new(&form, &sampled_policy(tree, player, per_half, &mut stream)?),
        ];
        for seat in tree.seats() {
            let gain = |fitted: &Half, valued: &Half| fitted.gain_against(&form, valued, seat);
            let [a, b] = &halves;
            lowers[seat.idx()].push((gain(a, b) + gain(b, a)) / 2.0);
            uppers[seat.idx()].push((gain(a, a) + gain(b, b)) / 2.0);
        }
    }
    let seats = tree.seats().map(|seat| SeatBracket {
        seat,
        lower: Estimate::of(&lowers[seat.idx()]),
        upper: Estimate::of(&uppers[seat.idx()]),
    });
    Ok(Bracket {
        asks,
        lower: Estimate::of(&sums(&lowers)),
        upper: Estimate::of(&sums(&uppers)),
        seats: seats.collect(),
    })
}

/// Brackets at n, 2n, 4n … asks a half, `doublings` times: how fast both sides close in.
pub fn brackets(
    tree: &Tree,
    player: &mut impl StochasticPlayer,
    first: Asks,
    doublings: u32,
    seed: u64,
) -> Result<Vec<Bracket>, BracketError> {
    let asks = (0..=doublings).map(|k| Asks { per_half: first.per_half << k, ..first });
    asks.map(|asks| bracket(tree, player, asks, seed.wrapping_add(u64::from(asks.per_half))))
        .collect()
}

/// How often `player` takes each action, as a policy.
fn sampled_policy(
    tree: &Tree,
    player: &mut impl StochasticPlayer,
    asks: u32,
    stream: &mut Stream,
) -> Result<Policy, BracketError> {
    let mut counts = vec![0.0; tree.n_entries()];
    for (number, set) in tree.information_sets().iter().enumerate() {
        for _ in 0..asks {
            let place = player.act(tree, number, stream);
            let n_actions = set.n_actions as usize;
            if place >= n_actions {
                let label = set.label.clone();
                return Err(BracketError::NoSuchAction { set: number, label, place, n_actions });
            }
            counts[set.first_entry as usize + place] += 1.0;
        }
    }
    Ok(Policy::from_weights(tree, &counts))
}

/// One half's policy, and the best responses to it.
struct Half {
    plans: Vec<Vec<f64>>,
    values: Vec<f64>,
    /// By seat, the plan of its best response.
    responses: Vec<Vec<f64>>,
}

impl Half {
    fn new(form: &SequenceForm, policy: &Policy) -> Half {
        let plans = form.plans(policy);
        let responses = (0..form.n_seats()).map(|idx| {
            let seat = Seat::new(idx as u8);
            let choices = best_response(form, &plans, seat).choices;
            let own = &form.seats[idx];
            let mut chosen = vec![0.0; own.n_sequences() - 1];
            for (set, choice) in choices.iter().enumerate() {
                chosen[(own.first_sequences[set] + choice) as usize - 1] = 1.0;
            }
            let mut plan = vec![0.0; own.n_sequences()];
            own.write_plan(&chosen, &mut plan);
            plan
        });
        let responses = responses.collect();
        let values = form.expected_utilities(policy);
        Half { plans, values, responses }
    }

    /// What `seat` gains by the response to this half when the others play as in `other`.
    fn gain_against(&self, form: &SequenceForm, other: &Half, seat: Seat) -> f64 {
        let values = form.values_of_sequences(seat, &other.plans);
        let response = &self.responses[seat.idx()];
        let earned: f64 = values.iter().zip(response).map(|(value, reach)| value * reach).sum();
        earned - other.values[seat.idx()]
    }
}

fn sums(by_seat: &[Vec<f64>]) -> Vec<f64> {
    (0..by_seat[0].len()).map(|pair| by_seat.iter().map(|draws| draws[pair]).sum()).collect()
}
