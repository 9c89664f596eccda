//! The fixture: three truths, one observation, a belief of exactly these three.

use game::{Hidden, ModelFree, Observation, Rules, Seat, SecondTruth, Stream, Turn};
use std::collections::BTreeMap;
use warchest::fixture::three_worlds;
use warchest::{Concealed, State, StructuralUniform, WarChest};

fn observations(rules: &WarChest) -> [Observation<WarChest>; 3] {
    three_worlds(rules).map(|state| Observation::begin(Seat::FIRST, rules.now(&state, Seat::FIRST)))
}

#[test]
fn one_observation() {
    let rules = WarChest::default();
    let worlds = three_worlds(&rules);
    assert!(worlds.iter().all(|state| rules.turn(state) == Turn::Seat(Seat::FIRST)));
    assert!(worlds[0] != worlds[1] && worlds[1] != worlds[2] && worlds[0] != worlds[2]);
    let [a, b, c] = observations(&rules).map(|observation| observation.bytes(&rules));
    assert_eq!(a, b);
    assert_eq!(b, c);
}

#[test]
fn the_support_is_the_three_at_a_third_each() {
    let rules = WarChest::default();
    let worlds = three_worlds(&rules);
    for observation in observations(&rules) {
        let posterior = StructuralUniform.infer(&rules, &observation).unwrap();
        let support: Vec<Concealed> = StructuralUniform::configurations(&posterior).collect();
        assert_eq!(support.len(), 3);
        for state in &worlds {
            assert!(support.contains(&Concealed::of(state, Seat::SECOND)));
        }
        let mut counts: BTreeMap<usize, u32> = BTreeMap::new();
        for seed in 0..30_000 {
            let world: State =
                StructuralUniform.sample(&rules, &observation, seed).unwrap().into_state();
            let idx = worlds.iter().position(|state| *state == world).expect("one of the three");
            *counts.entry(idx).or_default() += 1;
        }
        // Binomial(30000, 1/3): sigma 82. Six sigma.
        assert!(
            counts.len() == 3 && counts.values().all(|n| n.abs_diff(10_000) < 490),
            "{counts:?}"
        );
    }
}

#[test]
fn each_has_the_others_as_second_truth() {
    let rules = WarChest::default();
    let worlds = three_worlds(&rules);
    for (idx, state) in worlds.iter().enumerate() {
        let mut found = [false; 3];
        for seed in 0..40 {
            let mut stream = Stream::from_seed(seed);
            let past = rules.second_truth(state, &[], Seat::FIRST, &mut stream).unwrap();
            found[worlds.iter().position(|world| *world == past.start).unwrap()] = true;
        }
        let expected = [0, 1, 2].map(|other| other != idx);
        assert_eq!(found, expected);
    }
}
