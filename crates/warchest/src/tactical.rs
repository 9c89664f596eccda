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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{PositionBuilder, three_worlds};
    use crate::{Coin, Unit};
    use game::{Hidden, Rules, Seat};

    fn hex(x: i8, y: i8) -> Hex {
        Hex::from_site(x, y).unwrap()
    }

    #[test]
    fn shots_are_attacks_and_steps_count_what_they_gain() {
        let rules = WarChest::default();
        let [state, ..] = three_worlds(&rules);
        let now = rules.now(&state, Seat::FIRST);
        let legal = rules.legal(&state);
        let of = |kind: Appeal| legal.iter().filter(|a| rules.appeal(&now, **a) == kind).count();
        assert_eq!(of(Appeal::Attack), 3);
        assert_eq!(of(Appeal::Control), 0);
        // The archer stands beside two neutral locations: no step can gain more than one.
        assert_eq!(of(Appeal::Advance(1)), 2);
        let from = hex(3, 3);
        for to in [hex(3, 2), hex(3, 4)] {
            assert_eq!(rules.appeal(&now, Action::Move { from, to }), Appeal::Advance(1));
        }
        let coin = Coin::of(Unit::Archer);
        assert_eq!(rules.appeal(&now, Action::Pass { coin }), Appeal::Plain);
    }

    #[test]
    fn whoever_stands_on_a_location_takes_it() {
        let rules = WarChest::default();
        let armies = [
            [Unit::Archer, Unit::Knight, Unit::Lancer, Unit::Scout],
            [Unit::Pikeman, Unit::Berserker, Unit::Cavalry, Unit::RoyalGuard],
        ];
        let (white, black) = (Seat::FIRST, Seat::SECOND);
        let state = PositionBuilder::new(&rules, armies)
            .unwrap()
            .unit(white, Unit::Scout, hex(3, 4), 1)
            .coins(white, |zones| &mut zones.hand, &[Unit::Scout.into(), Unit::Knight.into()])
            .coins(white, |zones| &mut zones.bag, &[Coin::ROYAL])
            .coins(black, |zones| &mut zones.bag, &[Coin::ROYAL])
            .build()
            .unwrap();
        let now = rules.now(&state, white);
        let at = hex(3, 4);
        assert_eq!(rules.appeal(&now, Action::Control { at }), Appeal::Control);
        let away = Action::Move { from: at, to: hex(3, 3) };
        assert_eq!(rules.appeal(&now, away), Appeal::Plain);
        let deploy = |x, y| Action::Deploy { unit: Unit::Knight, at: hex(x, y) };
        assert!(rules.legal(&state).contains(&deploy(4, 0)));
        assert_eq!(rules.appeal(&now, deploy(4, 0)), Appeal::Advance(1));
    }
}
