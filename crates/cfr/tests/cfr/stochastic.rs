//! Players that can only be asked: brackets hold the exact NashConv, local best responses stay below exact ones, and
//! winnings are never taken for either.

use crate::games::{compiled, kuhn};
use cfr::best_response::best_response;
use cfr::information::{Everything, Information};
use cfr::nash_conv::{Evaluation, Exploitability, NashConv};
use cfr::stochastic::bracket::{BracketError, brackets};
use cfr::stochastic::head_to_head::{PlayError, head_to_head};
use cfr::stochastic::local_best_response::{LocalBestResponseError, local_best_response};
use cfr::stochastic::{
    Asked, Asks, BeliefRange, Bracket, HeadToHead, HistoryRange, LocalBestResponse, LocalResponder,
    ObservedSets, ObservingPlayer, PolicyPlayer, Range, RangeError, StochasticPlayer, Uniformly,
    bracket,
};
use cfr::{Policy, Rule, SequenceForm, Solver, Tree, Updates};
use game::evaluate::UniformEvaluator;
use game::{Hidden, Observation, Seat, Stream};
use std::marker::PhantomData;
use toy::belief::Enumerated;
use toy::leduc::Suits;
use toy::{Act, Kuhn, Leduc, Small};

type SmallLeduc = Small<Leduc>;

const LEDUC: SmallLeduc = Small(Leduc { suits: Suits::Isomorphic });

fn leduc() -> Tree {
    compiled(LEDUC.0)
}

fn average_after(tree: &Tree, iterations: u64) -> Policy {
    let mut solver = Solver::new(tree, Rule::Plus, Updates::Alternating);
    solver.run(iterations);
    solver.average()
}

/// Half `policy`, half uniform, in every information set.
fn noisy(tree: &Tree, policy: &Policy) -> Policy {
    let uniform = Policy::uniform(tree);
    let both = policy.probabilities().iter().zip(uniform.probabilities());
    Policy::from_weights(tree, &both.map(|(p, q)| p + q).collect::<Vec<_>>())
}

fn exact_nash_conv(tree: &Tree, policy: &Policy) -> f64 {
    Evaluation::of(&SequenceForm::new(tree), policy).nash_conv().0
}

fn best_response_value(tree: &Tree, policy: &Policy, seat: Seat) -> f64 {
    let form = SequenceForm::new(tree);
    best_response(&form, &form.plans(policy), seat).value
}

fn bracket_of(tree: &Tree, policy: &Policy, per_half: u32, pairs: u32) -> Bracket {
    let mut player = PolicyPlayer::new(tree, policy.clone(), Everything);
    bracket(tree, &mut player, Asks { per_half, pairs }, 11).unwrap()
}

/// Whether the exact value lies between the two sides, each given three of its standard errors.
fn holds(bracket: &Bracket, exact: f64) -> bool {
    bracket.lower.mean - 3.0 * bracket.lower.standard_error <= exact
        && exact <= bracket.upper.mean + 3.0 * bracket.upper.standard_error
}

#[test]
fn brackets_hold_the_exact_value_and_close_in() {
    for (name, tree) in [("kuhn", kuhn()), ("leduc", leduc())] {
        let solved = average_after(&tree, 50);
        let policies = [
            ("uniform", Policy::uniform(&tree)),
            ("noisy", noisy(&tree, &solved)),
            ("solved", solved),
        ];
        for (policy_name, policy) in policies {
            let exact = exact_nash_conv(&tree, &policy);
            let mut player = PolicyPlayer::new(&tree, policy, Everything);
            let first = Asks { per_half: 8, pairs: 30 };
            let found = brackets(&tree, &mut player, first, 6, 5).unwrap();
            let mut width = f64::INFINITY;
            for bracket in &found {
                let (lower, upper) = (bracket.lower, bracket.upper);
                println!(
                    "{name}, {policy_name}, {} a half: {:.4} ± {:.4} to {:.4} ± {:.4}, exact {exact:.4}",
                    bracket.asks.per_half,
                    lower.mean,
                    lower.standard_error,
                    upper.mean,
                    upper.standard_error
                );
                assert!(holds(bracket, exact), "{name}, {policy_name}: {bracket:?}, exact {exact}");
                assert!(bracket.width() < width, "{name}, {policy_name}: {bracket:?}");
                width = bracket.width();
            }
            // 64 times the asks: the noise is an eighth, and so is the width if noise makes it.
            let (widest, narrowest) = (found[0].width(), found[6].width());
            assert!(narrowest < widest / 4.0, "{name}, {policy_name}: {widest} to {narrowest}");
        }
    }
}

