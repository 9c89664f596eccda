//! `structural-uniform-v1` equals its slow twin, contains the truth, is the same from scratch as event by event,
//! and gives worlds that look like the observation.

use crate::brute_force::{Twin, list};
use crate::observation::{concealed_anew, with_concealed};
use game::{Belief, Hidden, ModelFree, Observation, Rules, Seat, Turn};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use warchest::check::Walk;
use warchest::{Action, Concealed, Decision, State, StructuralUniform, WarChest};

type Posterior = <StructuralUniform as Belief<WarChest>>::Posterior;

fn as_lists(concealed: &Concealed) -> [Vec<usize>; 3] {
    [list(concealed.drawn), list(concealed.hand), list(concealed.discard_down)]
}

fn configurations(posterior: &Posterior) -> BTreeSet<[Vec<usize>; 3]> {
    StructuralUniform::configurations(posterior).map(|c| as_lists(&c)).collect()
}

/// Both beliefs of one seat, carried along a game.
struct Carried {
    twin: Twin,
    posterior: Posterior,
}

impl Carried {
    fn begin(walk: &Walk, seat: Seat) -> Carried {
        let observation = &walk.observations[seat.idx()];
        Carried {
            twin: Twin::begin(observation.start()),
            posterior: StructuralUniform.prior(&walk.rules, observation),
        }
    }

    /// Checks one position; returns the size of the support.
    fn check(&mut self, walk: &Walk, seat: Seat) -> usize {
        let observation = &walk.observations[seat.idx()];
        self.twin.advance(observation.now());
        StructuralUniform.catch_up(&walk.rules, &mut self.posterior, observation).unwrap();
        let configurations = configurations(&self.posterior);
        let twins: BTreeSet<_> = self
            .twin
            .arrangements
            .iter()
            .map(|a| [a.flight.clone(), a.hand.clone(), a.discard_down.clone()])
            .collect();
        assert_eq!(configurations, twins, "{seat:?} at ply {}", walk.plies.len());
        assert_eq!(StructuralUniform.support_len(&self.posterior), twins.len());
        let truth = as_lists(&Concealed::of(&walk.state, seat.other()));
        assert!(configurations.contains(&truth), "{seat:?} at ply {}", walk.plies.len());
        configurations.len()
    }
}

#[test]
fn equals_the_slow_twin_and_contains_the_truth() {
    let mut sizes = Vec::new();
    let mut in_flight = 0;
    let mut seed = 6_000;
    while sizes.len() < 12_000 {
        let mut walk = Walk::deal(seed);
        let mut carried = Seat::BOTH.map(|seat| Carried::begin(&walk, seat));
        while walk.step() {
            for seat in Seat::BOTH {
                sizes.push(carried[seat.idx()].check(&walk, seat));
                let drawn_len = walk.observations[seat.idx()].now().opponent.drawn_len;
                in_flight += usize::from(drawn_len > 0);
            }
        }
        seed += 1;
    }
    report("positions", &mut sizes);
    let several = sizes.iter().filter(|size| **size > 1).count();
    assert!(several > 8_000 && in_flight > 20, "{several} with several, {in_flight} in flight");
}

/// A game that starts from a position: nothing is known of how its coins came to lie where they lie.
#[test]
fn equals_the_slow_twin_from_any_position() {
    let mut sizes = Vec::new();
    let mut n_starts = 0;
    for seed in 0..24 {
        let mut walk = Walk::deal(7_000 + seed);
        for _ in 0..20 + 10 * seed {
            walk.step();
        }
        if walk.rules.turn(&walk.state) == Turn::Over {
            continue;
        }
        n_starts += 1;
        let stream = walk.stream.clone();
        let mut walk = Walk::from(walk.rules, walk.state, stream, 12);
        let mut carried = Seat::BOTH.map(|seat| Carried::begin(&walk, seat));
        for _ in 0..40 {
            for seat in Seat::BOTH {
                sizes.push(carried[seat.idx()].check(&walk, seat));
            }
            walk.step();
        }
    }
    report("positions from builders", &mut sizes);
    assert!(n_starts > 15 && sizes.iter().any(|size| *size > 100), "{n_starts} starts");
}

fn report(what: &str, sizes: &mut [usize]) {
    sizes.sort();
    let at = |per_mille: usize| sizes[(sizes.len() - 1) * per_mille / 1000];
    println!(
        "{} {what}; support: median {}, p99 {}, max {}",
        sizes.len(),
        at(500),
        at(990),
        at(1000)
    );
}

#[test]
fn from_scratch_is_the_same_as_event_by_event() {
    let mut n_checked = 0;
    for seed in 0..25 {
        let mut walk = Walk::deal(8_000 + seed);
        let mut posteriors = Seat::BOTH
            .map(|seat| StructuralUniform.prior(&walk.rules, &walk.observations[seat.idx()]));
        while walk.step() {
            if walk.stream.below(8) != 0 {
                continue;
            }
            for seat in Seat::BOTH {
                let observation = &walk.observations[seat.idx()];
                let posterior = &mut posteriors[seat.idx()];
                StructuralUniform.catch_up(&walk.rules, posterior, observation).unwrap();
                let scratch = StructuralUniform.infer(&walk.rules, observation).unwrap();
                assert_eq!(
                    StructuralUniform.posterior_bytes(&walk.rules, posterior),
                    StructuralUniform.posterior_bytes(&walk.rules, &scratch)
                );
                n_checked += 1;
            }
        }
    }
    assert!(n_checked > 1_500, "{n_checked}");
}

