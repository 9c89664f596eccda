//! The one filter behind every measure: the configurations of one seat's hidden coins, carried event by event
//! through the public course of a game.

use super::choice::Choice;
use super::integers::Integers;
use super::key::{Key, Place, all_keys};
use super::replay::Replay;
use super::table::{Likelihood, Table};
use super::weights::Weights;
use crate::event_text::event_text;
use crate::observation::{Event, Flow, Now, SeenZones};
use crate::position_text::now_text;
use crate::{Coins, Concealed, State, WarChest};
use game::{Contradiction, EvalRequest, Evaluation, Observation, Rules, Seat, World};
use num_bigint::BigUint;

/// How the likelihood of what a seat does with its coins is judged.
pub trait Measure: Clone + Send + Sync + 'static {
    /// Name and version, as configs carry it.
    const NAME: &'static str;

    type Weights: Weights;
    /// Of the coin that a seat chose to use.
    type Play: Likelihood;
    /// Of the coin that was drawn.
    type Draw: Likelihood;

    const DRAW: Self::Draw;

    /// Whether a choice that uses no coin (where to move on, whether to stop) tells anything of the coins.
    const JUDGES_COINLESS: bool = false;

    /// The name with the parameters, as manifests carry it.
    fn name(&self) -> String {
        Self::NAME.to_owned()
    }

    /// The weight of a configuration when nothing is known of how it came about; `reserve` is all that is hidden.
    fn at_start(key: Key, reserve: Coins) -> u128;

    /// What the network must say before `choice` can be judged for these configurations.
    fn questions(&self, choice: &Choice<'_>, keys: &[Key]) -> Vec<EvalRequest<WarChest>> {
        let _ = (choice, keys);
        Vec::new()
    }

    /// For a choice and the configurations `keys`; `evaluations` are the answers to the questions.
    fn play(
        &self,
        choice: &Choice<'_>,
        keys: &[Key],
        evaluations: &[Evaluation],
    ) -> Result<Self::Play, &'static str>;

    /// Every configuration with its weight as one canonical byte string.
    fn write(posterior: &Posterior<Self>, out: &mut Vec<u8>);
}

/// The possible configurations of one seat's hidden coins, and their weights, after some prefix of the history.
#[derive(Clone)]
pub struct Posterior<M: Measure> {
    measure: M,
    subject: Seat,
    n_events: usize,
    /// `None` when the start already contradicts itself.
    replay: Option<Replay>,
    table: Table<M::Weights>,
    /// About the next event.
    questions: Vec<EvalRequest<WarChest>>,
    /// To the questions about the next event.
    answers: Option<Vec<Evaluation>>,
}

impl<M: Measure> std::fmt::Debug for Posterior<M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Posterior")
            .field("measure", &self.measure.name())
            .field("subject", &self.subject)
            .field("n_events", &self.n_events)
            .field("support_len", &self.table.keys().len())
            .finish()
    }
}

impl<M: Measure> Posterior<M> {
    /// What the observer may conclude about `subject` before the first event. With itself as the subject: what
    /// its opponent may conclude about it.
    pub fn begin(measure: M, observation: &Observation<WarChest>, subject: Seat) -> Posterior<M> {
        let start = observation.start();
        let seen =
            if subject == start.observer { SeenZones::of(&start.own) } else { start.opponent };
        let keys = all_keys(seen.reserve, seen.hand_len, seen.discard_down_len, seen.drawn_len);
        let mut table = Table::new(keys, |key| M::at_start(key, seen.reserve));
        table.seal();
        let replay = Replay::begin(start);
        Posterior {
            measure,
            subject,
            n_events: 0,
            replay,
            table,
            questions: Vec::new(),
            answers: None,
        }
    }