#[test]
fn a_response_valued_where_it_was_fitted_is_too_good() {
    let tree = leduc();
    let policy = average_after(&tree, 50);
    let exact = exact_nash_conv(&tree, &policy);
    let bracket = bracket_of(&tree, &policy, 16, 30);
    // Outside of what chance explains: on the same half the noise is exploited, on the other it costs.
    let Bracket { lower, upper, .. } = &bracket;
    assert!(upper.mean - exact > 20.0 * upper.standard_error, "{bracket:?}, {exact}");
    assert!(exact - lower.mean > 5.0 * lower.standard_error, "{bracket:?}, {exact}");
}

#[test]
fn a_bracket_sums_its_seats() {
    let tree = compiled(Kuhn::THREE_PLAYERS);
    let policy = Policy::uniform(&tree);
    let bracket = bracket_of(&tree, &policy, 400, 20);
    assert!(holds(&bracket, exact_nash_conv(&tree, &policy)), "{bracket:?}");
    let sum: f64 = bracket.seats.iter().map(|seat| seat.lower.mean).sum();
    assert!((sum - bracket.lower.mean).abs() < 1e-12);
    for seat in &bracket.seats {
        let form = SequenceForm::new(&tree);
        let value = form.expected_utilities(&policy)[seat.seat.idx()];
        let gain = best_response_value(&tree, &policy, seat.seat) - value;
        assert!(seat.lower.mean - 3.0 * seat.lower.standard_error <= gain, "{seat:?}, {gain}");
        assert!(gain <= seat.upper.mean + 3.0 * seat.upper.standard_error, "{seat:?}, {gain}");
    }
    assert_eq!(bracket.asks_per_set(), 2 * 400 * 20);
}

/// Takes an action that is not there.
struct Astray;

impl StochasticPlayer for Astray {
    fn act(&mut self, tree: &Tree, set: usize, _: &mut Stream) -> usize {
        tree.information_sets()[set].n_actions as usize
    }
}

impl ObservingPlayer<SmallLeduc> for Astray {
    fn act(&mut self, _: &SmallLeduc, _: &Observation<SmallLeduc>, _: &mut Stream) -> Act {
        Act(77)
    }
}

#[test]
fn bad_players_and_numbers_are_refused() {
    let tree = leduc();
    let asks = Asks { per_half: 1, pairs: 2 };
    let error = bracket(&tree, &mut Astray, asks, 1).unwrap_err();
    assert!(matches!(error, BracketError::NoSuchAction { set: 0, .. }), "{error}");
    let mut observed = ObservedSets::new(&LEDUC, &(), &tree, Astray);
    let error = bracket(&tree, &mut observed, asks, 1).unwrap_err();
    assert!(matches!(error, BracketError::NoSuchAction { set: 0, .. }), "{error}");
    for asks in [Asks { per_half: 0, pairs: 2 }, Asks { per_half: 1, pairs: 1 }] {
        let error = bracket(&tree, &mut Uniformly, asks, 1).unwrap_err();
        assert!(matches!(error, BracketError::TooFewAsks { .. }), "{error}");
    }
    let mut uniformly = Uniformly;
    let error = head_to_head(&LEDUC, &mut [&mut uniformly, &mut Astray], 10, 1).unwrap_err();
    assert!(matches!(error, PlayError::IllegalAction { seat: Seat::SECOND, .. }), "{error}");
    let error = head_to_head(&LEDUC, &mut [&mut Astray], 10, 1).unwrap_err();
    assert!(matches!(error, PlayError::WrongPlayers { players: 1, seats: 2 }), "{error}");
}

