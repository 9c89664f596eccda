//! The same observation, model, parameters and streams give the same decision: again, on another thread, beside
//! other searches, and however the requests are batched.

use crate::duel::{Duel, UniformCoin};
use crate::evaluators::Hashed;
use crate::players::at_decisions;
use game::{EvalRequest, Evaluation, Evaluator, Observation};
use search::{Decision, Pimc, Search, SearchParams, SearchStreams, drive};

const RULES: Duel = Duel { n_turns: 5 };
const PARAMS: SearchParams = SearchParams {
    simulations: 50,
    worlds: 3,
    leaves_per_step: 2,
    noise_share: 0.25,
    temperature: 1.0,
    temperature_plies: 1000,
    ..SearchParams::BASE
};

fn observations() -> Vec<Observation<Duel>> {
    let mut all = Vec::new();
    (0..6).for_each(|seed| at_decisions(&RULES, seed, |seen| all.push(seen.clone())));
    assert!(all.len() > 40);
    all
}

fn alone(seen: &Observation<Duel>, seed: u64) -> Decision<Duel> {
    let mut search = Pimc::new(RULES, UniformCoin, PARAMS);
    drive(&mut search, seen, SearchStreams::from_seed(seed), &mut Hashed).unwrap()
}

#[test]
fn threads_have_no_influence() {
    let all = observations();
    let here: Vec<_> = all.iter().map(|seen| alone(seen, 7)).collect();
    let there: Vec<_> = std::thread::scope(|scope| {
        let handles: Vec<_> = all.iter().map(|seen| scope.spawn(|| alone(seen, 7))).collect();
        handles.into_iter().map(|handle| handle.join().unwrap()).collect()
    });
    assert_eq!(here, there);
}

/// All searches step together and share every batch.
#[test]
fn neighbours_in_a_batch_have_no_influence() {
    let all = observations();
    let mut searches: Vec<_> = all.iter().map(|_| Pimc::new(RULES, UniformCoin, PARAMS)).collect();
    for (search, seen) in searches.iter_mut().zip(&all) {
        search.begin(seen, SearchStreams::from_seed(7)).unwrap();
    }
    while searches.iter().any(|search| !search.is_done()) {
        let mut batch: Vec<EvalRequest<Duel>> = Vec::new();
        let shares: Vec<usize> =
            searches.iter_mut().rev().map(|search| search.gather(&mut batch).unwrap()).collect();
        let mut answers: &[Evaluation] = &Hashed.evaluate(&batch);
        for (search, n) in searches.iter_mut().rev().zip(shares) {
            let (own, rest) = answers.split_at(n);
            search.apply(own);
            answers = rest;
        }
    }
    for (search, seen) in searches.iter_mut().zip(&all) {
        assert_eq!(search.decision(), alone(seen, 7));
    }
}

/// One purpose, one stream: noise does not move the worlds, and the temperature moves nothing but the choice.
#[test]
fn streams_are_independent() {
    let decide = |seen, params, streams| {
        let mut search = Pimc::new(RULES, UniformCoin, params);
        drive(&mut search, seen, streams, &mut Hashed).unwrap()
    };
    let (mut n_chosen_otherwise, mut n_visited_otherwise) = (0, 0);
    for seen in &observations() {
        let base = decide(seen, PARAMS, SearchStreams::from_seed(7));
        let mut other_choice = SearchStreams::from_seed(7);
        other_choice.temperature = game::Stream::from_seed(99);
        let again = decide(seen, PARAMS, other_choice);
        assert_eq!((&base.visits, &base.worlds), (&again.visits, &again.worlds));
        n_chosen_otherwise += usize::from(again.chosen_idx != base.chosen_idx);

        let quiet = SearchParams { noise_share: 0.0, ..PARAMS };
        let without_noise = decide(seen, quiet, SearchStreams::from_seed(7));
        assert_eq!(without_noise.belief_seed, base.belief_seed);
        n_visited_otherwise += usize::from(without_noise.visits != base.visits);
    }
    assert!(n_chosen_otherwise > 5 && n_visited_otherwise > 5);
}
