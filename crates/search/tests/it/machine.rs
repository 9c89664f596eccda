//! The state machine: how simulations are counted, split and reported, and what is asked of the network.

use crate::duel::{Act, Coin, Duel, UniformCoin};
use crate::evaluators::{Counting, Hashed};
use crate::nim::{Everything, Nim, observe};
use crate::players::{at_decisions, play};
use game::{Observation, Seat};
use search::{Pimc, SamplerFailure, Search, SearchParams, SearchStreams, drive};

const RULES: Duel = Duel { n_turns: 6 };

fn first_decision() -> Observation<Duel> {
    let mut seen = None;
    play(&RULES, 5, |_, truth_seen| seen = seen.take().or_else(|| Some(truth_seen.clone())));
    seen.unwrap()
}

#[test]
fn an_odd_budget_is_split_evenly_and_every_simulation_is_a_visit() {
    let params = SearchParams { simulations: 301, worlds: 3, ..SearchParams::BASE };
    let mut search = Pimc::new(RULES, UniformCoin, params);
    let streams = SearchStreams::from_seed(1);
    let decision = drive(&mut search, &first_decision(), streams, &mut Hashed).unwrap();
    let simulations: Vec<u32> = decision.worlds.iter().map(|world| world.simulations).collect();
    assert_eq!(simulations, [101, 100, 100]);
    for world in &decision.worlds {
        assert_eq!(world.n.iter().sum::<u32>(), world.simulations);
        assert!(world.q.iter().all(|q| q.abs() <= 1.0));
    }
    assert_eq!(decision.visits.iter().sum::<u32>(), 301);
    assert_eq!(decision.simulations(), 301);
    for (action_idx, &visits) in decision.visits.iter().enumerate() {
        assert_eq!(visits, decision.worlds.iter().map(|world| world.n[action_idx]).sum::<u32>());
    }
    assert!(decision.action_indices.is_sorted_by(|a, b| a < b));
    let most = decision.visits.iter().max().unwrap();
    assert_eq!(decision.visits.iter().position(|n| n == most), Some(decision.chosen_idx));
}

/// The root is asked about once for all worlds, and finished games are not asked about.
#[test]
fn the_network_is_asked_once_a_leaf() {
    let params = SearchParams { simulations: 60, worlds: 4, ..SearchParams::BASE };
    let mut search = Pimc::new(RULES, UniformCoin, params);
    let mut evaluator = Counting::default();
    let streams = SearchStreams::from_seed(1);
    drive(&mut search, &first_decision(), streams, &mut evaluator).unwrap();
    assert_eq!(evaluator.n_requests, 1 + 60, "no simulation of this position ends a game");
    assert_eq!(evaluator.largest, 4, "every world has a leaf in each step");
    assert_eq!(evaluator.n_batches, 1 + 60 / 4);
}

#[test]
fn several_leaves_of_a_world_may_wait() {
    let params =
        SearchParams { simulations: 200, worlds: 2, leaves_per_step: 8, ..SearchParams::BASE };
    let mut search = Pimc::new(RULES, UniformCoin, params);
    let mut evaluator = Counting::default();
    let streams = SearchStreams::from_seed(1);
    let decision = drive(&mut search, &first_decision(), streams, &mut evaluator).unwrap();
    assert_eq!(decision.visits.iter().sum::<u32>(), 200);
    assert!(evaluator.largest > 8 && evaluator.n_batches < 60, "{}", evaluator.n_batches);
}

#[test]
fn a_forced_decision_is_not_searched() {
    let mut search = Pimc::new(Nim, Everything, SearchParams::BASE);
    let mut evaluator = Counting::default();
    let streams = SearchStreams::from_seed(1);
    let decision = drive(&mut search, &observe(1, Seat::FIRST), streams, &mut evaluator).unwrap();
    assert_eq!((decision.chosen(), decision.is_searched()), (1, false));
    assert_eq!((evaluator.n_requests, decision.visits), (0, vec![0]));
}

/// Equal actions are tried, and equal visits chosen, in the order of the action index.
#[test]
fn ties_go_to_the_lowest_action_index() {
    let first_visits = |simulations| {
        let params = SearchParams { simulations, worlds: 1, ..SearchParams::BASE };
        let mut search = Pimc::new(Nim, Everything, params);
        let streams = SearchStreams::from_seed(1);
        let seen = observe(21, Seat::FIRST);
        drive(&mut search, &seen, streams, &mut game::evaluate::UniformEvaluator).unwrap()
    };
    assert_eq!(first_visits(1).visits, [1, 0, 0]);
    assert_eq!(first_visits(2).visits, [1, 1, 0]);
    assert_eq!(first_visits(3).chosen_idx, 0);
}

/// A whole game with one search a seat: the beliefs kept from decision to decision give what a fresh search gives.
#[test]
fn a_belief_kept_through_the_game_equals_a_fresh_one() {
    let params = SearchParams { simulations: 40, ..SearchParams::BASE };
    let mut kept = Seat::BOTH.map(|_| Pimc::new(RULES, UniformCoin, params));
    let mut n_narrowed = 0;
    for seed in 0..20 {
        kept.iter_mut().for_each(Search::new_game);
        at_decisions(&RULES, seed, |seen| {
            let streams = SearchStreams::from_seed(seed);
            let kept = &mut kept[seen.seat().idx()];
            let decision = drive(kept, seen, streams.clone(), &mut Hashed).unwrap();
            let mut fresh = Pimc::new(RULES, UniformCoin, params);
            assert_eq!(drive(&mut fresh, seen, streams, &mut Hashed).unwrap(), decision);
            n_narrowed += usize::from(kept.support_len() == Some(1));
        });
    }
    assert!(n_narrowed > 10, "beliefs narrowed in {n_narrowed} decisions only");
}

