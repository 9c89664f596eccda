//! Calibration at full size: in games in which both seats choose uniformly, the truth lies among the configurations
//! of `exact-uniform` as its weights say, and `structural-uniform-v1` is found out on the same games.
//!
//! For one position of each game, the mass of the configurations that sort before the true one plus a uniform share
//! of its own (the randomized probability integral transform) is uniform in [0, 1] exactly when the weights are the
//! posterior. Any order will do; this one puts those first in which coins of one type lie apart, which there are more
//! ways to deal than equal weights allow for.

use game::{Chance, Hidden, ModelFree, Observation, Rules, Seat, Stream, Turn};
use num_bigint::BigUint;
use warchest::{Coins, Concealed, ExactUniform, StructuralUniform, WarChest};

/// Fixed before the first run.
const SEED: u64 = 20_261_130;
const N_GAMES: u32 = if cfg!(debug_assertions) { 800 } else { 3_000 };
/// Uniform play nearly always reaches the cap, some 520 plies on.
const N_PLIES_MAX: u32 = 500;

/// The true configuration of one position and what the other seat saw.
struct Position {
    truth: Concealed,
    observation: Observation<WarChest>,
}

/// A game of uniform play up to a ply that was drawn before it began, or to its end; and a seat drawn likewise.
fn play(rules: &WarChest, stream: &mut Stream) -> Position {
    let n_plies = stream.below(N_PLIES_MAX);
    let seat = Seat::new(stream.below(2) as u8);
    let mut state = rules.initial(&rules.deal(stream));
    let mut observation = Observation::begin(seat, rules.now(&state, seat));
    for _ in 0..n_plies {
        let action = match rules.turn(&state) {
            Turn::Over => break,
            Turn::Chance => rules.draw(&state, stream),
            Turn::Seat(_) => {
                let legal = rules.legal(&state);
                legal[stream.below(legal.len() as u32) as usize]
            }
        };
        let event = rules.event(&state, action, seat);
        rules.apply(&mut state, action);
        observation.extend(event, rules.now(&state, seat));
    }
    Position { truth: Concealed::of(&state, seat.other()), observation }
}

/// Sorts configurations of `reserve` by how much coins of one type lie together.
fn sort(weighted: &mut [(Concealed, BigUint)], reserve: Coins) {
    weighted.sort_by_key(|(concealed, _)| {
        let Concealed { hand, discard_down, drawn } = *concealed;
        let places = [hand, discard_down, drawn, reserve - concealed.total()];
        let squares =
            |coins: Coins| coins.counts().map(|n| u32::from(n).pow(2)).iter().sum::<u32>();
        let together: u32 = places.map(squares).iter().sum();
        (together, [hand, discard_down, drawn].map(Coins::bits))
    });
}

/// A quotient of at most 1.
fn quotient(part: &BigUint, whole: &BigUint) -> f64 {
    let scaled: BigUint = (part << 53u32) / whole;
    u64::try_from(scaled).expect("a part") as f64 / (1u64 << 53) as f64
}

/// Where the truth lies among the configurations, by their weights.
fn transform(weighted: &[(Concealed, BigUint)], truth: &Concealed, share: f64) -> f64 {
    let total: BigUint = weighted.iter().map(|(_, weight)| weight).sum();
    let idx = weighted.iter().position(|(concealed, _)| concealed == truth);
    let idx = idx.expect("the truth has weight");
    let before: BigUint = weighted[..idx].iter().map(|(_, weight)| weight).sum();
    quotient(&before, &total) + share * quotient(&weighted[idx].1, &total)
}

/// The probability that `n` uniform numbers are at least this far from uniform (Kolmogorov's limit with the
/// correction of Stephens 1970).
fn kolmogorov_smirnov_p(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let n = values.len() as f64;
    let distance = values.iter().enumerate().fold(0.0f64, |distance, (idx, value)| {
        distance.max(value - idx as f64 / n).max((idx + 1) as f64 / n - value)
    });
    let lambda = (n.sqrt() + 0.12 + 0.11 / n.sqrt()) * distance;
    let term = |k: i32| {
        let sign = if k % 2 == 0 { -1.0 } else { 1.0 };
        sign * (-2.0 * f64::from(k * k) * lambda * lambda).exp()
    };
    (2.0 * (1..100).map(term).sum::<f64>()).clamp(0.0, 1.0)
}

#[test]
fn the_truth_lies_where_exact_uniform_says() {
    let rules = WarChest::ranked();
    let mut stream = Stream::from_seed(SEED);
    let (mut exact, mut structural) = (Vec::new(), Vec::new());
    let mut several = 0;
    for _ in 0..N_GAMES {
        let Position { truth, observation } = play(&rules, &mut stream);
        let share = stream.unit();
        let posterior = ExactUniform.infer(&rules, &observation).unwrap();
        let reserve = observation.now().opponent.reserve;
        let mut weighted = posterior.weighted();
        sort(&mut weighted, reserve);
        exact.push(transform(&weighted, &truth, share));
        let equal = StructuralUniform.infer(&rules, &observation).unwrap();
        let one = BigUint::from(1u32);
        let mut equal: Vec<_> = equal.configurations().map(|c| (c, one.clone())).collect();
        sort(&mut equal, reserve);
        structural.push(transform(&equal, &truth, share));
        several += usize::from(posterior.support_len() > 1);
    }
    let [p, p_control] = [exact, structural].map(kolmogorov_smirnov_p);
    println!("{N_GAMES} games, {several} with several configurations: p {p}, control {p_control}");
    assert!(several > N_GAMES as usize / 2, "{several}");
    assert!(p > 0.01, "exact-uniform is not calibrated: p {p}");
    assert!(p_control < 0.001, "structural-uniform-v1 is not found out: p {p_control}");
}

#[test]
fn the_test_of_uniformity_knows_what_is_uniform() {
    let mut stream = Stream::from_seed(SEED);
    let uniform: Vec<f64> = (0..2_000).map(|_| stream.unit()).collect();
    let bent: Vec<f64> = uniform.iter().map(|value| value.powf(1.1)).collect();
    assert!(kolmogorov_smirnov_p(uniform) > 0.01);
    assert!(kolmogorov_smirnov_p(bent) < 0.001);
    // Kolmogorov's distribution at 1.358 is 0.05; the middle of n equal steps is 1 / 2n away.
    let even = (0..100).map(|idx| (f64::from(idx) + 0.5) / 100.0).collect();
    assert!(kolmogorov_smirnov_p(even) > 0.999);
}
