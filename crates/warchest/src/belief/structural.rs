//! `structural-uniform-v1`: every configuration that the rules and the public history leave possible, each
//! equally likely. It is a set with equal weights, not the posterior of any way to play.

use super::support::{Key, Place, Support};
use crate::observation::{Event, Flow, Now, Seen};
use crate::{Army, Coins, WarChest};
use game::{Belief, Contradiction, Observation, World};

/// The belief `structural-uniform-v1`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StructuralUniform;

/// The possible configurations of the opponent after some prefix of the history.
#[derive(Clone, Debug)]
pub struct StructuralPosterior {
    n_events: usize,
    public: PublicZones,
    support: Support,
}

/// What the history shows of the opponent's coins: just enough to read the next event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct PublicZones {
    army: Army,
    hand_len: u8,
    discard_down_len: u8,
    drawn_len: u8,
    reserve: Coins,
    discard_up: Coins,
}

impl PublicZones {
    fn of(now: &Now) -> PublicZones {
        let opponent = &now.opponent;
        PublicZones {
            army: *now.army(now.observer.other()),
            hand_len: opponent.hand_len,
            discard_down_len: opponent.discard_down_len,
            drawn_len: opponent.drawn_len,
            reserve: opponent.reserve,
            discard_up: opponent.discard_up,
        }
    }

    fn is_bag_empty(&self) -> bool {
        let outside = [self.hand_len, self.discard_down_len, self.drawn_len].map(u32::from);
        self.reserve.total() <= outside.iter().sum()
    }

    fn add_discard_up(&mut self, slot: usize) -> Result<(), &'static str> {
        if self.discard_up.count(slot) >= MOST_OF_A_KIND {
            return Err("more coins of a type lie face-up than exist");
        }
        self.discard_up = self.discard_up + Coins::one(slot);
        Ok(())
    }
}

/// More coins of one type than any box holds; what contradicts itself beyond this stops here.
const MOST_OF_A_KIND: u8 = 7;

impl StructuralPosterior {
    fn start(now: &Now) -> StructuralPosterior {
        let public = PublicZones::of(now);
        let support = Support::all(
            public.reserve,
            public.hand_len,
            public.discard_down_len,
            public.drawn_len,
        );
        StructuralPosterior { n_events: 0, public, support }
    }

    /// Takes in one event of the opponent.
    fn observe(&mut self, event: &Event) -> Result<(), &'static str> {
        match event.flow() {
            Flow::None => return Ok(()),
            Flow::BagToHand => {
                self.draw(Place::Hand)?;
                self.public.hand_len += 1;
            }
            Flow::BagToFlight => {
                self.draw(Place::Flight)?;
                self.public.drawn_len += 1;
            }
            Flow::UsedToBoard => {
                self.show(event)?;
            }
            Flow::UsedToDiscardUp => {
                let slot = self.show(event)?;
                self.public.add_discard_up(slot)?;
            }
            Flow::UsedToDiscardDown => {
                let from = self.used_from();
                self.support.shift(from, Place::DiscardDown, self.public.reserve);
                self.leave(from)?;
                self.public.discard_down_len += 1;
                if let Seen::Recruited(unit) = event.seen {
                    let slot = self.public.army.slot_of(unit);
                    self.public.add_discard_up(slot.ok_or("it recruited another army's type")?)?;
                }
            }
            Flow::StackToDiscardUp => {
                let slot = self.slot_of(event)?;
                self.public.add_discard_up(slot)?;
            }
            Flow::DiscardUpToBoard => {
                let slot = self.slot_of(event)?;
                if !self.public.discard_up.has(slot) {
                    return Err("it deployed from the discard pile what does not lie there");
                }
                self.public.discard_up = self.public.discard_up - Coins::one(slot);
            }
        }
        if self.support.keys().is_empty() {
            return Err("no configuration has the coin that moved");
        }
        Ok(())
    }

    /// One coin is drawn. The whole discard pile goes into an empty bag first.
    fn draw(&mut self, to: Place) -> Result<(), &'static str> {
        if self.public.is_bag_empty() {
            self.support.refill();
            let public = &mut self.public;
            public.discard_down_len = 0;
            for slot in public.discard_up.slots() {
                if public.reserve.count(slot) + public.discard_up.count(slot) > MOST_OF_A_KIND {
                    return Err("more coins of a type are in play than exist");
                }
            }
            public.reserve = public.reserve + public.discard_up;
            public.discard_up = Coins::NONE;
        }
        self.support.shift(Place::Bag, to, self.public.reserve);
        Ok(())
    }

    /// A coin is used openly; returns its slot.
    fn show(&mut self, event: &Event) -> Result<usize, &'static str> {
        let slot = self.slot_of(event)?;
        let from = self.used_from();
        self.support.reveal(from, slot, self.public.reserve);
        self.leave(from)?;
        if !self.public.reserve.has(slot) {
            return Err("it used a coin that it cannot have");
        }
        self.public.reserve = self.public.reserve - Coins::one(slot);
        Ok(slot)
    }

    /// A coin in flight must be used before any other.
    fn used_from(&self) -> Place {
        if self.public.drawn_len > 0 { Place::Flight } else { Place::Hand }
    }

    fn leave(&mut self, from: Place) -> Result<(), &'static str> {
        let len = match from {
            Place::Flight => &mut self.public.drawn_len,
            _ => &mut self.public.hand_len,
        };
        *len = len.checked_sub(1).ok_or("it used a coin with an empty hand")?;
        Ok(())
    }

    fn slot_of(&self, event: &Event) -> Result<usize, &'static str> {
        let coin = event.coin.ok_or("an open action shows no coin")?;
        self.public.army.coin_slot(coin).ok_or("its army has no such coin")
    }
}

