//! The public course of a game, played again from what one seat saw.
//!
//! Where the other seat's hidden coins lie changes nothing that is public, so they lie anywhere that makes the next
//! event possible. Whether some configuration explains *all* events is the table's business, not this one's.

use crate::observation::{Concealed, Event, Flow, Now, Seen};
use crate::{Action, Coin, Coins, State, WarChest, Zones};
use game::{Rules, Seat};

#[derive(Clone, Debug)]
pub(crate) struct Replay {
    /// The viewer's coins are where they are; of the other seat only what is public is true.
    state: State,
    viewer: Seat,
}

impl Replay {
    /// `None` when the sizes of the other seat's zones do not fit its coins.
    pub fn begin(start: &Now) -> Option<Replay> {
        let seen = &start.opponent;
        let lens = [seen.hand_len, seen.discard_down_len, seen.drawn_len];
        if lens.iter().map(|len| u32::from(*len)).sum::<u32>() > seen.reserve.total() {
            return None;
        }
        let mut left = seen.reserve;
        let [hand, discard_down, drawn] = lens.map(|len| take_any(&mut left, len));
        let state = start.complete(&Concealed { hand, discard_down, drawn });
        Some(Replay { state, viewer: start.observer })
    }

    /// Everything public and the viewer's own coins.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The state in which the other seat hides `concealed`, which must fit.
    #[inline]
    pub fn complete(&self, concealed: &Concealed) -> State {
        self.with_hidden(self.viewer.other(), concealed)
    }

    /// The state in which `seat` hides `concealed`, which must fit.
    #[inline]
    pub fn with_hidden(&self, seat: Seat, concealed: &Concealed) -> State {
        let mut state = self.state;
        let zones = state.zones_mut(seat);
        let reserve = zones.hand + zones.bag + zones.discard_down + zones.drawn;
        zones.hand = concealed.hand;
        zones.discard_down = concealed.discard_down;
        zones.drawn = concealed.drawn;
        zones.bag = reserve - concealed.total();
        state
    }

    /// What the viewer knows.
    pub fn now(&self) -> Now {
        Now::of(&self.state, self.viewer)
    }

    /// The action, or one of those, that the viewer saw as `event`. Moves the other seat's hidden coins about.
    pub fn action_of(&mut self, rules: &WarChest, event: &Event) -> Result<Action, &'static str> {
        if event.seat != self.state.decider() {
            return Err("it is not for this seat to act or draw");
        }
        if event.seat != self.viewer {
            self.make_room_for(event)?;
        }
        let action = match event.seen {
            Seen::Open(action) => action,
            Seen::Drew | Seen::PriestDrew => Action::Draw { coin: self.coin_of(event)? },
            Seen::ClaimedInitiative => Action::ClaimInitiative { coin: self.coin_of(event)? },
            Seen::Recruited(unit) => Action::Recruit { unit, coin: self.coin_of(event)? },
            Seen::Passed => Action::Pass { coin: self.coin_of(event)? },
        };
        if !rules.is_possible(&self.state, action) {
            return Err("the rules do not allow it");
        }
        if Event::of(&self.state, action, self.viewer) != *event {
            return Err("it does not look like this to the observer");
        }
        Ok(action)
    }

    pub fn apply(&mut self, rules: &WarChest, action: Action) {
        rules.apply(&mut self.state, action);
    }

    /// The coin that the event shows, or any that may be the hidden one.
    fn coin_of(&self, event: &Event) -> Result<Coin, &'static str> {
        if let Some(coin) = event.coin {
            return Ok(coin);
        }
        let zones = self.state.zones(event.seat);
        let pool = match event.flow() {
            Flow::BagToHand | Flow::BagToFlight => zones.draw_pool(),
            _ if !zones.drawn.is_empty() => zones.drawn,
            _ => zones.hand,
        };
        let slot = pool.slots().next().ok_or("it has no coin to use or draw")?;
        Ok(self.state.army(event.seat).coin(slot))
    }

    /// Puts the coin that the event shows to where it was used from.
    fn make_room_for(&mut self, event: &Event) -> Result<(), &'static str> {
        if !matches!(event.flow(), Flow::UsedToBoard | Flow::UsedToDiscardUp) {
            return Ok(());
        }
        let coin = event.coin.ok_or("an open action shows no coin")?;
        let slot = self.state.army(event.seat).coin_slot(coin);
        let slot = slot.ok_or("its army has no such coin")?;
        let zones = self.state.zones_mut(event.seat);
        let is_there = swap_in(zones, slot);
        if is_there { Ok(()) } else { Err("it used a coin that it cannot have") }
    }
}

/// Swaps a hidden coin of `slot` into flight if a coin is in flight, else into the hand.
fn swap_in(zones: &mut Zones, slot: usize) -> bool {
    let Zones { bag, hand, discard_down, drawn, .. } = zones;
    let (used, others) = if drawn.is_empty() {
        (hand, [bag, discard_down, drawn])
    } else {
        (drawn, [bag, discard_down, hand])
    };
    if used.has(slot) {
        return true;
    }
    let Some(given) = used.slots().next() else { return false };
    for other in others {
        if other.has(slot) {
            *other = *other - Coins::one(slot) + Coins::one(given);
            *used = *used - Coins::one(given) + Coins::one(slot);
            return true;
        }
    }
    false
}

/// Any `len` of these coins, which are at least so many.
fn take_any(left: &mut Coins, len: u8) -> Coins {
    let mut taken = Coins::NONE;
    for _ in 0..len {
        let Some(slot) = left.slots().next() else { break };
        *left = *left - Coins::one(slot);
        taken = taken + Coins::one(slot);
    }
    taken
}