/// Asked by observations it answers as when asked by the numbers of sets.
#[test]
fn observations_stand_for_their_sets() {
    let tree = leduc();
    let policy = noisy(&tree, &average_after(&tree, 10));
    let by_number = bracket_of(&tree, &policy, 20, 2);
    let player = PolicyPlayer::new(&tree, policy, Everything);
    let mut observed = ObservedSets::new(&LEDUC, &(), &tree, player);
    let found = bracket(&tree, &mut observed, Asks { per_half: 20, pairs: 2 }, 11).unwrap();
    assert_eq!(found, by_number);
    for (number, set) in tree.information_sets().iter().enumerate() {
        let mut key = Vec::new();
        Everything.write_key(&LEDUC, observed.observation(number), &mut key);
        assert_eq!(key, set.key);
    }
}

/// Calls where it may, as the responder of the paper does.
#[derive(Clone, Copy)]
struct Caller;

impl ObservingPlayer<SmallLeduc> for Caller {
    fn act(
        &mut self,
        rules: &SmallLeduc,
        observation: &Observation<SmallLeduc>,
        _: &mut Stream,
    ) -> Act {
        let mut legal = Vec::new();
        let _ = rules.now_actions(observation.now(), &mut legal);
        // Fold, call and raise are acts 6 to 8.
        *legal.iter().find(|act| act.0 == 7).unwrap()
    }
}

fn respond(tree: &Tree, policy: &Policy, seat: Seat, n_games: u64) -> LocalBestResponse {
    let player = || PolicyPlayer::new(tree, policy.clone(), Everything);
    let mut responder = LocalResponder {
        range: HistoryRange { model: player(), histories_max: 100 },
        player: player(),
        continuation: Caller,
        rollouts: 60,
        truncated_value: 0.0,
    };
    local_best_response(&LEDUC, seat, &mut responder, &mut player(), n_games, 3).unwrap()
}

#[test]
fn local_responses_stay_below_best_responses() {
    let tree = leduc();
    let solved = average_after(&tree, 300);
    let values = SequenceForm::new(&tree).expected_utilities(&solved);
    for seat in Seat::BOTH {
        let uniform = Policy::uniform(&tree);
        let best = best_response_value(&tree, &uniform, seat);
        let found = respond(&tree, &uniform, seat, 5_000);
        println!("{seat:?} against uniform: {:?}, best response {best:.4}", found.winnings);
        assert!(found.best_response_at_least() <= best);
        assert!(found.winnings.mean <= best + 4.0 * found.winnings.standard_error);
        // It finds most of what there is to win, and not only what an equilibrium would.
        assert!(
            found.best_response_at_least() > values[seat.idx()] + 0.5 * (best - values[seat.idx()])
        );

        let best = best_response_value(&tree, &solved, seat);
        let found = respond(&tree, &solved, seat, 5_000);
        println!("{seat:?} against solved: {:?}, best response {best:.4}", found.winnings);
        assert!(found.winnings.mean <= best + 4.0 * found.winnings.standard_error);
    }
}

