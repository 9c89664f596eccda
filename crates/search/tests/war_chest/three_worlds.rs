//! The fixture `three_worlds`: three truths, one observation, one decision.

use crate::features::HashedFeatures;
use game::{Belief, Hidden, ModelFree, Observation, Seat};
use search::{Pimc, SearchParams, SearchStreams, drive};
use std::collections::BTreeMap;
use warchest::fixture::three_worlds;
use warchest::{StructuralUniform, WarChest};

fn observations() -> [Observation<WarChest>; 3] {
    let rules = WarChest::default();
    three_worlds(&rules)
        .map(|state| Observation::begin(Seat::FIRST, rules.now(&state, Seat::FIRST)))
}

#[test]
fn three_truths_give_one_decision() {
    let rules = WarChest::default();
    let params = SearchParams { simulations: 301, worlds: 3, ..SearchParams::BASE };
    let decisions = observations().map(|seen| {
        let mut search = Pimc::new(rules, StructuralUniform, params);
        let streams = SearchStreams::from_seed(3);
        let decision =
            drive(&mut search, &seen, streams, &mut HashedFeatures::new(&rules)).unwrap();
        assert_eq!(search.support_len(), Some(3));
        decision
    });
    assert_eq!(decisions[0], decisions[1]);
    assert_eq!(decisions[1], decisions[2]);
    let simulations = decisions[0].worlds.iter().map(|world| world.simulations);
    assert_eq!(simulations.collect::<Vec<_>>(), [101, 100, 100]);
}

/// Each of the three hands is sampled a third of the time.
#[test]
fn worlds_are_sampled_from_all_three() {
    let rules = WarChest::default();
    let [seen, ..] = observations();
    let posterior = StructuralUniform.infer(&rules, &seen).unwrap();
    let mut counts = BTreeMap::new();
    for seed in game::belief::world_seeds(11, 3000) {
        let world = StructuralUniform.world(&rules, &posterior, &seen, seed);
        let hand = world.state().zones(Seat::SECOND).hand;
        *counts.entry(format!("{hand:?}")).or_insert(0u32) += 1;
    }
    // Binomial(3000, 1/3): sigma 26. Five sigma.
    assert!(counts.len() == 3 && counts.values().all(|n| n.abs_diff(1000) < 130), "{counts:?}");
}