/// Worlds whose root offers other actions than the real seat has are a sampler failure, not a panic.
#[test]
fn a_world_with_other_actions_is_refused() {
    let seen = first_decision();
    let mut now = seen.now().clone();
    now.coin = Some(Coin::Gold);
    let gold = Observation::begin(seen.seat(), now);
    let mut search = Pimc::new(RULES, Forgetful, SearchParams::BASE);
    let failure = search.begin(&gold, SearchStreams::from_seed(1)).unwrap_err();
    assert_eq!(failure, SamplerFailure::OtherActions { world_idx: 0, n_real: 4, n_world: 3 });
    assert!(!search.is_done());
    // The search goes on with the next observation.
    let streams = SearchStreams::from_seed(1);
    let mut now = seen.now().clone();
    now.coin = Some(Coin::Silver);
    let silver = Observation::begin(seen.seat(), now);
    assert!(drive(&mut search, &silver, streams, &mut Hashed).is_ok());
}

#[test]
fn an_observation_that_contradicts_itself_is_an_error() {
    let mut now = first_decision().now().clone();
    now.table.is_flashed = [true, true];
    let seen = Observation::begin(now.seat, now);
    let mut search = Pimc::new(RULES, SilverOnly, SearchParams::BASE);
    let failure = search.begin(&seen, SearchStreams::from_seed(1)).unwrap_err();
    assert!(matches!(failure, SamplerFailure::Contradiction(_)), "{failure}");
}

#[test]
fn prior_shaping_moves_visits_and_no_values() {
    let visits_of_strike = |prior_shaping| {
        let params = SearchParams { simulations: 30, prior_shaping, ..SearchParams::BASE };
        let mut search = Pimc::new(RULES, UniformCoin, params);
        let streams = SearchStreams::from_seed(1);
        let seen = first_decision();
        let decision =
            drive(&mut search, &seen, streams, &mut game::evaluate::UniformEvaluator).unwrap();
        let strike = decision.actions.iter().position(|&act| act == Act::Strike).unwrap();
        (decision.visits[strike], decision.root_value)
    };
    let (plain, value) = visits_of_strike(0.0);
    let (shaped, shaped_value) = visits_of_strike(1.5);
    assert!(shaped > plain, "{shaped} {plain}");
    assert_eq!((value, shaped_value), (0.0, 0.0), "all evaluations are 0 and no game ended");
}

/// A faulty belief: it forgets the observer's own coin.
#[derive(Clone)]
struct Forgetful;

/// A faulty belief: it never holds a gold coin possible.
#[derive(Clone)]
struct SilverOnly;

macro_rules! delegate {
    ($name:ident, $world:expr, $prior:expr) => {
        impl game::Belief<Duel> for $name {
            type Posterior = crate::duel::Possible;

            fn name(&self) -> String {
                "faulty".to_owned()
            }

            fn prior(&self, rules: &Duel, seen: &Observation<Duel>) -> Self::Posterior {
                let prior: fn(&Duel, &Observation<Duel>) -> Self::Posterior = $prior;
                prior(rules, seen)
            }

            fn catch_up(
                &self,
                rules: &Duel,
                posterior: &mut Self::Posterior,
                seen: &Observation<Duel>,
            ) -> Result<(), game::Contradiction> {
                UniformCoin.catch_up(rules, posterior, seen)
            }

            fn support_len(&self, posterior: &Self::Posterior) -> usize {
                posterior.coins.len()
            }

            fn posterior_bytes(&self, rules: &Duel, posterior: &Self::Posterior) -> Vec<u8> {
                UniformCoin.posterior_bytes(rules, posterior)
            }

            fn log_weight(
                &self,
                rules: &Duel,
                posterior: &Self::Posterior,
                observer: Seat,
                state: &<Duel as game::Rules>::State,
            ) -> f64 {
                UniformCoin.log_weight(rules, posterior, observer, state)
            }

            fn all_worlds(
                &self,
                rules: &Duel,
                posterior: &Self::Posterior,
                seen: &Observation<Duel>,
            ) -> Vec<(game::World<Duel>, f64)> {
                UniformCoin.all_worlds(rules, posterior, seen)
            }

            fn world(
                &self,
                rules: &Duel,
                posterior: &Self::Posterior,
                seen: &Observation<Duel>,
                seed: u64,
            ) -> game::World<Duel> {
                let world = UniformCoin.world(rules, posterior, seen, seed);
                let change: fn(game::World<Duel>, Seat) -> game::World<Duel> = $world;
                change(world, seen.seat())
            }
        }
    };
}

delegate!(
    Forgetful,
    |world, seat| {
        let mut state = world.into_state();
        state.coins[seat.idx()] = Some(Coin::Silver);
        game::World::sampled(state)
    },
    |rules, seen| UniformCoin.prior(rules, seen)
);

delegate!(SilverOnly, |world, _| world, |_, _| crate::duel::Possible {
    coins: vec![Coin::Silver],
    n_seen: 0
});