/// Whatever the range and the model, the responder stays an ordinary strategy.
#[test]
fn a_responder_may_err_about_the_player() {
    let tree = leduc();
    let policy = average_after(&tree, 300);
    let player = || PolicyPlayer::new(&tree, policy.clone(), Everything);
    let best = best_response_value(&tree, &policy, Seat::FIRST);
    let mut mistaken = LocalResponder {
        range: HistoryRange { model: Uniformly, histories_max: 3 },
        player: Uniformly,
        continuation: Uniformly,
        rollouts: 20,
        truncated_value: 0.0,
    };
    let seat = Seat::FIRST;
    let found = local_best_response(&LEDUC, seat, &mut mistaken, &mut player(), 4_000, 3).unwrap();
    println!("mistaken: {:?}, best response {best:.4}", found.winnings);
    assert!(found.winnings.mean <= best + 4.0 * found.winnings.standard_error);

    // A model that is asked for actions, and never calls what it has not seen impossible.
    let model = Asked { player: player(), asks: 5 };
    let mut asking = LocalResponder {
        range: HistoryRange { model, histories_max: 100 },
        player: player(),
        continuation: Caller,
        rollouts: 20,
        truncated_value: 0.0,
    };
    let found = local_best_response(&LEDUC, seat, &mut asking, &mut Uniformly, 2_000, 3).unwrap();
    let best = best_response_value(&tree, &Policy::uniform(&tree), seat);
    println!("asking: {:?}, best response {best:.4}", found.winnings);
    assert!(found.winnings.mean <= best + 4.0 * found.winnings.standard_error);
    assert!(found.best_response_at_least() > 0.0);
}

/// A model that rules out what happens is an error, not an empty range.
#[test]
fn a_model_that_rules_out_what_happens_is_refused() {
    let tree = leduc();
    let calling: Vec<f64> = (0..tree.n_entries())
        .map(|entry| {
            let sets = tree.information_sets();
            let set = sets.partition_point(|set| set.entries().end <= entry);
            let place = entry - sets[set].entries().start;
            f64::from(u8::from(tree.actions(set).nth(place) == Some("call")))
        })
        .collect();
    let never_raises = PolicyPlayer::new(&tree, Policy::from_weights(&tree, &calling), Everything);
    let mut responder = LocalResponder {
        range: HistoryRange { model: never_raises, histories_max: 100 },
        player: Uniformly,
        continuation: Caller,
        rollouts: 4,
        truncated_value: 0.0,
    };
    let found = local_best_response(&LEDUC, Seat::SECOND, &mut responder, &mut Uniformly, 100, 3);
    let Err(LocalBestResponseError::Range(RangeError::NothingFits { seat, event_idx })) = found
    else {
        panic!("{found:?}")
    };
    assert_eq!(seat, Seat::SECOND);
    assert!(event_idx >= 2, "{event_idx}");
}

/// Winnings are those of the policies, by the exact values.
#[test]
fn winnings_are_the_expected_utilities() {
    let tree = leduc();
    let policy = noisy(&tree, &average_after(&tree, 10));
    let form = SequenceForm::new(&tree);
    let expected = form.expected_utilities(&policy);
    let player = || PolicyPlayer::new(&tree, policy.clone(), Everything);
    let found = head_to_head(&LEDUC, &mut [&mut player(), &mut player()], 20_000, 9).unwrap();
    for seat in &found {
        let miss = (seat.winnings.mean - expected[seat.seat.idx()]).abs();
        assert!(miss < 4.0 * seat.winnings.standard_error, "{seat:?}, expected {expected:?}");
        let (low, high) = seat.winnings.interval_95();
        assert!(low < seat.winnings.mean && seat.winnings.mean < high);
    }
    assert!((found[0].winnings.mean + found[1].winnings.mean).abs() < 1e-12);
}