impl Belief<WarChest> for StructuralUniform {
    type Posterior = StructuralPosterior;

    fn name(&self) -> &'static str {
        "structural-uniform-v1"
    }

    fn prior(&self, _: &WarChest, observation: &Observation<WarChest>) -> StructuralPosterior {
        StructuralPosterior::start(observation.start())
    }

    fn catch_up(
        &self,
        _: &WarChest,
        posterior: &mut StructuralPosterior,
        observation: &Observation<WarChest>,
    ) -> Result<(), Contradiction> {
        let contradiction =
            |event_idx: usize, reason: &str| Contradiction { event_idx, reason: reason.to_owned() };
        let opponent = observation.seat().other();
        let events = observation.events();
        debug_assert!(posterior.n_events <= events.len(), "a posterior never goes back");
        while let Some(event) = events.get(posterior.n_events) {
            if event.seat == opponent {
                let seen = posterior.observe(event);
                seen.map_err(|reason| contradiction(posterior.n_events, reason))?;
            }
            posterior.n_events += 1;
        }
        if posterior.public != PublicZones::of(observation.now()) {
            let last_idx = events.len().saturating_sub(1);
            return Err(contradiction(last_idx, "the events do not lead to what is known now"));
        }
        Ok(())
    }

    fn support_len(&self, posterior: &StructuralPosterior) -> usize {
        posterior.support.keys().len()
    }

    /// The number of configurations, which is the common denominator, then each as one word; little-endian.
    fn posterior_bytes(&self, _: &WarChest, posterior: &StructuralPosterior) -> Vec<u8> {
        let keys = posterior.support.keys();
        let mut out = (keys.len() as u64).to_le_bytes().to_vec();
        keys.iter().for_each(|key| out.extend(key.bits().to_le_bytes()));
        out
    }

    fn world(
        &self,
        _: &WarChest,
        posterior: &StructuralPosterior,
        observation: &Observation<WarChest>,
        seed: u64,
    ) -> World<WarChest> {
        let keys = posterior.support.keys();
        let key: Key = keys[pick(seed, keys.len())];
        World::sampled(observation.now().complete(&key.concealed()))
    }
}

impl StructuralUniform {
    /// The configurations in canonical order; each has weight 1 / their number.
    pub fn configurations(
        posterior: &StructuralPosterior,
    ) -> impl Iterator<Item = crate::Concealed> {
        posterior.support.keys().iter().map(|key| key.concealed())
    }
}

/// A number below `n` from one seed: its bits are mixed (the finalizer of splitmix64), so that neighbouring
/// seeds are as good as random ones.
fn pick(seed: u64, n: usize) -> usize {
    let mut mixed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^= mixed >> 31;
    ((u128::from(mixed) * n as u128) >> 64) as usize
}