    /// Takes in the events that it has not seen, up to the first about which it has questions; `observation`
    /// continues the one it began with.
    pub fn catch_up(
        &mut self,
        rules: &WarChest,
        observation: &Observation<WarChest>,
    ) -> Result<(), Contradiction> {
        let events = observation.events();
        debug_assert!(self.n_events <= events.len(), "a posterior never goes back");
        if self.n_events == 0 {
            self.check_start(rules, observation)?;
        }
        while let Some(event) = events.get(self.n_events) {
            match self.take_in(rules, event) {
                Ok(true) => self.n_events += 1,
                Ok(false) => return Ok(()),
                Err(reason) => {
                    let reason = format!("{}: {reason}", event_text(event));
                    return Err(self.contradiction(reason, observation));
                }
            }
        }
        let known = self.replay.as_ref().map(Replay::now);
        if known != Some(*observation.now()) {
            let fields = known.map_or(String::new(), |known| known.difference(observation.now()));
            let reason = format!("the events do not lead to what is known now ({fields} differ)");
            return Err(self.contradiction(reason, observation));
        }
        self.table.seal();
        Ok(())
    }

    fn check_start(
        &self,
        rules: &WarChest,
        observation: &Observation<WarChest>,
    ) -> Result<(), Contradiction> {
        let contradiction = |reason: String| Err(self.contradiction(reason, observation));
        let Some(replay) = self.replay.as_ref().filter(|_| !self.table.keys().is_empty()) else {
            return contradiction("the zones of the start do not fit its coins".to_owned());
        };
        match rules.validate(replay.state()) {
            Ok(()) => Ok(()),
            Err(invalid) => contradiction(format!("the start: {invalid}")),
        }
    }

    fn contradiction(&self, reason: String, observation: &Observation<WarChest>) -> Contradiction {
        let known = self.replay.as_ref().map_or(*observation.start(), Replay::now);
        Contradiction { event_idx: self.n_events, reason, position: now_text(&known) }
    }

    /// False when questions about the event must be answered first.
    fn take_in(&mut self, rules: &WarChest, event: &Event) -> Result<bool, &'static str> {
        let replay = self.replay.as_mut().ok_or("its zones do not fit its coins")?;
        let action = replay.action_of(rules, event)?;
        if event.seat == self.subject {
            let choice = Choice::new(rules, replay, event);
            if choice.is_judged_by::<M>() && self.answers.is_none() && self.questions.is_empty() {
                self.questions = self.measure.questions(&choice, self.table.keys());
            }
            if !self.questions.is_empty() {
                return Ok(false);
            }
            let answers = self.answers.take().unwrap_or_default();
            move_coins(&self.measure, &choice, &answers, &mut self.table)?;
        }
        replay.apply(rules, action);
        Ok(true)
    }

    /// What the network must be asked before it can go on.
    pub fn questions(&self) -> &[EvalRequest<WarChest>] {
        &self.questions
    }

    /// One evaluation a question, in order.
    pub fn answer(&mut self, evaluations: &[Evaluation]) {
        assert_eq!(evaluations.len(), self.questions.len(), "one evaluation for each question");
        self.questions.clear();
        self.answers = Some(evaluations.to_vec());
    }

    pub(crate) fn table(&self) -> &Table<M::Weights> {
        &self.table
    }

    pub(crate) fn world(&self, now: &Now, seed: u64) -> World<WarChest> {
        let keys = self.table.keys();
        self.world_of(now, keys[self.table.weights().pick(keys.len(), seed)])
    }

    #[inline]
    fn world_of(&self, now: &Now, key: Key) -> World<WarChest> {
        let concealed = key.concealed();
        // The replay has got to `now`, and has its tables of units at hand.
        World::sampled(match &self.replay {
            Some(replay) => replay.complete(&concealed),
            None => now.complete(&concealed),
        })
    }

    pub(super) fn all_worlds(&self, now: &Now) -> Vec<(World<WarChest>, f64)> {
        let keys = self.table.keys();
        let shares = self.table.weights().log_shares(keys.len());
        keys.iter().map(|key| self.world_of(now, *key)).zip(shares).collect()
    }

    /// How many configurations have weight.
    pub fn support_len(&self) -> usize {
        self.table.keys().len()
    }

    /// The natural logarithm of this configuration's share of the weight; minus infinity where it has none.
    pub fn log_weight(&self, concealed: &Concealed) -> f64 {
        match self.table.keys().binary_search(&Key::of(concealed)) {
            Ok(row) => self.table.weights().log_shares(self.table.keys().len())[row],
            Err(_) => f64::NEG_INFINITY,
        }
    }

    /// The same of what `state` hides from `observer`.
    pub(super) fn log_weight_of(&self, observer: Seat, state: &State) -> f64 {
        self.log_weight(&Concealed::of(state, observer.other()))
    }

    /// Every configuration with its weight as one canonical byte string.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        M::write(self, &mut out);
        out
    }

    /// Whether this configuration has weight.
    pub fn admits(&self, concealed: &Concealed) -> bool {
        self.table.keys().binary_search(&Key::of(concealed)).is_ok()
    }

    /// The configurations in canonical order.
    pub fn configurations(&self) -> impl Iterator<Item = Concealed> {
        self.table.keys().iter().map(|key| key.concealed())
    }
}

