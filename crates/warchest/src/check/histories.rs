//! Every history of a game that looks alike to one seat, by the rules alone.
//!
//! Whole positions are kept, each with the probability that chance and the players lead there: every action that the
//! rules allow and every coin that can be drawn is played in each, and what the seat would see of it says which
//! histories still look alike. Nothing here knows which zones are hidden or what an event means; beliefs are compared
//! with it.

use crate::{Action, Coins, Concealed, Decision, Event, Now, State, WarChest};
use game::{Chance, Hidden, Rules, Seat, Turn};
use num_bigint::BigUint;
use num_integer::Integer;
use std::collections::{BTreeMap, HashMap};

/// How both seats choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Chooser {
    /// Uniformly among the legal actions.
    AnyAction,
    /// Any coin of the hand, or the one in flight, with equal chances; what is done with it is no evidence.
    AnyCoin,
}

impl Chooser {
    pub const BOTH: [Chooser; 2] = [Chooser::AnyAction, Chooser::AnyCoin];
}

#[derive(Clone)]
struct History {
    state: State,
    /// By chooser: the probability of the history, over a denominator that all histories share.
    probabilities: [BigUint; 2],
}

/// All histories that look alike to the observer so far.
#[derive(Clone)]
pub struct Histories {
    observer: Seat,
    all: Vec<History>,
    is_merged: bool,
}

/// One way to go on, as the observer sees it.
pub struct Continuation {
    pub event: Event,
    pub now: Now,
    pub histories: Histories,
}

/// What each chooser does or chance gives with its probability: numerators over a denominator.
struct Options {
    all: Vec<(Action, [u64; 2])>,
    denominators: [u64; 2],
}

impl Histories {
    pub fn begin(observer: Seat, start: State) -> Histories {
        let history = History { state: start, probabilities: [1u32, 1].map(BigUint::from) };
        Histories { observer, all: vec![history], is_merged: false }
    }

    pub fn n_histories(&self) -> usize {
        self.all.len()
    }

    /// Whether histories that led to the same position were ever counted together.
    pub fn is_merged(&self) -> bool {
        self.is_merged
    }

    /// Any of the positions. What the observer may know is the same in all.
    pub fn any(&self) -> &State {
        &self.all[0].state
    }

    /// Everything that the observer may see next.
    pub fn continuations(&self, rules: &WarChest) -> Vec<Continuation> {
        let options: Vec<Options> =
            self.all.iter().map(|history| options(rules, &history.state)).collect();
        let common = [0, 1].map(|chooser| {
            options.iter().fold(1, |common: u64, o| common.lcm(&o.denominators[chooser]))
        });
        let mut found: Vec<Continuation> = Vec::new();
        for (history, options) in self.all.iter().zip(&options) {
            let factors = [0, 1].map(|chooser| common[chooser] / options.denominators[chooser]);
            for (action, numerators) in &options.all {
                let mut state = history.state;
                let event = rules.event(&state, *action, self.observer);
                rules.apply(&mut state, *action);
                let now = rules.now(&state, self.observer);
                let is_like = |c: &Continuation| c.event == event && c.now == now;
                let idx = found.iter().position(is_like).unwrap_or_else(|| {
                    let histories = Histories { all: Vec::new(), ..*self };
                    found.push(Continuation { event, now, histories });
                    found.len() - 1
                });
                let probabilities = [0, 1].map(|chooser| {
                    &history.probabilities[chooser] * (numerators[chooser] * factors[chooser])
                });
                found[idx].histories.all.push(History { state, probabilities });
            }
        }
        found
    }

    /// Counts histories that led to the same position together from here on.
    pub fn merge(&mut self) {
        let mut idx_of: HashMap<State, usize> = HashMap::new();
        let mut merged: Vec<History> = Vec::new();
        for history in self.all.drain(..) {
            match idx_of.get(&history.state) {
                Some(idx) => {
                    let sums = &mut merged[*idx].probabilities;
                    sums.iter_mut().zip(&history.probabilities).for_each(|(sum, p)| *sum += p);
                }
                None => {
                    idx_of.insert(history.state, merged.len());
                    merged.push(history);
                }
            }
        }
        self.all = merged;
        self.is_merged = true;
    }

    /// What the other seat hides with its probability under each chooser, over denominators of their own. Sorted
    /// as beliefs sort it: by coin in flight, hand, then discards.
    pub fn hidden(&self) -> Vec<(Concealed, [BigUint; 2])> {
        let mut sums: BTreeMap<[u32; 3], (Concealed, [BigUint; 2])> = BTreeMap::new();
        for history in &self.all {
            let concealed = Concealed::of(&history.state, self.observer.other());
            let Concealed { hand, discard_down, drawn } = concealed;
            let entry = sums.entry([drawn, hand, discard_down].map(Coins::bits));
            let (_, sum) = entry.or_insert((concealed, [BigUint::ZERO, BigUint::ZERO]));
            sum.iter_mut().zip(&history.probabilities).for_each(|(sum, p)| *sum += p);
        }
        sums.into_values().collect()
    }
}

fn options(rules: &WarChest, state: &State) -> Options {
    let mut all = Vec::new();
    if rules.turn(state) == Turn::Chance {
        let mut total = 0;
        rules.outcomes(state, &mut |action, weight| {
            all.push((action, [u64::from(weight); 2]));
            total += u64::from(weight);
        });
        return Options { all, denominators: [total; 2] };
    }
    let legal = rules.legal(state);
    let seat = state.decider();
    let zones = state.zones(seat);
    let used_from = match state.decision() {
        Some(Decision::Main) => zones.hand,
        Some(Decision::WarriorPriestPlay) => zones.drawn,
        _ => Coins::NONE,
    };
    let n_coins = u64::from(used_from.total()).max(1);
    for action in &legal {
        let coin = rules.event(state, *action, seat).coin;
        let slot = coin.and_then(|coin| state.army(seat).coin_slot(coin));
        let n_alike = slot.map_or(0, |slot| u64::from(used_from.count(slot)));
        let by_coin = if used_from.is_empty() { 1 } else { n_alike };
        all.push((*action, [1, by_coin]));
    }
    Options { all, denominators: [(legal.len() as u64).max(1), n_coins] }
}
