//! The fixture `three_worlds`: three truths, one observation, one decision; and the search that such a test must
//! catch, which grows its trees in the truth.

use crate::features::HashedFeatures;
use game::{Belief, Contradiction, Hidden, ModelFree, Observation, Seat, World};
use search::{Pimc, SearchParams, SearchStreams, drive};
use std::collections::{BTreeMap, BTreeSet};
use warchest::fixture::three_worlds;
use warchest::{State, StructuralUniform, WarChest};

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

/// The negative control: every world is the truth, only what the network is asked is masked.
#[derive(Clone)]
struct TruthGrown {
    state: State,
}

impl Belief<WarChest> for TruthGrown {
    type Posterior = <StructuralUniform as Belief<WarChest>>::Posterior;

    fn name(&self) -> String {
        "truth-grown".to_owned()
    }

    fn prior(&self, rules: &WarChest, seen: &Observation<WarChest>) -> Self::Posterior {
        StructuralUniform.prior(rules, seen)
    }

    fn catch_up(
        &self,
        rules: &WarChest,
        posterior: &mut Self::Posterior,
        seen: &Observation<WarChest>,
    ) -> Result<(), Contradiction> {
        StructuralUniform.catch_up(rules, posterior, seen)
    }

    fn support_len(&self, posterior: &Self::Posterior) -> usize {
        StructuralUniform.support_len(posterior)
    }

    fn posterior_bytes(&self, rules: &WarChest, posterior: &Self::Posterior) -> Vec<u8> {
        StructuralUniform.posterior_bytes(rules, posterior)
    }

    fn all_worlds(
        &self,
        rules: &WarChest,
        posterior: &Self::Posterior,
        seen: &Observation<WarChest>,
    ) -> Vec<(World<WarChest>, f64)> {
        StructuralUniform.all_worlds(rules, posterior, seen)
    }

    fn log_weight(
        &self,
        rules: &WarChest,
        posterior: &Self::Posterior,
        observer: Seat,
        state: &State,
    ) -> f64 {
        StructuralUniform.log_weight(rules, posterior, observer, state)
    }

    fn world(
        &self,
        _: &WarChest,
        _: &Self::Posterior,
        _: &Observation<WarChest>,
        _: u64,
    ) -> World<WarChest> {
        World::sampled(self.state)
    }
}

#[test]
fn a_search_grown_in_the_truth_gives_three_decisions() {
    let rules = WarChest::default();
    let params = SearchParams { simulations: 301, worlds: 3, ..SearchParams::BASE };
    let visits: BTreeSet<Vec<u32>> = three_worlds(&rules)
        .into_iter()
        .zip(observations())
        .map(|(state, seen)| {
            let mut search = Pimc::new(rules, TruthGrown { state }, params);
            let streams = SearchStreams::from_seed(3);
            drive(&mut search, &seen, streams, &mut HashedFeatures::new(&rules)).unwrap().visits
        })
        .collect();
    assert_eq!(visits.len(), 3);
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