/// The range against Bayes' rule by hand: the player raises its king always, its queen half of the time, its jack never.
#[test]
fn ranges_follow_the_players_policy() {
    let tree = leduc();
    let mut weights = vec![1.0; tree.n_entries()];
    for set in tree.information_sets() {
        if set.seat == Seat::FIRST && set.parent_entry.is_none() {
            let card = tree.history(set.first_node as usize)[0];
            let raises = match card {
                "J" => 0.0,
                "Q" => 0.5,
                _ => 1.0,
            };
            // Call, then raise.
            weights[set.entries()].copy_from_slice(&[1.0 - raises, raises]);
        }
    }
    let policy = Policy::from_weights(&tree, &weights);
    let observation = after(&[Act(0), Act(1), Act(8)], Seat::SECOND);
    let player = PolicyPlayer::new(&tree, policy, Everything);
    let mut range = HistoryRange { model: player, histories_max: 100 };
    let worlds = range.worlds(&LEDUC, &observation, &mut Stream::from_seed(1)).unwrap();
    let mut shares = [0.0; 3];
    for world in &worlds {
        assert_eq!(world.observations[1], observation);
        shares[usize::from(world.world.state().acts()[0].0)] += world.weight;
    }
    // Of the five other cards two are jacks, one a queen, two kings: weights 2·0, 1·½, 2·1.
    assert!((shares[0]).abs() < 1e-12 && (shares[1] - 0.2).abs() < 1e-12, "{shares:?}");
    assert!((shares[2] - 0.8).abs() < 1e-12, "{shares:?}");

    // A sample of one card is often a jack, which the raise rules out; then it is drawn again.
    range.histories_max = 1;
    let mut stream = Stream::from_seed(1);
    let sampled = (0..4_000).map(|_| {
        let worlds = range.worlds(&LEDUC, &observation, &mut stream).unwrap();
        assert!((worlds.iter().map(|world| world.weight).sum::<f64>() - 1.0).abs() < 1e-12);
        worlds
            .iter()
            .filter(|it| it.world.state().acts()[0] == Act(1))
            .map(|it| it.weight)
            .sum::<f64>()
    });
    let queens: f64 = sampled.sum();
    assert!((400.0..2_000.0).contains(&queens), "{queens}");
}

/// What `seat` has observed after these acts.
fn after(acts: &[Act], seat: Seat) -> Observation<SmallLeduc> {
    use game::Rules;
    let mut state = LEDUC.initial(&());
    let mut observation = Observation::begin(seat, LEDUC.now(&state, seat));
    for act in acts {
        let event = LEDUC.event(&state, *act, seat);
        LEDUC.apply(&mut state, *act);
        observation.extend(event, LEDUC.now(&state, seat));
    }
    observation
}

/// Whether `T` can be made from `HeadToHead`, found out by which of two methods applies.
trait NoConversion {
    fn converts(&self) -> bool {
        false
    }
}

impl<T> NoConversion for &PhantomData<T> {}

trait Conversion {
    fn converts(&self) -> bool {
        true
    }
}

impl<T: From<HeadToHead>> Conversion for PhantomData<T> {}

#[test]
fn winnings_are_no_exploitability() {
    assert!(
        PhantomData::<HeadToHead>.converts(),
        "the trick works: everything is made from itself"
    );
    assert!(!(&PhantomData::<NashConv>).converts());
    assert!(!(&PhantomData::<Exploitability>).converts());
    assert!(!(&PhantomData::<LocalBestResponse>).converts());
}

/// Two ranges that share no code: the histories that fit if the others choose uniformly, and the belief that is
/// enumerated under that assumption.
#[test]
fn a_beliefs_range_is_that_of_its_histories() {
    let acts = [Act(2), Act(1), Act(7), Act(8), Act(7), Act(0), Act(7), Act(8)];
    let mut n_checked = 0;
    for n in 2..=acts.len() {
        for seat in Seat::BOTH {
            let observation = after(&acts[..n], seat);
            let mut stream = Stream::from_seed(1);
            let mut by_histories = HistoryRange { model: Uniformly, histories_max: 100 };
            let mut by_belief =
                BeliefRange { belief: Enumerated, evaluator: UniformEvaluator, worlds_max: 100 };
            let expected = by_histories.worlds(&LEDUC, &observation, &mut stream).unwrap();
            let found = by_belief.worlds(&LEDUC, &observation, &mut stream).unwrap();
            assert_eq!(found.len(), expected.len());
            for world in &expected {
                let same = found.iter().find(|it| it.world.state() == world.world.state()).unwrap();
                assert!((same.weight - world.weight).abs() < 1e-12, "{n}, {seat:?}");
                n_checked += 1;
            }
        }
    }
    assert!(n_checked > 30, "{n_checked}");
}
