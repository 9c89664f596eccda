//! The harness that every game runs, two-world pairs, and the belief against brute force.

use game::conformance::{self, Uniform, Walk};
use game::{
    Belief, Chance, Encode, Hidden, ModelFree, Observation, Rules, Seat, SecondTruth, Stream, Turn,
};
use num_bigint::BigInt;
use num_rational::Ratio;
use std::collections::BTreeMap;
use toy::goofspiel::PrizeOrder;
use toy::leduc::Suits;
use toy::{Enumerated, Goofspiel, Kuhn, Leduc, LiarsDice, Line, NormalForm, Small, SmallGame};

/// What is asked of one game.
trait Question {
    fn ask<G: SmallGame>(&mut self, game: G);
}

fn ask_all(question: &mut impl Question) {
    question.ask(Kuhn::TWO_PLAYERS);
    question.ask(Kuhn::THREE_PLAYERS);
    question.ask(Leduc { suits: Suits::All });
    question.ask(Leduc { suits: Suits::Isomorphic });
    question.ask(LiarsDice::ONE_EACH);
    question.ask(LiarsDice::new(2, 3).unwrap());
    question.ask(Goofspiel::new(4, PrizeOrder::Descending).unwrap());
    question.ask(Goofspiel::new(3, PrizeOrder::Random).unwrap());
    NormalForm::named().into_iter().for_each(|game| question.ask(game));
}

struct Harness;

impl Question for Harness {
    fn ask<G: SmallGame>(&mut self, game: G) {
        let rules = Small(game);
        let plan = Walk { games: 60, plies_max: 100, seed: 5 };
        let moves = conformance::moves(&rules, plan, Uniform).unwrap();
        assert!(moves.scored == 60 && moves.truncated == 0, "{moves:?}");
        conformance::chance_weights(&rules, plan, Uniform).unwrap();
        let texts = conformance::notation(&rules, plan, Uniform).unwrap();
        assert!(texts.positions >= 120, "{texts:?}");
        conformance::action_index(&rules, plan, Uniform).unwrap();
        let seen = conformance::observations(&rules, &Enumerated, plan, Uniform, 1).unwrap();
        assert!(seen.observations >= 240 && seen.other_worlds > 0, "{seen:?}");
    }
}

#[test]
fn every_game_passes_the_harness() {
    ask_all(&mut Harness);
}

/// Every position of a random game, with what each seat has observed.
fn for_each_position<G: SmallGame>(
    rules: &Small<G>,
    stream: &mut Stream,
    mut each: impl FnMut(&Line, &[Observation<Small<G>>], &mut Stream),
) {
    let mut state = rules.initial(&());
    let seats = (0..rules.n_seats()).map(|seat| Seat::new(seat as u8));
    let mut observations: Vec<_> =
        seats.map(|seat| Observation::begin(seat, rules.now(&state, seat))).collect();
    loop {
        each(&state, &observations, stream);
        let act = match rules.turn(&state) {
            Turn::Over => return,
            Turn::Chance => rules.draw(&state, stream),
            Turn::Seat(_) => {
                let legal = rules.legal(&state);
                legal[stream.below(legal.len() as u32) as usize]
            }
        };
        let before = state;
        rules.apply(&mut state, act);
        for observation in &mut observations {
            let seat = observation.seat();
            observation.extend(rules.event(&before, act, seat), rules.now(&state, seat));
        }
    }
}

fn observed<G: SmallGame>(rules: &Small<G>, line: &Line, seat: Seat) -> Observation<Small<G>> {
    let mut state = rules.initial(&());
    let mut observation = Observation::begin(seat, rules.now(&state, seat));
    for act in line.acts() {
        let event = rules.event(&state, *act, seat);
        rules.apply(&mut state, *act);
        observation.extend(event, rules.now(&state, seat));
    }
    observation
}

/// Everything that may be computed for a seat.
fn told<G: SmallGame>(rules: &Small<G>, line: &Line, seat: Seat) -> Vec<u8> {
    let observation = observed(rules, line, seat);
    let mut bytes = observation.bytes(rules);
    let mut actions = Vec::new();
    let _ = rules.now_actions(observation.now(), &mut actions);
    bytes.extend(format!("{actions:?}").bytes());
    let mut features = vec![0.0; rules.feature_layout().row_len()];
    rules.write_features(observation.now(), &mut features);
    bytes.extend(features.iter().flat_map(|feature| feature.to_le_bytes()));
    let posterior = Enumerated.infer(rules, &observation).unwrap();
    bytes.extend(Enumerated.posterior_bytes(rules, &posterior));
    for seed in 0..8 {
        let world = Enumerated.world(rules, &posterior, &observation, seed);
        bytes.extend(format!("{:?}", world.state()).bytes());
    }
    bytes
}

/// Pairs of truths that one seat cannot tell apart.
#[derive(Default)]
struct TwoWorlds {
    pairs: u64,
    at_own_decisions: u64,
}