/// Moves the coin of one event of the subject in all configurations.
fn move_coins<M: Measure>(
    measure: &M,
    choice: &Choice<'_>,
    answers: &[Evaluation],
    table: &mut Table<M::Weights>,
) -> Result<(), &'static str> {
    let zones = choice.zones();
    let reserve = zones.hand + zones.bag + zones.discard_down + zones.drawn;
    match choice.event().flow() {
        flow @ (Flow::BagToHand | Flow::BagToFlight) => {
            let to = if flow == Flow::BagToHand { Place::Hand } else { Place::Flight };
            let mut reserve = reserve;
            if zones.bag.is_empty() {
                table.refill();
                reserve = reserve + zones.discard_up;
            }
            table.shift(Place::Bag, to, reserve, &M::DRAW);
        }
        Flow::UsedToBoard | Flow::UsedToDiscardUp => {
            let coin = choice.event().coin.ok_or("an open action shows no coin")?;
            let slot = choice.slot_of(coin).ok_or("its army has no such coin")?;
            let play = measure.play(choice, table.keys(), answers)?;
            table.reveal(choice.used_from(), slot, reserve, &play);
        }
        Flow::UsedToDiscardDown => {
            let play = measure.play(choice, table.keys(), answers)?;
            table.shift(choice.used_from(), Place::DiscardDown, reserve, &play);
        }
        Flow::None | Flow::StackToDiscardUp | Flow::DiscardUpToBoard => {
            if M::JUDGES_COINLESS {
                table.weigh(&measure.play(choice, table.keys(), answers)?);
            }
        }
    }
    if table.keys().is_empty() {
        return Err("no configuration has the coin that moved");
    }
    Ok(())
}

impl<M: Measure<Weights = Integers>> Posterior<M> {
    /// The configurations in canonical order with their weights, which have no common factor.
    pub fn weighted(&self) -> Vec<(Concealed, BigUint)> {
        self.configurations().zip(self.table.weights().reduced()).collect()
    }
}

/// The number of configurations, the bytes of a weight, then each configuration as one word with its weight;
/// little-endian. The weights have no common factor; their sum is the denominator.
pub(super) fn weighted_bytes<M: Measure<Weights = Integers>>(
    posterior: &Posterior<M>,
    out: &mut Vec<u8>,
) {
    let weights: Vec<Vec<u8>> =
        posterior.table.weights().reduced().iter().map(BigUint::to_bytes_le).collect();
    let n_bytes = weights.iter().map(Vec::len).max().unwrap_or(0);
    out.extend((weights.len() as u64).to_le_bytes());
    out.extend((n_bytes as u32).to_le_bytes());
    for (key, weight) in posterior.table.keys().iter().zip(&weights) {
        out.extend(key.bits().to_le_bytes());
        out.extend(weight);
        out.extend(std::iter::repeat_n(0, n_bytes - weight.len()));
    }
}
