//! The one filter behind every measure: the configurations of one seat's hidden coins, carried event by event
//! through the public course of a game.

use super::integers::Integers;
use super::key::{Key, Place, all_keys};
use super::replay::Replay;
use super::table::{Likelihood, Table};
use super::weights::Weights;
use crate::observation::{Event, Flow, Now, SeenZones};
use crate::{Coins, Concealed, State, WarChest};
use game::{Contradiction, Observation, Seat, World};
use num_bigint::BigUint;
use std::marker::PhantomData;

/// How the likelihood of what a seat does with its coins is judged.
pub trait Measure: Copy + Send + Sync + 'static {
    /// Name and version, as configs and manifests carry it.
    const NAME: &'static str;

    type Weights: Weights;
    /// Of the coin that a seat chose to use.
    type Play: Likelihood;
    /// Of the coin that was drawn.
    type Draw: Likelihood;

    /// The weight of a configuration when nothing is known of how it came about; `reserve` is all that is hidden.
    fn at_start(key: Key, reserve: Coins) -> u128;

    /// For a coin used by `state`'s actor from `place`, where a configuration of `keys` lies.
    fn play(
        rules: &WarChest,
        state: &State,
        keys: &[Key],
        place: Place,
    ) -> Result<Self::Play, &'static str>;

    const DRAW: Self::Draw;

    /// Every configuration with its weight as one canonical byte string.
    fn write(posterior: &Posterior<Self>, out: &mut Vec<u8>);
}

/// The possible configurations of one seat's hidden coins, and their weights, after some prefix of the history.
pub struct Posterior<M: Measure> {
    subject: Seat,
    n_events: usize,
    /// `None` when the start already contradicts itself.
    replay: Option<Replay>,
    table: Table<M::Weights>,
    measure: PhantomData<M>,
}

impl<M: Measure> Clone for Posterior<M> {
    fn clone(&self) -> Posterior<M> {
        Posterior { replay: self.replay.clone(), table: self.table.clone(), ..*self }
    }
}

impl<M: Measure> std::fmt::Debug for Posterior<M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Posterior")
            .field("subject", &self.subject)
            .field("n_events", &self.n_events)
            .field("support_len", &self.table.keys().len())
            .finish()
    }
}

impl<M: Measure> Posterior<M> {
    /// What the observer may conclude about `subject` before the first event. With itself as the subject: what
    /// its opponent may conclude about it.
    pub fn begin(observation: &Observation<WarChest>, subject: Seat) -> Posterior<M> {
        let start = observation.start();
        let seen =
            if subject == start.observer { SeenZones::of(&start.own) } else { start.opponent };
        let keys = all_keys(seen.reserve, seen.hand_len, seen.discard_down_len, seen.drawn_len);
        let mut table = Table::new(keys, |key| M::at_start(key, seen.reserve));
        table.seal();
        let replay = Replay::begin(start);
        Posterior { subject, n_events: 0, replay, table, measure: PhantomData }
    }

    /// Takes in the events that it has not seen; `observation` continues the one it began with.
    pub fn catch_up(
        &mut self,
        rules: &WarChest,
        observation: &Observation<WarChest>,
    ) -> Result<(), Contradiction> {
        let contradiction =
            |event_idx: usize, reason: &str| Contradiction { event_idx, reason: reason.to_owned() };
        let events = observation.events();
        debug_assert!(self.n_events <= events.len(), "a posterior never goes back");
        if self.table.keys().is_empty() {
            return Err(contradiction(self.n_events, "its zones do not fit its coins"));
        }
        while let Some(event) = events.get(self.n_events) {
            let taken = self.take_in(rules, event);
            taken.map_err(|reason| contradiction(self.n_events, reason))?;
            self.n_events += 1;
        }
        let is_like = |replay: &Replay| replay.looks_like(observation.now());
        if !self.replay.as_ref().is_some_and(is_like) {
            let last_idx = events.len().saturating_sub(1);
            return Err(contradiction(last_idx, "the events do not lead to what is known now"));
        }
        self.table.seal();
        Ok(())
    }

    fn take_in(&mut self, rules: &WarChest, event: &Event) -> Result<(), &'static str> {
        let replay = self.replay.as_mut().ok_or("its zones do not fit its coins")?;
        let action = replay.action_of(rules, event)?;
        if event.seat == self.subject {
            move_coins::<M>(rules, replay.state(), event, &mut self.table)?;
        }
        replay.apply(rules, action);
        Ok(())
    }

    pub(crate) fn table(&self) -> &Table<M::Weights> {
        &self.table
    }

    pub(crate) fn world(&self, now: &Now, seed: u64) -> World<WarChest> {
        let keys = self.table.keys();
        let key = keys[self.table.weights().pick(keys.len(), seed)];
        let concealed = key.concealed();
        // The replay has got to `now`, and has its tables of units at hand.
        World::sampled(match &self.replay {
            Some(replay) => replay.complete(&concealed),
            None => now.complete(&concealed),
        })
    }

    /// How many configurations have weight.
    pub fn support_len(&self) -> usize {
        self.table.keys().len()
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

/// Moves the coin of one event of the subject, played in `before`, in all configurations.
fn move_coins<M: Measure>(
    rules: &WarChest,
    before: &State,
    event: &Event,
    table: &mut Table<M::Weights>,
) -> Result<(), &'static str> {
    let zones = before.zones(event.seat);
    let reserve = zones.hand + zones.bag + zones.discard_down + zones.drawn;
    let used_from = if zones.drawn.is_empty() { Place::Hand } else { Place::Flight };
    match event.flow() {
        Flow::None | Flow::StackToDiscardUp | Flow::DiscardUpToBoard => return Ok(()),
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
            let coin = event.coin.ok_or("an open action shows no coin")?;
            let slot = before.army(event.seat).coin_slot(coin);
            let slot = slot.ok_or("its army has no such coin")?;
            let play = M::play(rules, before, table.keys(), used_from)?;
            table.reveal(used_from, slot, reserve, &play);
        }
        Flow::UsedToDiscardDown => {
            let play = M::play(rules, before, table.keys(), used_from)?;
            table.shift(used_from, Place::DiscardDown, reserve, &play);
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
