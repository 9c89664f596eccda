//! An observation shows what it must, hides what it must, and is enough to know the legal actions.

use game::{Hidden, Rules, Seat, Turn};
use std::collections::BTreeMap;
use warchest::check::Walk;
use warchest::{Coins, Concealed, Decision, State, WarChest};

/// A random way to hide the reserve of `seat` with the sizes it has in `state`.
pub fn concealed_anew(state: &State, seat: Seat, draw: &mut impl FnMut(u32) -> u32) -> Concealed {
    let zones = state.zones(seat);
    let mut left = zones.hand + zones.bag + zones.discard_down + zones.drawn;
    let mut take = |n: u32| {
        let mut taken = Coins::NONE;
        for _ in 0..n {
            let coins: Vec<usize> =
                left.slots().flat_map(|s| std::iter::repeat_n(s, left.count(s).into())).collect();
            let coin = Coins::one(coins[draw(coins.len() as u32) as usize]);
            left = left - coin;
            taken = taken + coin;
        }
        taken
    };
    Concealed {
        hand: take(zones.hand.total()),
        discard_down: take(zones.discard_down.total()),
        drawn: take(zones.drawn.total()),
    }
}

/// The state with the hidden coins of `seat` placed anew.
pub fn with_concealed(state: &State, seat: Seat, concealed: &Concealed) -> State {
    let mut other = *state;
    let zones = other.zones_mut(seat);
    let reserve = zones.hand + zones.bag + zones.discard_down + zones.drawn;
    zones.hand = concealed.hand;
    zones.discard_down = concealed.discard_down;
    zones.drawn = concealed.drawn;
    zones.bag = reserve - concealed.total();
    other
}

fn check_position(walk: &Walk) {
    let rules = &walk.rules;
    for seat in Seat::BOTH {
        let now = rules.now(&walk.state, seat);
        assert_eq!(&now, walk.observations[seat.idx()].now());
        assert_eq!(rules.now_observer(&now), seat);
        assert_eq!(rules.now_turn(&now), rules.turn(&walk.state));
        assert_eq!(rules.now_setup(&now).armies, *walk.state.setup_armies());
        let mut actions = Vec::new();
        let _ = rules.now_actions(&now, &mut actions);
        let expected = match rules.turn(&walk.state) {
            Turn::Seat(decider) if decider == seat => rules.legal(&walk.state),
            _ => Vec::new(),
        };
        assert_eq!(actions, expected, "{seat:?} in {:?}", walk.state);
    }
}

#[test]
fn legal_actions_follow_from_the_observation_alone() {
    let mut by_decision: BTreeMap<Decision, usize> = BTreeMap::new();
    let mut n_positions = 0;
    let mut seed = 0;
    while n_positions < 300_000 {
        let mut walk = Walk::deal(seed);
        while walk.step() {
            check_position(&walk);
            if let Some(decision) = walk.decision() {
                *by_decision.entry(decision).or_default() += 1;
            }
            n_positions += 1;
        }
        seed += 1;
    }
    println!("{n_positions} positions of {seed} games: {by_decision:?}");
    assert_eq!(by_decision.len(), Decision::COUNT);
    assert!(by_decision.values().all(|n| *n >= 100), "too few of some kind: {by_decision:?}");
}

/// Hidden coins of the opponent never show in `now`, own coins and public zones always do.
#[test]
fn hides_exactly_the_opponents_hidden_coins() {
    let (mut n_hidden, mut n_shown) = (0, 0);
    for seed in 0..40 {
        let mut walk = Walk::deal(1_000 + seed);
        while walk.step() {
            for seat in Seat::BOTH {
                let concealed = {
                    let stream = &mut walk.stream;
                    concealed_anew(&walk.state, seat.other(), &mut |n| stream.below(n))
                };
                let other = with_concealed(&walk.state, seat.other(), &concealed);
                if other == walk.state {
                    continue;
                }
                assert_eq!(walk.rules.now(&other, seat), walk.rules.now(&walk.state, seat));
                assert_ne!(
                    walk.rules.now(&other, seat.other()),
                    walk.rules.now(&walk.state, seat.other())
                );
                n_hidden += 1;
            }
            n_shown += every_public_change_shows(&walk);
        }
    }
    println!("{n_hidden} states with other hidden coins, {n_shown} with other open ones");
    assert!(n_hidden > 10_000 && n_shown > 10_000, "{n_hidden} {n_shown}");
}

/// Moves one coin between open zones of either seat and expects both to see it.
fn every_public_change_shows(walk: &Walk) -> usize {
    let mut n_shown = 0;
    for owner in Seat::BOTH {
        for slot in walk.state.zones(owner).supply.slots() {
            let coin = Coins::one(slot);
            let mut to_discard = walk.state;
            let zones = to_discard.zones_mut(owner);
            zones.supply = zones.supply - coin;
            zones.discard_up = zones.discard_up + coin;
            let mut out_of_game = walk.state;
            let zones = out_of_game.zones_mut(owner);
            zones.supply = zones.supply - coin;
            zones.eliminated = zones.eliminated + coin;
            for other in [to_discard, out_of_game] {
                for seat in Seat::BOTH {
                    assert_ne!(walk.rules.now(&other, seat), walk.rules.now(&walk.state, seat));
                    n_shown += 1;
                }
            }
        }
    }
    n_shown
}

/// Whatever the opponent may hide, an event of its draw or face-down coin is the same event; what it shows is
/// told apart.
#[test]
fn events_hide_draws_and_face_down_coins_only() {
    let (mut n_hidden, mut n_open) = (0, 0);
    for seed in 0..30 {
        let mut walk = Walk::deal(2_000 + seed);
        loop {
            let rules = walk.rules;
            let actor = walk.state.decider();
            let options = match rules.turn(&walk.state) {
                Turn::Over => break,
                Turn::Chance => outcomes(&rules, &walk.state),
                Turn::Seat(_) => rules.legal(&walk.state),
            };
            for a in &options {
                for b in options.iter().filter(|b| *b > a) {
                    let same_for = |viewer| {
                        let see = |action| rules.event(&walk.state, action, viewer);
                        see(*a) == see(*b)
                    };
                    assert!(!same_for(actor), "{a:?} and {b:?} look alike to who plays them");
                    let is_hidden = differ_in_hidden_coin_only(*a, *b);
                    assert_eq!(same_for(actor.other()), is_hidden, "{a:?} and {b:?}");
                    if is_hidden {
                        n_hidden += 1;
                    } else {
                        n_open += 1;
                    }
                }
            }
            walk.step();
        }
    }
    println!("{n_hidden} pairs of actions look alike, {n_open} do not");
    assert!(n_hidden > 10_000 && n_open > 10_000, "{n_hidden} {n_open}");
}

fn outcomes(rules: &WarChest, state: &State) -> Vec<warchest::Action> {
    let mut outcomes = Vec::new();
    game::Chance::outcomes(rules, state, &mut |action, _| outcomes.push(action));
    outcomes
}

fn differ_in_hidden_coin_only(a: warchest::Action, b: warchest::Action) -> bool {
    use warchest::Action::*;
    match (a, b) {
        (Draw { .. }, Draw { .. })
        | (ClaimInitiative { .. }, ClaimInitiative { .. })
        | (Pass { .. }, Pass { .. }) => true,
        (Recruit { unit: a, .. }, Recruit { unit: b, .. }) => a == b,
        _ => false,
    }
}
