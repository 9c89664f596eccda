//! Local responses in a game too large to solve: the range is a belief's, nothing but the observation is given.

use cfr::stochastic::{BeliefRange, LocalResponder, Range, Uniformly};
use game::evaluate::UniformEvaluator;
use game::{Hidden, Observation, Rules, Seat, Stream, Turn};
use warchest::WarChest;
use warchest::belief::ExactUniform;

fn responder(
    worlds_max: usize,
    rollouts: u32,
) -> LocalResponder<BeliefRange<ExactUniform, UniformEvaluator>, Uniformly, Uniformly> {
    LocalResponder {
        range: BeliefRange { belief: ExactUniform, evaluator: UniformEvaluator, worlds_max },
        player: Uniformly,
        continuation: Uniformly,
        rollouts,
        truncated_value: 0.0,
    }
}

/// What the second seat has observed at its decisions in the first `n_plies` plies of a random game.
fn decisions(rules: &WarChest, n_plies: u32) -> Vec<Observation<WarChest>> {
    let mut stream = Stream::from_seed(8);
    let mut state = rules.initial(&rules.deal(&mut stream));
    let seat = Seat::SECOND;
    let mut observation = Observation::begin(seat, rules.now(&state, seat));
    let mut met = Vec::new();
    for _ in 0..n_plies {
        let action = match rules.turn(&state) {
            Turn::Over => break,
            Turn::Chance => game::Chance::draw(rules, &state, &mut stream),
            Turn::Seat(actor) => {
                if actor == seat {
                    met.push(observation.clone());
                }
                let legal = rules.legal(&state);
                legal[stream.below(legal.len() as u32) as usize]
            }
        };
        let event = rules.event(&state, action, seat);
        rules.apply(&mut state, action);
        observation.extend(event, rules.now(&state, seat));
    }
    met
}

#[test]
fn ranges_are_the_beliefs_worlds() {
    let rules = WarChest::ranked();
    let mut most = 0;
    for observation in decisions(&rules, 60) {
        // All configurations, and a sample where there are more than four.
        for worlds_max in [5_000, 4] {
            let mut range = responder(worlds_max, 1).range;
            let worlds = range.worlds(&rules, &observation, &mut Stream::from_seed(2)).unwrap();
            let sum: f64 = worlds.iter().map(|world| world.weight).sum();
            assert!((sum - 1.0).abs() < 1e-9, "{sum}");
            assert!(worlds.len() <= worlds_max);
            most = most.max(worlds.len());
            for world in &worlds {
                let state = world.world.state();
                assert_eq!(rules.now(state, Seat::SECOND), *observation.now());
                assert_eq!(world.observations[1], observation);
                assert_eq!(*world.observations[0].now(), rules.now(state, Seat::FIRST));
            }
        }
    }
    assert!(most > 20, "at most {most} configurations");
}

#[test]
fn a_choice_is_legal_and_depends_on_the_observation_and_the_seed() {
    let rules = WarChest::ranked();
    let met = decisions(&rules, 16);
    assert!(met.len() > 2);
    for observation in &met {
        let choose = |seed| {
            responder(20, 2).choose(&rules, observation, &mut Stream::from_seed(seed)).unwrap()
        };
        let action = choose(3);
        let mut legal = Vec::new();
        let _ = rules.now_actions(observation.now(), &mut legal);
        assert!(legal.contains(&action));
        assert_eq!(choose(3), action);
    }
}
