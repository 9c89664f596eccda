//! A slow twin of the weighted beliefs. It fills every configuration into the position, asks the rules for every
//! action or draw there, keeps those that look like what was seen, and adds up probabilities as rational numbers.

use crate::observation::with_concealed;
use game::{Chance, Hidden, Rules, Seat, Turn};
use num_bigint::BigUint;
use num_rational::Ratio;
use std::collections::BTreeMap;
use warchest::{Action, Coins, Concealed, Decision, Event, State, WarChest};

pub type Rational = Ratio<BigUint>;

pub fn ratio(numerator: u32, denominator: u32) -> Rational {
    Ratio::new(BigUint::from(numerator), BigUint::from(denominator))
}

/// How the watched seat chooses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Chooser {
    /// Uniformly among its legal actions.
    AnyAction,
    /// A coin of its hand uniformly; what it does with it is no evidence.
    AnyCoin,
}

#[derive(Clone, Debug)]
pub struct Enumeration {
    pub chooser: Chooser,
    /// The watched seat.
    pub subject: Seat,
    /// Sorted by drawn, hand, discards; the probabilities add up to 1.
    pub probabilities: BTreeMap<[u32; 3], (Concealed, Rational)>,
}

fn key(concealed: &Concealed) -> [u32; 3] {
    [concealed.drawn, concealed.hand, concealed.discard_down].map(Coins::bits)
}

impl Enumeration {
    /// At the start of a game nothing is hidden but the order of a full bag.
    pub fn begin(chooser: Chooser, subject: Seat, start: &State) -> Enumeration {
        let concealed = Concealed::of(start, subject);
        assert!(concealed.total().is_empty(), "a game starts with full bags");
        let probabilities = BTreeMap::from([(key(&concealed), (concealed, ratio(1, 1)))]);
        Enumeration { chooser, subject, probabilities }
    }

    /// The other seat saw `event` when the subject played in a position that looks like `before`. Reads only what
    /// is public of `before`, and the other seat's own coins.
    pub fn advance(&mut self, rules: &WarChest, before: &State, event: &Event) {
        if event.seat != self.subject {
            return;
        }
        let mut next = Enumeration { probabilities: BTreeMap::new(), ..*self };
        for (concealed, probability) in self.probabilities.values() {
            self.for_each_next(rules, before, event, concealed, &mut |after, chance| {
                next.add(&after, probability * chance);
            });
        }
        let total = next.probabilities.values().fold(ratio(0, 1), |sum, (_, p)| sum + p);
        next.probabilities.values_mut().for_each(|(_, p)| *p /= &total);
        *self = next;
    }

    pub fn add(&mut self, concealed: &Concealed, probability: Rational) {
        let entry = self.probabilities.entry(key(concealed));
        entry.or_insert((*concealed, ratio(0, 1))).1 += probability;
    }

    /// Everything that looks like `event` and that the subject, hiding `concealed`, can have done or drawn: what it
    /// hides then, and how likely that was.
    pub fn for_each_next(
        &self,
        rules: &WarChest,
        before: &State,
        event: &Event,
        concealed: &Concealed,
        each: &mut impl FnMut(Concealed, Rational),
    ) {
        let filled = with_concealed(before, self.subject, concealed);
        for (action, chance) in self.options(rules, &filled) {
            if rules.event(&filled, action, self.subject.other()) == *event {
                let mut after = filled;
                rules.apply(&mut after, action);
                each(Concealed::of(&after, self.subject), chance);
            }
        }
    }

    /// Everything that can happen with its probability.
    fn options(&self, rules: &WarChest, state: &State) -> Vec<(Action, Rational)> {
        let mut all = Vec::new();
        if rules.turn(state) == Turn::Chance {
            rules.outcomes(state, &mut |action, weight| all.push((action, weight)));
            let total: u32 = all.iter().map(|(_, weight)| weight).sum();
            return all
                .into_iter()
                .map(|(action, weight)| (action, ratio(weight, total)))
                .collect();
        }
        let legal = rules.legal(state);
        let n_legal = legal.len() as u32;
        let zones = state.zones(self.subject);
        let pool = match state.decision() {
            Some(Decision::Main) => zones.hand,
            Some(Decision::WarriorPriestPlay) => zones.drawn,
            _ => Coins::NONE,
        };
        let chance = |action: Action| {
            if self.chooser == Chooser::AnyAction || pool.is_empty() {
                return ratio(1, n_legal);
            }
            let coin = rules.event(state, action, self.subject).coin.expect("a coin is used");
            let slot = state.army(self.subject).coin_slot(coin).unwrap();
            ratio(u32::from(pool.count(slot)), pool.total())
        };
        legal.into_iter().map(|action| (action, chance(action))).collect()
    }
}