/// Re-observe and determinism, at every kind of ply and for both seats.
#[test]
fn worlds_are_valid_look_the_same_and_follow_the_seed() {
    let mut by_decision: BTreeMap<Decision, usize> = BTreeMap::new();
    let (mut n_worlds, mut n_not_the_truth) = (0, 0);
    for seed in 0..60 {
        let mut walk = Walk::deal(9_000 + seed);
        while walk.step() {
            let Some(decision) = walk.decision() else { break };
            let one_in = match decision {
                Decision::Main | Decision::Draw => 20,
                Decision::RoyalGuard => 1,
                _ => 2,
            };
            if walk.stream.below(one_in) != 0 {
                continue;
            }
            for seat in Seat::BOTH {
                let worlds = worlds_of(&walk, seat);
                n_not_the_truth += worlds.iter().filter(|world| **world != walk.state).count();
                n_worlds += worlds.len();
                *by_decision.entry(decision).or_default() += 1;
            }
        }
    }
    println!("{n_worlds} worlds at {by_decision:?}; {n_not_the_truth} are not the truth");
    assert!(5 * n_not_the_truth > 3 * n_worlds, "{n_not_the_truth} of {n_worlds}");
    assert_eq!(by_decision.len(), Decision::COUNT);
    assert!(by_decision.values().all(|n| *n >= 20), "{by_decision:?}");
}

fn worlds_of(walk: &Walk, seat: Seat) -> Vec<State> {
    let rules = &walk.rules;
    let observation = &walk.observations[seat.idx()];
    let posterior = StructuralUniform.infer(rules, observation).unwrap();
    let world = |seed| StructuralUniform.world(rules, &posterior, observation, seed).into_state();
    let worlds: Vec<State> = (0..64).map(world).collect();
    for (seed, state) in worlds.iter().enumerate() {
        rules.validate(state).unwrap();
        assert_eq!(&rules.now(state, seat), observation.now());
        assert_eq!(&world(seed as u64), state);
    }
    let distinct: HashSet<State> = worlds.iter().copied().collect();
    let n_possible = StructuralUniform.support_len(&posterior);
    assert!(distinct.len() >= n_possible.min(2), "{} of {n_possible}", distinct.len());
    worlds
}

/// Every configuration comes up about equally often over many seeds.
#[test]
fn every_configuration_is_equally_likely() {
    let mut n_checked = 0;
    for seed in 0..12 {
        let mut walk = Walk::deal(10_000 + seed);
        for _ in 0..60 {
            walk.step();
        }
        let observation = &walk.observations[0];
        let posterior = StructuralUniform.infer(&walk.rules, observation).unwrap();
        let n = StructuralUniform.support_len(&posterior);
        let keys: Vec<_> = StructuralUniform::configurations(&posterior).collect();
        let mut counts = vec![0usize; n];
        let per_configuration = 400;
        for world_seed in 0..n * per_configuration {
            let world =
                StructuralUniform.world(&walk.rules, &posterior, observation, world_seed as u64);
            let concealed = Concealed::of(world.state(), Seat::SECOND);
            counts[keys.iter().position(|key| *key == concealed).unwrap()] += 1;
        }
        // Each count is about Poisson with mean 400 and sigma 20: six sigma.
        assert!(counts.iter().all(|count| count.abs_diff(per_configuration) < 120), "{counts:?}");
        n_checked += usize::from(n > 10);
    }
    assert!(n_checked >= 4, "too few positions with a support: {n_checked}");
}

/// What happens to hidden coins in ways that random play seldom shows, one case each.
#[test]
fn a_refill_in_the_middle_of_a_draw_puts_the_old_bag_into_the_hand() {
    let mut n_refills = 0;
    for seed in 0..30 {
        let mut walk = Walk::deal(12_000 + seed);
        loop {
            let seat = walk.state.actor();
            let bag_before = walk.state.zones(seat).bag;
            let hand_before = walk.state.zones(seat).hand;
            let is_draw = walk.rules.turn(&walk.state) == Turn::Chance;
            if !walk.step() {
                break;
            }
            if !is_draw || !bag_before.is_empty() || hand_before.is_empty() {
                continue;
            }
            n_refills += 1;
            let observation = &walk.observations[seat.other().idx()];
            let posterior = StructuralUniform.infer(&walk.rules, observation).unwrap();
            for concealed in StructuralUniform::configurations(&posterior) {
                assert!(concealed.discard_down.is_empty());
            }
            assert!(matches!(walk.plies.last(), Some(Action::Draw { .. })));
        }
    }
    assert!(n_refills > 50, "{n_refills}");
}

/// Placing hidden coins anew at random and asking the belief of the real game: what it calls possible must be
/// reachable, so at the start of a builder's position every placement is in the support.
#[test]
fn at_the_start_of_a_position_every_placement_is_possible() {
    let mut n_checked = 0;
    for seed in 0..30 {
        let mut walk = Walk::deal(13_000 + seed);
        for _ in 0..50 + 7 * seed {
            walk.step();
        }
        for seat in Seat::BOTH {
            let now = walk.rules.now(&walk.state, seat);
            let observation = Observation::begin(seat, now);
            let posterior = StructuralUniform.infer(&walk.rules, &observation).unwrap();
            let all = configurations(&posterior);
            for _ in 0..50 {
                let stream = &mut walk.stream;
                let concealed = concealed_anew(&walk.state, seat.other(), &mut |n| stream.below(n));
                assert!(all.contains(&as_lists(&concealed)));
                let state = with_concealed(&walk.state, seat.other(), &concealed);
                walk.rules.validate(&state).unwrap();
                n_checked += usize::from(state != walk.state);
            }
        }
    }
    assert!(n_checked > 1_500, "{n_checked}");
}
