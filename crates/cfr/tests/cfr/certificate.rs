//! Proofs against known values, and NashConv by three routes.

use crate::games;
use cfr::certificate::{ExactEvaluation, ExactPolicy, Rational, at_most, definition, prove};
use cfr::nash_conv::Evaluation;
use cfr::{Policy, Rule, SequenceForm, Solver, Tree, Updates};
use game::{Seat, Stream};
use num_bigint::BigInt;
use toy::Kuhn;
use toy::goofspiel::PrizeOrder;

fn ratio(numerator: i64, denominator: i64) -> Rational {
    Rational::new(BigInt::from(numerator), BigInt::from(denominator))
}

/// The equilibria of Kuhn poker (Kuhn, Simplified two-person poker, 1950): the first player bets the jack with
/// probability α in [0, 1/3], the king with 3α, never the queen, and calls with the queen with α + 1/3; the second
/// bluffs with the jack and calls with the queen with 1/3. In units of 1 / (3n), α = k / (3n).
fn kuhn_equilibrium(tree: &Tree, k: u64, n: u64) -> ExactPolicy {
    let whole = 3 * n;
    let mut numerators = vec![0; tree.n_entries()];
    for set in tree.information_sets() {
        let history = tree.history(set.first_node as usize);
        let card = card_of(history[set.seat.idx()]);
        let aggressive = match (history.len() - 2, set.seat, card) {
            (0, _, 0) => k,
            (0, _, 1) => 0,
            (0, _, _) => 3 * k,
            // The second player after a check: bluffs, checks, bets.
            (1, _, 0) if history[2] == "pass" => n,
            (1, _, 1) if history[2] == "pass" => 0,
            // After a bet: folds, calls sometimes, calls.
            (_, _, 0) => 0,
            (1, _, 1) => n,
            (2, _, 1) => k + n,
            _ => whole,
        };
        numerators[set.first_entry as usize] = whole - aggressive;
        numerators[set.first_entry as usize + 1] = aggressive;
    }
    ExactPolicy::new(tree, whole, numerators).unwrap()
}

fn card_of(deal: &str) -> usize {
    let cards = ["J", "Q", "K"];
    cards.iter().position(|card| deal.ends_with(card)).unwrap_or_else(|| panic!("{deal}"))
}

fn random_policy(tree: &Tree, seed: u64) -> Policy {
    let mut stream = Stream::from_seed(seed);
    let weights: Vec<f64> = (0..tree.n_entries()).map(|_| stream.unit().powi(3)).collect();
    Policy::from_weights(tree, &weights)
}

#[test]
fn kuhn_is_worth_exactly_minus_one_eighteenth() {
    let tree = games::kuhn();
    // α = 0, 1/5, 1/3 and one between.
    for (k, n) in [(0, 1), (3, 5), (1, 1), (7, 22)] {
        let evaluation = ExactEvaluation::of(&tree, &kuhn_equilibrium(&tree, k, n)).unwrap();
        assert_eq!(evaluation.nash_conv(), ratio(0, 1), "alpha {k}/{}", 3 * n);
        assert_eq!(evaluation.values, [ratio(-1, 18), ratio(1, 18)]);
    }
}

#[test]
fn kuhn_beyond_the_family_is_no_equilibrium() {
    let tree = games::kuhn();
    let mut numerators = kuhn_equilibrium(&tree, 3, 5).numerators().to_vec();
    let first = tree.information_sets()[0].first_entry as usize;
    numerators.swap(first, first + 1);
    let moved = ExactPolicy::new(&tree, 15, numerators).unwrap();
    assert!(ExactEvaluation::of(&tree, &moved).unwrap().nash_conv() > ratio(0, 1));
}