impl Question for TwoWorlds {
    fn ask<G: SmallGame>(&mut self, game: G) {
        let rules = Small(game);
        let mut stream = Stream::from_seed(9);
        let before = self.pairs;
        for _ in 0..100 {
            for_each_position(&rules, &mut stream, |line, observations, stream| {
                for observation in observations {
                    let seat = observation.seat();
                    let start = rules.initial(&());
                    let second = rules.second_truth(&start, line.acts(), seat, stream);
                    let Some(second) = second else { continue };
                    let mut other = second.start;
                    second.plies.iter().for_each(|act| rules.apply(&mut other, *act));
                    assert!(other != *line && other.acts().len() == line.acts().len());
                    let (here, there) = (told(&rules, line, seat), told(&rules, &other, seat));
                    assert!(here == there, "{}: {line:?} and {other:?}", rules.0.name());
                    self.pairs += 1;
                    self.at_own_decisions += u64::from(rules.turn(line) == Turn::Seat(seat));
                }
            });
        }
        assert!(before + 50 < self.pairs, "{} has too few pairs", rules.0.name());
    }
}

#[test]
fn two_truths_that_look_alike_give_the_same_bytes() {
    let mut found = TwoWorlds::default();
    ask_all(&mut found);
    assert!(found.pairs > 10_000 && found.at_own_decisions > 2_000, "{}", found.pairs);
}

/// All lines of the game as long as `n`, with the probability that chance and the others' uniform choices give them.
fn all_lines<G: SmallGame>(
    rules: &Small<G>,
    line: Line,
    n: usize,
    probability: &Ratio<BigInt>,
    observer: Seat,
    out: &mut Vec<(Line, Ratio<BigInt>)>,
) {
    if line.acts().len() == n {
        out.push((line, probability.clone()));
        return;
    }
    let mut next: Vec<(toy::Act, u32)> = Vec::new();
    match rules.turn(&line) {
        Turn::Over => return,
        Turn::Chance => rules.outcomes(&line, &mut |act, weight| next.push((act, weight))),
        Turn::Seat(_) => next.extend(rules.legal(&line).into_iter().map(|act| (act, 1))),
    }
    let is_own = rules.turn(&line) == Turn::Seat(observer);
    let total = if is_own { 1 } else { next.iter().map(|(_, weight)| *weight).sum() };
    for (act, weight) in next {
        let mut longer = line;
        rules.apply(&mut longer, act);
        let share = Ratio::new(BigInt::from(weight), BigInt::from(total));
        all_lines(rules, longer, n, &(probability * share), observer, out);
    }
}

/// The belief as shares, against the lines of the whole game that look alike.
#[derive(Default)]
struct BruteForce {
    positions: u64,
    uneven: u64,
}

impl Question for BruteForce {
    fn ask<G: SmallGame>(&mut self, game: G) {
        let rules = Small(game);
        // The whole game is walked at every position: the larger ones at few plies.
        let plies_max = if rules.0.n_acts() > 12 { 5 } else { 7 };
        let one = Ratio::from_integer(BigInt::from(1));
        let mut stream = Stream::from_seed(31);
        for _ in 0..3 {
            for_each_position(&rules, &mut stream, |line, observations, _| {
                if line.acts().len() > plies_max {
                    return;
                }
                for observation in observations {
                    let seat = observation.seat();
                    let mut all = Vec::new();
                    let start = rules.initial(&());
                    all_lines(&rules, start, line.acts().len(), &one, seat, &mut all);
                    let mine = observation.bytes(&rules);
                    all.retain(|(other, _)| observed(&rules, other, seat).bytes(&rules) == mine);
                    let total: Ratio<BigInt> = all.iter().map(|(_, share)| share).sum();
                    let expected: BTreeMap<Line, Ratio<BigInt>> =
                        all.into_iter().map(|(line, share)| (line, share / &total)).collect();
                    let posterior = Enumerated.infer(&rules, observation).unwrap();
                    assert_eq!(posterior.shares(), expected, "{line:?}");
                    self.positions += 1;
                    let first = expected.values().next();
                    self.uneven += u64::from(expected.values().any(|share| Some(share) != first));
                }
            });
        }
    }
}

#[test]
fn the_belief_is_the_posterior_of_all_lines() {
    let mut found = BruteForce::default();
    ask_all(&mut found);
    assert!(found.positions > 150 && found.uneven > 10, "{} {}", found.positions, found.uneven);
}

#[test]
fn the_truth_always_has_weight() {
    struct Support;
    impl Question for Support {
        fn ask<G: SmallGame>(&mut self, game: G) {
            let rules = Small(game);
            let mut stream = Stream::from_seed(4);
            for _ in 0..50 {
                for_each_position(&rules, &mut stream, |line, observations, _| {
                    for observation in observations {
                        let posterior = Enumerated.infer(&rules, observation).unwrap();
                        assert!(Enumerated.admits(&rules, &posterior, observation.seat(), line));
                    }
                });
            }
        }
    }
    ask_all(&mut Support);
}
