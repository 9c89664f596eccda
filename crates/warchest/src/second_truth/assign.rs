//! Chooses the hidden coins of a [`Script`] anew, at random, with backtracking.

use super::script::{Item, Place, Script};
use crate::{Coins, N_SLOTS};
use game::Stream;

/// How many coins may be tried in one search before it gives up.
const TRIES_MAX: usize = 4000;

/// A slot for every item of a script, the open ones included.
pub(super) struct Assignment {
    pub slots: Vec<usize>,
    /// Hand, coin in flight and face-down discards after the last item.
    pub end: [Coins; 3],
}

/// The seat's coins off the board while a script runs.
#[derive(Clone, Copy)]
struct Run {
    bag: Coins,
    hand: Coins,
    flight: Coins,
    discard_down: Coins,
    discard_up: Coins,
}

struct Search<'a> {
    script: &'a Script,
    /// Items of earlier cycles keep their real coins.
    from_cycle: usize,
    stream: &'a mut Stream,
    slots: Vec<usize>,
    n_tries: usize,
}

impl Assignment {
    /// A random assignment that shows what the script shows, the cycles before `from_cycle` left as they were.
    pub fn draw(script: &Script, from_cycle: usize, stream: &mut Stream) -> Option<Assignment> {
        let run = Run {
            bag: script.reserve,
            hand: Coins::NONE,
            flight: Coins::NONE,
            discard_down: Coins::NONE,
            discard_up: script.discard_up,
        };
        let mut search = Search { script, from_cycle, stream, slots: Vec::new(), n_tries: 0 };
        let end = search.go(0, run)?;
        Some(Assignment { slots: search.slots, end: [end.hand, end.flight, end.discard_down] })
    }
}

impl Search<'_> {
    /// Assigns the items from `idx` on; leaves `slots` as it was where that is impossible.
    fn go(&mut self, idx: usize, run: Run) -> Option<Run> {
        let mut at = idx;
        let mut run = run;
        // Open items leave no choice.
        while let Some(item) = self.script.items.get(at) {
            let Some(slot) = run.follow(item) else { break };
            self.slots.push(slot);
            at += 1;
        }
        if at == self.script.items.len() {
            return Some(run);
        }
        if matches!(self.script.items[at], Item::Draw { .. }) {
            run.refill();
        }
        let (order, n) = self.candidates(at, &run);
        for slot in &order[..n] {
            self.n_tries += 1;
            if self.n_tries > TRIES_MAX {
                break;
            }
            self.slots.push(*slot);
            let end = self.go(at + 1, run.take(&self.script.items[at], *slot));
            if end.is_some() {
                return end;
            }
            self.slots.truncate(at);
        }
        self.slots.truncate(idx);
        None
    }

    /// The slots that the hidden coin of this item may have, in random order, and how many they are.
    fn candidates(&mut self, idx: usize, run: &Run) -> ([usize; N_SLOTS], usize) {
        let mut weights = self.weights(idx, run);
        let mut order = [0; N_SLOTS];
        let mut n = 0;
        if self.script.cycles[idx] < self.from_cycle {
            order[0] = self.script.real_slots()[idx];
            return (order, 1);
        }
        loop {
            let total: u32 = weights.iter().map(|weight| u32::from(*weight)).sum();
            if total == 0 {
                return (order, n);
            }
            let mut left = self.stream.below(total);
            let mut slot = 0;
            while left >= u32::from(weights[slot]) {
                left -= u32::from(weights[slot]);
                slot += 1;
            }
            weights[slot] = 0;
            order[n] = slot;
            n += 1;
        }
    }

    /// By slot: how many coins may be taken here without making impossible what must be shown later.
    fn weights(&self, idx: usize, run: &Run) -> [u8; N_SLOTS] {
        let script = self.script;
        let need = script.hand_needs[idx];
        let lacking = minus(need, run.hand);
        match script.items[idx] {
            Item::UseHidden { from: Place::Flight, .. } => run.flight.counts(),
            Item::UseHidden { .. } => minus(run.hand, need).counts(),
            Item::Draw { to: Place::Flight, .. } | Item::Start(Place::Flight) => {
                match script.shown_flight(idx) {
                    Some(slot) => {
                        let mut weights = [0; N_SLOTS];
                        weights[slot] = run.bag.count(slot);
                        weights
                    }
                    None => minus(run.bag, script.later_needs[idx] + lacking).counts(),
                }
            }
            Item::Draw { to: Place::Hand, .. } | Item::Start(Place::Hand) => {
                self.draw_weights(idx, run, lacking)
            }
            Item::Start(_) | Item::Draw { .. } => {
                minus(run.bag, script.later_needs[idx] + lacking).counts()
            }
            Item::UseShown { .. } | Item::Discarded(_) | Item::Retrieved(_) => [0; N_SLOTS],
        }
    }

    fn draw_weights(&self, idx: usize, run: &Run, lacking: Coins) -> [u8; N_SLOTS] {
        let script = self.script;
        if lacking.total() > script.draws_left[idx] {
            return [0; N_SLOTS];
        }
        let is_forced = lacking.total() == script.draws_left[idx];
        let mut reserved = script.later_needs[idx];
        if script.is_round_closed[idx] {
            reserved = reserved + lacking;
        }
        std::array::from_fn(|slot| {
            let in_bag = run.bag.count(slot);
            if lacking.has(slot) {
                // It serves the round's own need, so only later rounds compete for it.
                in_bag.saturating_sub(script.later_needs[idx].count(slot))
            } else if is_forced {
                0
            } else {
                in_bag.saturating_sub(reserved.count(slot))
            }
        })
    }
}

