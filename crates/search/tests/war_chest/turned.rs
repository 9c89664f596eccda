//! A position turned by half a turn with the seats swapped has bit-equal values, visits and choices for the seat to
//! act, at every kind of decision. A search that counted plies, or that knew colours, would differ somewhere.

use crate::features::HashedFeatures;
use crate::walk::{Walk, observe};
use search::{Pimc, SearchParams, SearchStreams, drive};
use std::collections::BTreeMap;
use warchest::symmetry::{turned_action, turned_state};
use warchest::{Decision, StructuralUniform};

#[test]
fn a_turned_position_has_bit_equal_values() {
    let params = SearchParams { simulations: 40, worlds: 2, ..SearchParams::BASE };
    let mut n_of_kind: BTreeMap<Decision, u32> = BTreeMap::new();
    for seed in 0..200 {
        let mut walk = Walk::deal(50_000 + seed);
        while walk.step() {
            let Some((seat, kind, seen)) = walk.decision() else { continue };
            let mut stream = game::Stream::from_seed(1000 * seed + walk.plies.len() as u64);
            if stream.below(crate::walk::one_in(kind)) != 0 {
                continue;
            }
            let rules = &walk.rules;
            let plies: Vec<_> = walk.plies.iter().map(|&ply| turned_action(ply)).collect();
            let other_seen = observe(rules, &turned_state(&walk.start), &plies, seat.other());
            let decide = |seen, mut evaluator: HashedFeatures| {
                let mut search = Pimc::new(*rules, StructuralUniform, params);
                drive(&mut search, seen, SearchStreams::from_seed(seed), &mut evaluator).unwrap()
            };
            for evaluator in [HashedFeatures::new, HashedFeatures::with_equal_priors] {
                let one = decide(seen, evaluator(rules));
                let other = decide(&other_seen, evaluator(rules));
                assert_eq!(one.root_value.to_bits(), other.root_value.to_bits(), "{kind:?}");
                assert_eq!(one.action_indices, other.action_indices, "{kind:?}");
                assert_eq!(one.worlds, other.worlds, "{kind:?}");
                assert_eq!(turned_action(one.chosen()), other.chosen(), "{kind:?}");
            }
            *n_of_kind.entry(kind).or_default() += 1;
        }
    }
    println!("{n_of_kind:?}");
    assert_eq!(n_of_kind.len(), 9, "a kind of decision is missing: {n_of_kind:?}");
    assert!(n_of_kind.values().all(|&n| n >= 5), "{n_of_kind:?}");
}
