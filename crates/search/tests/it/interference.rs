//! Two truths with the same observation, one model, one seed: the same decision, byte for byte.

use crate::duel::{Duel, UniformCoin};
use crate::evaluators::Hashed;
use crate::players::{at_decisions, play, second_truth};
use game::Turn;
use referee::Truth;
use search::{Decision, Pimc, SearchParams, SearchStreams, drive};
use std::collections::BTreeMap;

const RULES: Duel = Duel { n_turns: 5 };

fn decide(truth: &Truth<Duel>, seed: u64) -> Decision<Duel> {
    let params = SearchParams {
        simulations: 48,
        worlds: 3,
        noise_share: 0.25,
        temperature: 1.0,
        temperature_plies: 1000,
        ..SearchParams::BASE
    };
    let Turn::Seat(seat) = truth.turn() else { panic!("a seat acts") };
    let mut search = Pimc::new(RULES, UniformCoin, params);
    let streams = SearchStreams::from_seed(seed);
    drive(&mut search, truth.observation(seat), streams, &mut Hashed).unwrap()
}

fn replay(plies: &[crate::duel::Act]) -> Truth<Duel> {
    let mut truth = Truth::new(RULES, &());
    plies.iter().for_each(|&ply| truth.play(ply).unwrap());
    truth
}

#[test]
fn equal_observations_give_equal_decisions() {
    // Pairs by whether the acting seat is in its own turn or answers a strike.
    let mut n_pairs = BTreeMap::new();
    let mut n_vacuous = 0;
    for seed in 0..60 {
        play(&RULES, seed, |plies, seen| {
            let Some(other) = second_truth(&RULES, plies, seen) else {
                n_vacuous += 1;
                return;
            };
            assert_ne!(other, plies, "the two games differ in a hidden coin");
            assert_eq!(decide(&replay(plies), seed), decide(&replay(&other), seed));
            *n_pairs.entry(seen.now().table.is_struck).or_insert(0) += 1;
        });
    }
    assert!(n_pairs[&false] > 200 && n_pairs[&true] > 20, "{n_pairs:?}, {n_vacuous} vacuous");
}

/// The test above can fail: a search given other worlds decides otherwise somewhere.
#[test]
fn what_the_search_believes_shows_in_its_decisions() {
    let mut n_different = 0;
    for seed in 0..10 {
        at_decisions(&RULES, seed, |seen| {
            let params = SearchParams { simulations: 48, worlds: 3, ..SearchParams::BASE };
            let decide = |streams| {
                let mut search = Pimc::new(RULES, UniformCoin, params);
                drive(&mut search, seen, streams, &mut Hashed).unwrap()
            };
            let (one, other) = (SearchStreams::from_seed(1), SearchStreams::from_seed(2));
            n_different += usize::from(decide(one).visits != decide(other).visits);
        });
    }
    assert!(n_different > 20, "{n_different}");
}
