use crate::{Action, Coin, State, Step, Unit};
use game::Seat;

/// One ply as one seat sees it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Event {
    /// Who acted or drew.
    pub seat: Seat,
    pub seen: Seen,
    /// The coin that changed its zone: drawn, used, or paid from a stack. `None` when none did, and when the
    /// viewer may not know it: the other seat's draw, or a coin it spent face-down.
    pub coin: Option<Coin>,
}

/// What happened, without the coin.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Seen {
    /// A coin went from the bag to the hand. That the discard pile was put into the bag first shows in the
    /// sizes: it happens exactly when the bag is empty.
    Drew,
    /// A Warrior Priest drew a coin, which is in flight.
    PriestDrew,
    ClaimedInitiative,
    /// This type came from the supply; the coin was spent face-down.
    Recruited(Unit),
    Passed,
    /// Everything that happens openly.
    Open(Action),
}

/// Where the coin of an event went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flow {
    None,
    BagToHand,
    BagToFlight,
    /// From the hand, or from flight when a coin is in flight; so in the next two.
    UsedToBoard,
    UsedToDiscardUp,
    UsedToDiscardDown,
    StackToDiscardUp,
    DiscardUpToBoard,
}

impl Event {
    /// What `viewer` sees of `action`, played in `before`.
    pub(crate) fn of(before: &State, action: Action, viewer: Seat) -> Event {
        let seat = before.decider();
        let seen = match action {
            Action::Draw { .. } if before.step() == Step::PriestDraw => Seen::PriestDrew,
            Action::Draw { .. } => Seen::Drew,
            Action::ClaimInitiative { .. } => Seen::ClaimedInitiative,
            Action::Recruit { unit, .. } => Seen::Recruited(unit),
            Action::Pass { .. } => Seen::Passed,
            _ => Seen::Open(action),
        };
        let is_shown = matches!(seen, Seen::Open(_)) || seat == viewer;
        let coin = if is_shown { moved_coin(before, action) } else { None };
        Event { seat, seen, coin }
    }

    pub(crate) fn flow(&self) -> Flow {
        let action = match self.seen {
            Seen::Drew => return Flow::BagToHand,
            Seen::PriestDrew => return Flow::BagToFlight,
            Seen::ClaimedInitiative | Seen::Recruited(_) | Seen::Passed => {
                return Flow::UsedToDiscardDown;
            }
            Seen::Open(action) => action,
        };
        match action {
            Action::Deploy { .. } | Action::Bolster { .. } => Flow::UsedToBoard,
            Action::Move { .. }
            | Action::Control { .. }
            | Action::Attack { .. }
            | Action::TacticArcher { .. }
            | Action::TacticCavalry { .. }
            | Action::TacticCrossbowman { .. }
            | Action::TacticEnsign { .. }
            | Action::TacticFootman { .. }
            | Action::TacticLancer { .. }
            | Action::TacticLightCavalry { .. }
            | Action::TacticMarshal { .. }
            | Action::TacticRoyalGuard { .. } => Flow::UsedToDiscardUp,
            Action::BerserkerMove { .. }
            | Action::BerserkerControl { .. }
            | Action::BerserkerAttack { .. } => Flow::StackToDiscardUp,
            Action::FootmanV2Deploy { .. } => Flow::DiscardUpToBoard,
            Action::Draw { .. }
            | Action::ClaimInitiative { .. }
            | Action::Recruit { .. }
            | Action::Pass { .. }
            | Action::CavalryAttack { .. }
            | Action::FootmanMove { .. }
            | Action::FootmanControl { .. }
            | Action::FootmanAttack { .. }
            | Action::BerserkerStop
            | Action::SwordsmanMove { .. }
            | Action::SwordsmanDecline
            | Action::MercenaryMove { .. }
            | Action::MercenaryControl { .. }
            | Action::MercenaryAttack { .. }
            | Action::MercenaryDecline
            | Action::FootmanV2Decline
            | Action::RoyalGuardLose { .. } => Flow::None,
        }
    }
}

/// The coin that `action` moves from one zone of the acting seat to another, if it moves one.
fn moved_coin(before: &State, action: Action) -> Option<Coin> {
    match action {
        Action::Draw { coin }
        | Action::ClaimInitiative { coin }
        | Action::Recruit { coin, .. }
        | Action::Pass { coin } => Some(coin),
        Action::Deploy { unit, .. }
        | Action::Bolster { unit, .. }
        | Action::TacticFootman { unit } => Some(Coin::of(unit)),
        Action::Move { from: hex, .. }
        | Action::Control { at: hex }
        | Action::Attack { from: hex, .. }
        | Action::TacticArcher { from: hex, .. }
        | Action::TacticCavalry { from: hex, .. }
        | Action::TacticCrossbowman { from: hex, .. }
        | Action::TacticLancer { from: hex, .. }
        | Action::TacticLightCavalry { from: hex, .. }
        | Action::BerserkerMove { from: hex, .. }
        | Action::BerserkerControl { at: hex }
        | Action::BerserkerAttack { from: hex, .. } => before.unit_at(hex).map(Coin::of),
        Action::TacticEnsign { .. } => Some(Coin::of(Unit::Ensign)),
        Action::TacticMarshal { .. } => Some(Coin::of(Unit::Marshal)),
        Action::TacticRoyalGuard { .. } => Some(Coin::ROYAL),
        Action::FootmanV2Deploy { .. } => Some(Coin::of(Unit::FootmanV2)),
        Action::CavalryAttack { .. }
        | Action::FootmanMove { .. }
        | Action::FootmanControl { .. }
        | Action::FootmanAttack { .. }
        | Action::BerserkerStop
        | Action::SwordsmanMove { .. }
        | Action::SwordsmanDecline
        | Action::MercenaryMove { .. }
        | Action::MercenaryControl { .. }
        | Action::MercenaryAttack { .. }
        | Action::MercenaryDecline
        | Action::FootmanV2Decline
        | Action::RoyalGuardLose { .. } => None,
    }
}