impl Run {
    /// Plays an item that leaves no choice and returns its slot.
    fn follow(&mut self, item: &Item) -> Option<usize> {
        match *item {
            Item::UseShown { slot, from, is_discarded } => {
                let zone = self.zone(from);
                if !zone.has(slot) {
                    return None;
                }
                *zone = *zone - Coins::one(slot);
                if is_discarded {
                    self.discard_up = self.discard_up + Coins::one(slot);
                }
                Some(slot)
            }
            Item::Discarded(slot) => {
                self.discard_up = self.discard_up + Coins::one(slot);
                Some(slot)
            }
            Item::Retrieved(slot) => {
                self.discard_up = self.discard_up - Coins::one(slot);
                Some(slot)
            }
            Item::Start(_) | Item::Draw { .. } | Item::UseHidden { .. } => None,
        }
    }

    /// The hidden coin of `item` is of `slot`.
    fn take(mut self, item: &Item, slot: usize) -> Run {
        let coin = Coins::one(slot);
        let to = match *item {
            Item::Start(place) | Item::Draw { to: place, .. } => {
                self.bag = self.bag - coin;
                place
            }
            Item::UseHidden { from, .. } => {
                let zone = self.zone(from);
                *zone = *zone - coin;
                Place::DiscardDown
            }
            Item::UseShown { .. } | Item::Discarded(_) | Item::Retrieved(_) => return self,
        };
        let zone = self.zone(to);
        *zone = *zone + coin;
        self
    }

    fn refill(&mut self) {
        if self.bag.is_empty() {
            self.bag = self.discard_up + self.discard_down;
            self.discard_up = Coins::NONE;
            self.discard_down = Coins::NONE;
        }
    }

    fn zone(&mut self, place: Place) -> &mut Coins {
        match place {
            Place::Hand => &mut self.hand,
            Place::Flight => &mut self.flight,
            Place::DiscardDown => &mut self.discard_down,
        }
    }
}

/// What remains of `coins` when `taken` is taken away as far as it is there.
fn minus(coins: Coins, taken: Coins) -> Coins {
    Coins::from_counts(std::array::from_fn(|slot| {
        coins.count(slot).saturating_sub(taken.count(slot))
    }))
}
