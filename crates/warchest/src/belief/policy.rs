//! `policy-posterior`: the opponent is assumed to choose as the network would in its place, tempered.
//!
//! With exponent b an action has likelihood p(a)^b / sum over the legal actions of p^b, p being the network's policy
//! for what the opponent would know in that configuration. Exponent 0 is `exact-uniform`; 1 takes the policy at its
//! word. The exponent is fitted on games that were set aside.

use super::choice::Choice;
use super::filter::{Measure, Posterior};
use super::floats::Floats;
use super::key::Key;
use super::labelled::n_labellings;
use super::table::{AnyCoin, Likelihood};
use crate::observation::Now;
use crate::{Action, Coins, N_SLOTS, Setup, State, WarChest};
use game::{ActionSpace, EvalRequest, Evaluation, Hidden, Rules, Seat};

/// The belief `policy-posterior`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PolicyPosterior {
    exponent: f64,
}

/// The configurations of the opponent with their weights after some prefix of the history.
pub type PolicyTable = Posterior<PolicyPosterior>;

impl PolicyPosterior {
    /// What `belief_exponent` is where it is not given: half-way between exact-uniform and the bare policy. `muster
    /// audit beliefs RUN` fits it on a run's games.
    pub const DEFAULT_EXPONENT: f64 = 0.5;

    /// `None` unless the exponent lies in [0, 2].
    pub fn new(exponent: f64) -> Option<PolicyPosterior> {
        (0.0..=2.0).contains(&exponent).then_some(PolicyPosterior { exponent })
    }

    pub fn exponent(&self) -> f64 {
        self.exponent
    }
}

impl Measure for PolicyPosterior {
    const NAME: &'static str = "policy-posterior";
    const DRAW: AnyCoin = AnyCoin;
    const JUDGES_COINLESS: bool = true;

    type Weights = Floats;
    type Play = Policy;
    type Draw = AnyCoin;

    fn name(&self) -> String {
        format!("{} (exponent {})", Self::NAME, self.exponent)
    }

    fn at_start(key: Key, reserve: Coins) -> u128 {
        n_labellings(key, reserve)
    }

    /// One for every configuration that leaves a choice; none where there is one configuration.
    fn questions(&self, choice: &Choice<'_>, keys: &[Key]) -> Vec<EvalRequest<WarChest>> {
        if keys.len() < 2 {
            return Vec::new();
        }
        let rules = choice.rules();
        let seat = choice.subject();
        let setup = rules.now_setup(&Now::of(choice.before(), seat));
        let asked = keys.iter().filter_map(|key| {
            let state = choice.complete(*key);
            let actions: Vec<u16> =
                by_index(rules, &setup, seat, &state).iter().map(|(index, _)| *index).collect();
            (actions.len() > 1).then(|| EvalRequest { now: Now::of(&state, seat), actions })
        });
        asked.collect()
    }

    fn play(
        &self,
        choice: &Choice<'_>,
        keys: &[Key],
        evaluations: &[Evaluation],
    ) -> Result<Policy, &'static str> {
        if keys.len() < 2 {
            return Ok(Policy { rows: vec![[Policy::CERTAIN; N_SLOTS]; keys.len()] });
        }
        let setup = choice.rules().now_setup(&Now::of(choice.before(), choice.subject()));
        let mut evaluations = evaluations.iter();
        let mut rows = Vec::with_capacity(keys.len());
        for key in keys {
            let state = choice.complete(*key);
            let legal = by_index(choice.rules(), &setup, choice.subject(), &state);
            if legal.len() < 2 {
                rows.push([Policy::CERTAIN; N_SLOTS]);
                continue;
            }
            let evaluation = evaluations.next().ok_or("a question was not answered")?;
            rows.push(self.likelihoods(choice, *key, &legal, &evaluation.priors));
        }
        Ok(Policy { rows })
    }

    /// The number of configurations, then each as one word with its weight's bits; little-endian. The largest weight
    /// is 1.
    fn write(posterior: &PolicyTable, out: &mut Vec<u8>) {
        let table = posterior.table();
        out.extend((table.keys().len() as u64).to_le_bytes());
        for (key, weight) in table.keys().iter().zip(table.weights().rows()) {
            out.extend(key.bits().to_le_bytes());
            out.extend(weight.to_bits().to_le_bytes());
        }
    }
}

impl PolicyPosterior {
    /// For each slot, how likely the network finds what the event shows if the coin is of that slot.
    fn likelihoods(
        &self,
        choice: &Choice<'_>,
        key: Key,
        legal: &[(u16, Action)],
        priors: &[f32],
    ) -> [u128; N_SLOTS] {
        // A probability that rounds to nothing is no impossibility.
        let tempered = |prior: f32| f64::from(prior.max(1e-9)).powf(self.exponent);
        let sum: f64 = priors.iter().map(|prior| tempered(*prior)).sum();
        let of = |action: Action| {
            let idx = legal.iter().position(|(_, it)| *it == action)?;
            let share = tempered(*priors.get(idx)?) / sum;
            Some(((share * Policy::CERTAIN as f64) as u128).max(1))
        };
        // Where the coin is missing the action is not legal, and the configuration is dropped for it.
        if choice.is_open() {
            return [of(choice.action_with(0)).unwrap_or(1); N_SLOTS];
        }
        let coins = key.coins(choice.used_from(), Coins::NONE);
        let mut by_slot = [0; N_SLOTS];
        for slot in coins.slots() {
            by_slot[slot] = of(choice.action_with(slot)).unwrap_or(1);
        }
        by_slot
    }
}

/// The legal actions with their indices, ascending: the order in which a search asks about them too.
fn by_index(rules: &WarChest, setup: &Setup, seat: Seat, state: &State) -> Vec<(u16, Action)> {
    let legal = rules.legal(state);
    let index = |action: &Action| (rules.action_index(setup, seat, *action), *action);
    let mut by_index: Vec<(u16, Action)> = legal.iter().map(index).collect();
    by_index.sort_unstable_by_key(|(index, _)| *index);
    by_index
}

/// What the network's policy says of the coin that was used, by row and slot.
pub struct Policy {
    rows: Vec<[u128; N_SLOTS]>,
}

impl Policy {
    /// Likelihood 1.
    const CERTAIN: u128 = 1 << 64;
}

impl Likelihood for Policy {
    fn of(&self, row: usize, _: Coins, slot: usize) -> u128 {
        self.rows[row][slot]
    }

    fn most(&self) -> u128 {
        Policy::CERTAIN
    }
}