#[test]
fn exact_evaluation_equals_the_fast_one() {
    for tree in [games::kuhn(), games::compiled(Kuhn::THREE_PLAYERS), games::leduc()] {
        let form = SequenceForm::new(&tree);
        for seed in 0..3 {
            let exact = ExactPolicy::rounded(&tree, &random_policy(&tree, seed)).unwrap();
            let evaluation = ExactEvaluation::of(&tree, &exact).unwrap();
            let fast = Evaluation::of(&form, &exact.nearest(&tree));
            for seat in 0..tree.n_seats() {
                assert!((at_most(&evaluation.values[seat]) - fast.values[seat]).abs() < 1e-12);
                let best = at_most(&evaluation.best_responses[seat]);
                assert!((best - fast.best_responses[seat]).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn leduc_is_proved_to_a_millionth() {
    let tree = games::leduc();
    let mut solver = Solver::new(&tree, Rule::Plus, Updates::Alternating);
    solver.run(LEDUC_ITERATIONS);
    let certificate = prove(&tree, &solver.average()).unwrap();
    let proved = certificate.nash_conv_at_most.0;
    println!("leduc: NashConv proved <= {proved:e}");
    assert!(certificate.nash_conv > ratio(0, 1) && certificate.nash_conv <= ratio(1, 1_000_000));
    assert!(proved <= 1e-6);
    // The value that OpenSpiel's sequence-form linear program tests for.
    let bounds = certificate.value_bounds.unwrap();
    assert!(bounds.lower_at_least < -0.085606424078 && -0.085606424078 < bounds.upper_at_most);
    assert_eq!(&bounds.upper - &bounds.lower, certificate.nash_conv);
    // The strategies that the proof is about are the solver's, but for the last bits.
    let policy = certificate.policy.nearest(&tree);
    let average = solver.average();
    let pairs = policy.probabilities().iter().zip(average.probabilities());
    assert!(pairs.into_iter().all(|(proved, solved)| (proved - solved).abs() < 1e-14));
}

const LEDUC_ITERATIONS: u64 = 200_000;

#[test]
fn three_routes_to_nash_conv_agree() {
    let trees = [
        (games::kuhn(), 50),
        (games::compiled(Kuhn::THREE_PLAYERS), 20),
        (games::compiled(games::goofspiel(3, PrizeOrder::Descending)), 20),
        (games::compiled(games::small_liars_dice()), 3),
        (games::leduc(), 3),
    ];
    for (tree, n) in trees {
        let form = SequenceForm::new(&tree);
        for seed in 0..n {
            let policy = random_policy(&tree, 1000 + seed);
            let fast = Evaluation::of(&form, &policy).nash_conv();
            let slow = definition::nash_conv(&tree, &policy);
            assert!((fast.0 - slow.0).abs() < 1e-12, "{fast:?} {slow:?}");
        }
    }
}

#[test]
fn no_pure_strategy_beats_the_best_response() {
    let tree = games::kuhn();
    for seed in 0..10 {
        let policy = random_policy(&tree, 2000 + seed);
        for seat in [Seat::FIRST, Seat::SECOND] {
            let sets: Vec<_> =
                tree.sets_of(seat).map(|set| &tree.information_sets()[set]).collect();
            let mut best = f64::NEG_INFINITY;
            for choices in 0..1usize << sets.len() {
                let mut weights = policy.probabilities().to_vec();
                for (place, set) in sets.iter().enumerate() {
                    let choice = choices >> place & 1;
                    weights[set.entries()].copy_from_slice(&[1.0 - choice as f64, choice as f64]);
                }
                best = best.max(definition::value(
                    &tree,
                    &Policy::from_weights(&tree, &weights),
                    seat,
                ));
            }
            let response = definition::best_response_value(&tree, &policy, seat);
            assert!((best - response).abs() < 1e-12);
        }
    }
}

#[test]
fn what_is_no_strategy_is_refused() {
    let tree = games::kuhn();
    let text = ExactPolicy::new(&tree, 2, vec![2; tree.n_entries()]).unwrap_err().to_string();
    assert!(text.contains("sum to 4, not to 2"), "{text}");
    let text = prove(&tree, &Policy::uniform(&games::leduc())).unwrap_err().to_string();
    assert!(text.contains("numerators"), "{text}");
}
