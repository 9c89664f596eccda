//! One event of the seat whose coins are in question, as the filter and its measure look at it.

use super::filter::Measure;
use super::key::{Key, Place};
use super::replay::Replay;
use crate::observation::{Event, Flow, Seen};
use crate::{Action, Coin, State, WarChest, Zones};
use game::Seat;

/// What the subject did or drew, and the public state before it.
pub struct Choice<'a> {
    rules: &'a WarChest,
    replay: &'a Replay,
    event: &'a Event,
}

impl<'a> Choice<'a> {
    /// `replay` has taken in everything before `event`.
    pub(super) fn new(rules: &'a WarChest, replay: &'a Replay, event: &'a Event) -> Choice<'a> {
        Choice { rules, replay, event }
    }

    pub fn rules(&self) -> &'a WarChest {
        self.rules
    }

    /// Where the subject's hidden coins lie in it means nothing.
    pub fn before(&self) -> &'a State {
        self.replay.state()
    }

    pub fn subject(&self) -> Seat {
        self.event.seat
    }

    pub(super) fn event(&self) -> &'a Event {
        self.event
    }

    pub(super) fn zones(&self) -> &'a Zones {
        self.before().zones(self.subject())
    }

    pub(super) fn slot_of(&self, coin: Coin) -> Option<usize> {
        self.before().army(self.subject()).coin_slot(coin)
    }

    /// Where the coin that is used lies: a coin in flight must be used at once.
    pub fn used_from(&self) -> Place {
        if self.zones().drawn.is_empty() { Place::Hand } else { Place::Flight }
    }

    /// Whether the measure has to say how likely it was: it was no draw, and it tells something of the coins.
    pub(super) fn is_judged_by<M: Measure>(&self) -> bool {
        match self.event.flow() {
            Flow::BagToHand | Flow::BagToFlight => false,
            Flow::UsedToBoard | Flow::UsedToDiscardUp | Flow::UsedToDiscardDown => true,
            Flow::None | Flow::StackToDiscardUp | Flow::DiscardUpToBoard => M::JUDGES_COINLESS,
        }
    }

    /// The state in which the subject hides this.
    pub fn complete(&self, key: Key) -> State {
        self.replay.with_hidden(self.subject(), &key.concealed())
    }

    /// What the subject did if it used a coin of `slot`; where the event shows the action, that action.
    pub fn action_with(&self, slot: usize) -> Action {
        let coin = self.before().army(self.subject()).coin(slot);
        match self.event.seen {
            Seen::Open(action) => action,
            Seen::Drew | Seen::PriestDrew => Action::Draw { coin },
            Seen::ClaimedInitiative => Action::ClaimInitiative { coin },
            Seen::Recruited(unit) => Action::Recruit { unit, coin },
            Seen::Passed => Action::Pass { coin },
        }
    }

    /// Whether the event shows which action it was.
    pub fn is_open(&self) -> bool {
        matches!(self.event.seen, Seen::Open(_))
    }
}
