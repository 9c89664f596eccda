//! What a beginner would notice: taking control, attacking, coming nearer to a location.

use crate::observation::Now;
use crate::{Action, Hex, LOCATIONS, WarChest};
use game::{Appeal, Tactical};

impl Tactical for WarChest {
    fn appeal(&self, now: &Now, action: Action) -> Appeal {
        match action {
            Action::Control { .. }
            | Action::FootmanControl { .. }
            | Action::BerserkerControl { .. }
            | Action::MercenaryControl { .. } => Appeal::Control,

            Action::Attack { .. }
            | Action::TacticArcher { .. }
            | Action::TacticCavalry { .. }
            | Action::TacticCrossbowman { .. }
            | Action::TacticLancer { .. }
            | Action::TacticMarshal { .. }
            | Action::CavalryAttack { .. }
            | Action::FootmanAttack { .. }
            | Action::BerserkerAttack { .. }
            | Action::MercenaryAttack { .. } => Appeal::Attack,

            Action::Move { from, to }
            | Action::TacticEnsign { from, to }
            | Action::TacticLightCavalry { from, to }
            | Action::TacticRoyalGuard { from, to }
            | Action::FootmanMove { from, to }
            | Action::BerserkerMove { from, to }
            | Action::SwordsmanMove { from, to }
            | Action::MercenaryMove { from, to } => {
                let gained = to_go(now, from).saturating_sub(to_go(now, to));
                if gained > 0 { Appeal::Advance(gained) } else { Appeal::Plain }
            }
            Action::Deploy { at, .. } | Action::FootmanV2Deploy { at } => match to_go(now, at) {
                near @ 0..NEAR => Appeal::Advance(NEAR - near),
                _ => Appeal::Plain,
            },

            Action::Draw { .. }
            | Action::Bolster { .. }
            | Action::ClaimInitiative { .. }
            | Action::Recruit { .. }
            | Action::Pass { .. }
            | Action::TacticFootman { .. }
            | Action::BerserkerStop
            | Action::SwordsmanDecline
            | Action::MercenaryDecline
            | Action::FootmanV2Decline
            | Action::RoyalGuardLose { .. } => Appeal::Plain,
        }
    }
}

/// A deployment nearer than this to a location to take counts as an advance.
const NEAR: u8 = 3;

/// Steps to the nearest location that the observer does not control. It always lacks one: six markers win.
fn to_go(now: &Now, hex: Hex) -> u8 {
    LOCATIONS
        .minus(now.control[now.observer.idx()])
        .into_iter()
        .map(|location| hex.distance(location))
        .min()
        .unwrap_or(0)
}
