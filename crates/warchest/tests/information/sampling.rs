//! Worlds come up exactly by their weights, and no more often as the truth than two independent worlds agree.

use game::{Belief, ModelFree, Rules, Seat, Stream};
use num_bigint::BigUint;
use std::collections::BTreeMap;
use warchest::check::Walk;
use warchest::{Coins, Concealed, ExactUniform, LabelledUniform, StructuralUniform, WarChest};

const N_SAMPLES: u64 = if cfg!(debug_assertions) { 50_000 } else { 100_000 };
/// With at least 20 configurations each.
const N_POSITIONS: u64 = 12;

fn key(concealed: &Concealed) -> [u32; 3] {
    [concealed.drawn, concealed.hand, concealed.discard_down].map(Coins::bits)
}

fn shares(weighted: &[(Concealed, BigUint)]) -> Vec<f64> {
    let total: BigUint = weighted.iter().map(|(_, weight)| weight).sum();
    let share = |weight: &BigUint| {
        let scaled: BigUint = (weight << 53u32) / &total;
        u64::try_from(scaled).unwrap() as f64 / (1u64 << 53) as f64
    };
    weighted.iter().map(|(_, weight)| share(weight)).collect()
}

/// By how many standard deviations the G statistic of these counts lies above its mean (Wilson and Hilferty's cube
/// root of chi-square). Cells that are expected less than ten times count as one.
fn g_deviation(counts: &[u64], shares: &[f64]) -> Option<f64> {
    let n: u64 = counts.iter().sum();
    let (mut rare, mut rare_expected) = (0, 0.0);
    let mut cells = Vec::new();
    for (count, share) in counts.iter().zip(shares) {
        let expected = share * n as f64;
        if expected < 10.0 {
            rare += count;
            rare_expected += expected;
        } else {
            cells.push((*count as f64, expected));
        }
    }
    if rare_expected >= 10.0 {
        cells.push((rare as f64, rare_expected));
    }
    let freedom = cells.len().checked_sub(1).filter(|freedom| *freedom > 0)? as f64;
    let term = |(count, expected): &(f64, f64)| match *count {
        0.0 => 0.0,
        count => count * (count / expected).ln(),
    };
    let g = 2.0 * cells.iter().map(term).sum::<f64>();
    let spread = 2.0 / (9.0 * freedom);
    Some(((g / freedom).cbrt() - (1.0 - spread)) / spread.sqrt())
}

/// Three beliefs at a dozen positions: Bonferroni at 0.001 over 36 tests is 4.03 standard deviations.
#[test]
fn worlds_pass_a_g_test_against_their_weights() {
    fn counts<B>(belief: &B, walk: &Walk, weighted: &[(Concealed, BigUint)]) -> Vec<u64>
    where
        B: ModelFree<WarChest>,
    {
        let observation = &walk.observations[0];
        let posterior = belief.infer(&walk.rules, observation).unwrap();
        let mut by_key: BTreeMap<[u32; 3], u64> = BTreeMap::new();
        for seed in 0..N_SAMPLES {
            let world = belief.world(&walk.rules, &posterior, observation, seed);
            *by_key.entry(key(&Concealed::of(world.state(), Seat::SECOND))).or_default() += 1;
        }
        let counts = weighted.iter().map(|(c, _)| by_key.remove(&key(c)).unwrap_or(0)).collect();
        assert!(by_key.is_empty(), "worlds without weight: {by_key:?}");
        counts
    }
    let (mut deviations, mut n_positions, mut support_max) = (Vec::new(), 0, 0);
    for seed in 50_000.. {
        if n_positions == N_POSITIONS {
            break;
        }
        let mut walk = Walk::under_any_options(seed);
        for _ in 0..60 + seed % 180 {
            walk.step();
        }
        let observation = &walk.observations[0];
        let exact = ExactUniform.infer(&walk.rules, observation).unwrap().weighted();
        let labelled = LabelledUniform.infer(&walk.rules, observation).unwrap().weighted();
        if exact.len() < 20 {
            continue;
        }
        n_positions += 1;
        support_max = support_max.max(exact.len());
        let exact_counts = counts(&ExactUniform, &walk, &exact);
        deviations.extend(g_deviation(&exact_counts, &shares(&exact)));
        deviations
            .extend(g_deviation(&counts(&LabelledUniform, &walk, &labelled), &shares(&labelled)));
        let equal = vec![1.0 / exact.len() as f64; exact.len()];
        let structural = counts(&StructuralUniform, &walk, &exact);
        deviations.extend(g_deviation(&structural, &equal));
        // The test has power: equal weights are not the exact ones.
        assert!(g_deviation(&exact_counts, &equal).unwrap() > 4.1);
    }
    println!("{} tests, up to {support_max} configurations: {deviations:?}", deviations.len());
    assert_eq!(deviations.len() as u64, 3 * N_POSITIONS);
    assert!(support_max > 100, "{support_max}");
    assert!(deviations.iter().all(|deviation| *deviation < 4.1), "{deviations:?}");
}

/// Where the truth comes from the posterior, as in uniform play, a world is the truth as often as two worlds are
/// equal: the sum of squared probabilities. A sampler that knows the truth is it more often.
#[test]
fn worlds_are_the_truth_as_often_as_one_another() {
    let n_games = if cfg!(debug_assertions) { 400 } else { 2_000 };
    let (mut hits, mut expected, mut variance) = (0.0, 0.0, 0.0);
    let rules = WarChest::ranked();
    for seed in 0..n_games {
        let mut stream = Stream::from_seed(52_000 + seed);
        let n_plies = 20 + stream.below(150);
        let start = rules.initial(&rules.deal(&mut stream));
        let mut walk = Walk::from(rules, start, stream, 1);
        for _ in 0..n_plies {
            walk.step();
        }
        let seat = Seat::new((seed % 2) as u8);
        let observation = &walk.observations[seat.idx()];
        let posterior = ExactUniform.infer(&rules, observation).unwrap();
        let collision: f64 = shares(&posterior.weighted()).iter().map(|share| share * share).sum();
        let world = ExactUniform.world(&rules, &posterior, observation, seed);
        hits += f64::from(u8::from(*world.state() == walk.state));
        expected += collision;
        variance += collision * (1.0 - collision);
    }
    let deviation = (hits - expected) / variance.sqrt();
    println!(
        "{hits} of {n_games} worlds are the truth, {expected:.1} expected: {deviation:.2} sigma"
    );
    assert!(deviation.abs() < 4.0, "{deviation}");
    assert!(variance.sqrt() < expected / 5.0, "no power: {expected} of {n_games}");
}
