//! Non-interference: two truths with the same observation, one model, one search seed. Worlds, root visits, values,
//! the chosen action and the number of random words drawn are equal. The second truth comes from replaying the
//! history with other hidden coins, which shares nothing with the belief.

use crate::features::HashedFeatures;
use crate::walk::{Walk, observe};
use game::{Observation, Rules, SecondTruth, Stream};
use search::{Decision as Decided, Pimc, SearchParams, SearchStreams, drive};
use std::collections::BTreeMap;
use warchest::{Decision, StructuralUniform, WarChest};

fn decide(rules: &WarChest, seen: &Observation<WarChest>, seed: u64) -> (Decided<WarChest>, u128) {
    let params = SearchParams {
        simulations: 24,
        worlds: 3,
        noise_share: 0.25,
        temperature: 1.0,
        temperature_plies: 100_000,
        ..SearchParams::BASE
    };
    let mut search = Pimc::new(*rules, StructuralUniform, params);
    let streams = SearchStreams::from_seed(seed);
    let decision = drive(&mut search, seen, streams, &mut HashedFeatures::new(rules)).unwrap();
    (decision, search.words_drawn())
}

#[test]
fn what_the_opponent_hides_decides_nothing() {
    // By kind of decision: pairs, and pairs whose hidden coins differ in the position itself.
    let mut pairs: BTreeMap<Decision, (u32, u32)> = BTreeMap::new();
    for seed in 0..200 {
        let mut walk = Walk::deal(40_000 + seed);
        while walk.step() {
            let Some((seat, kind, seen)) = walk.decision() else { continue };
            let one_in = crate::walk::one_in(kind);
            let stream_seed = 1000 * seed + walk.plies.len() as u64;
            let mut stream = Stream::from_seed(stream_seed);
            if stream.below(one_in) != 0 {
                continue;
            }
            let rules = &walk.rules;
            let Some(past) = rules.second_truth(&walk.start, &walk.plies, seat, &mut stream) else {
                continue;
            };
            let other_seen = observe(rules, &past.start, &past.plies, seat);
            let (one, other) =
                (decide(rules, seen, stream_seed), decide(rules, &other_seen, stream_seed));
            assert_eq!(one, other, "{kind:?} after {} plies of {seed}", walk.plies.len());
            let mut end = past.start;
            for &ply in &past.plies {
                let _ = rules.apply(&mut end, ply);
            }
            let count = pairs.entry(kind).or_default();
            count.0 += 1;
            count.1 += u32::from(end != walk.state);
        }
    }
    println!("{pairs:?}");
    assert_eq!(pairs.len(), 9, "a kind of decision is missing: {pairs:?}");
    assert!(pairs.values().all(|&(_, differ)| differ >= 5), "too few pairs differ: {pairs:?}");
}
