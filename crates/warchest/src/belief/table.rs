//! Hidden configurations with their weights, and how coins that change their zone change both.

use super::key::{Key, Place};
use super::weights::Weights;
use crate::{Coins, N_SLOTS};

/// How likely each coin of a place is to be the one that moves, up to a factor that all configurations share.
pub trait Likelihood {
    /// The integer likelihood that the coin is of `slot`, in the configuration of row `row`, where `coins` lie where
    /// it comes from. Not 0 when `coins` has the slot.
    fn of(&self, row: usize, coins: Coins, slot: usize) -> u128;

    /// No value of [`Likelihood::of`] is larger.
    fn most(&self) -> u128;
}

/// Every coin of the place is equally likely: a draw, or a player that takes any of its coins.
pub struct AnyCoin;

impl Likelihood for AnyCoin {
    #[inline]
    fn of(&self, _: usize, coins: Coins, slot: usize) -> u128 {
        u128::from(coins.count(slot))
    }

    fn most(&self) -> u128 {
        0xf
    }
}

/// Nothing is more likely than anything else.
pub struct Same;

impl Likelihood for Same {
    #[inline]
    fn of(&self, _: usize, _: Coins, _: usize) -> u128 {
        1
    }

    fn most(&self) -> u128 {
        1
    }
}

/// Distinct configurations in rising order, all with the same sizes of all zones.
#[derive(Clone, Debug)]
pub struct Table<W> {
    keys: Vec<Key>,
    weights: W,
    /// Room for the next table.
    spare_keys: Vec<Key>,
    spare_weights: W,
}

impl<W: Weights> Table<W> {
    /// These configurations, which must rise, with these weights.
    pub fn new(keys: Vec<Key>, weight: impl Fn(Key) -> u128) -> Table<W> {
        let weights = W::new(keys.iter().map(|key| weight(*key)));
        Table { keys, weights, spare_keys: Vec::new(), spare_weights: W::new(std::iter::empty()) }
    }

    pub fn keys(&self) -> &[Key] {
        &self.keys
    }

    pub fn weights(&self) -> &W {
        &self.weights
    }

    /// Makes it ready to be sampled from.
    pub fn seal(&mut self) {
        self.weights.seal();
    }

    /// One coin went from one hidden place to another, and which one is not known.
    pub fn shift(&mut self, from: Place, to: Place, reserve: Coins, likelihood: &impl Likelihood) {
        let slots: Vec<Walk> =
            reserve.slots().map(|slot| Walk { slot, idx: 0, next: None }).collect();
        self.rebuild(likelihood.most().saturating_mul(N_SLOTS as u128), |table, out| {
            let mut walks = [Walk::DONE; N_SLOTS];
            walks[..slots.len()].copy_from_slice(&slots);
            let walks = &mut walks[..slots.len()];
            walks.iter_mut().for_each(|walk| walk.find(&table.keys, from, to, reserve));
            while let Some(lowest) = walks.iter().filter_map(|walk| walk.next).min() {
                out.begin_row(lowest);
                for walk in walks.iter_mut().filter(|walk| walk.next == Some(lowest)) {
                    let coins = table.keys[walk.idx].coins(from, reserve);
                    out.add(&table.weights, walk.idx, likelihood.of(walk.idx, coins, walk.slot));
                    walk.idx += 1;
                    walk.find(&table.keys, from, to, reserve);
                }
            }
        });
    }

    /// A coin of `slot` was shown to leave `from`, and is hidden no more.
    pub fn reveal(
        &mut self,
        from: Place,
        slot: usize,
        reserve: Coins,
        likelihood: &impl Likelihood,
    ) {
        self.rebuild(likelihood.most(), |table, out| {
            for (idx, key) in table.keys.iter().enumerate() {
                let coins = key.coins(from, reserve);
                if coins.has(slot) {
                    out.begin_row(key.without(from, slot));
                    out.add(&table.weights, idx, likelihood.of(idx, coins, slot));
                }
            }
        });
    }

    /// No coin moved, but what was done is more likely in some configurations than in others.
    pub fn weigh(&mut self, likelihood: &impl Likelihood) {
        self.rebuild(likelihood.most(), |table, out| {
            for (idx, key) in table.keys.iter().enumerate() {
                out.begin_row(*key);
                out.add(&table.weights, idx, likelihood.of(idx, Coins::NONE, 0));
            }
        });
    }

    /// The face-down discards go into the bag.
    pub fn refill(&mut self) {
        let most = self.keys.len() as u128;
        self.rebuild(most, |table, out| {
            for (idx, key) in table.keys.iter().enumerate() {
                let key = key.refilled();
                if out.keys.last() != Some(&key) {
                    out.begin_row(key);
                }
                out.add(&table.weights, idx, 1);
            }
        });
    }

    /// Replaces the table by what `fill` writes, in which no weight is more than `growth` times what it was.
    fn rebuild(&mut self, growth: u128, fill: impl FnOnce(&Table<W>, &mut Rows<W>)) {
        let mut out = Rows {
            keys: std::mem::take(&mut self.spare_keys),
            weights: std::mem::replace(&mut self.spare_weights, W::new(std::iter::empty())),
        };
        out.keys.clear();
        out.weights.clear_for(&self.weights, growth);
        fill(self, &mut out);
        out.weights.finish();
        self.spare_keys = std::mem::replace(&mut self.keys, out.keys);
        self.spare_weights = std::mem::replace(&mut self.weights, out.weights);
    }
}

/// A table being written.
struct Rows<W> {
    keys: Vec<Key>,
    weights: W,
}

impl<W: Weights> Rows<W> {
    #[inline]
    fn begin_row(&mut self, key: Key) {
        debug_assert!(self.keys.last().is_none_or(|last| *last < key), "keys rise");
        self.keys.push(key);
        self.weights.push_zero();
    }

    #[inline]
    fn add(&mut self, from: &W, row: usize, factor: u128) {
        self.weights.add_scaled(from, row, factor);
    }
}

/// A walk along the configurations from which a coin of one slot can leave. What they become rises as they do.
#[derive(Clone, Copy)]
struct Walk {
    slot: usize,
    idx: usize,
    /// What the configuration at `idx` becomes; `None` at the end.
    next: Option<Key>,
}

impl Walk {
    const DONE: Walk = Walk { slot: 0, idx: 0, next: None };

    /// Goes on to the first configuration at or after `idx` that has the coin.
    #[inline]
    fn find(&mut self, keys: &[Key], from: Place, to: Place, reserve: Coins) {
        while let Some(key) = keys.get(self.idx) {
            if key.coins(from, reserve).has(self.slot) {
                self.next = Some(key.moved(from, to, self.slot));
                return;
            }
            self.idx += 1;
        }
        self.next = None;
    }
}
