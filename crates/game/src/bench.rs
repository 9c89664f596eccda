//! How fast a game's rules and beliefs are, on one thread.

use crate::{
    Appeal, Belief, Chance, Contradiction, Evaluator, Hidden, Observation, Seat, Stream, Tactical,
    Turn,
};
use std::time::{Duration, Instant};

/// What one bench run measured. A decision is a ply, chance draws included.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RandomPlay {
    pub decisions: u64,
    pub games: u64,
    pub seconds: f64,
}

impl RandomPlay {
    pub fn decisions_per_s(&self) -> f64 {
        self.decisions as f64 / self.seconds
    }

    pub fn games_per_s(&self) -> f64 {
        self.games as f64 / self.seconds
    }
}

/// Deals and plays whole games, every legal action equally likely, until `duration` has passed; the game under way
/// is finished. Games that never end by their own rules need a cap.
pub fn random_play<R: Chance>(rules: &R, duration: Duration, seed: u64) -> RandomPlay {
    let mut stream = Stream::from_seed(seed);
    let mut actions = Vec::with_capacity(128);
    let (mut decisions, mut games) = (0, 0);
    let start = Instant::now();
    while start.elapsed() < duration || games == 0 {
        let mut state = rules.initial(&rules.deal(&mut stream));
        decisions += play_out(rules, &mut state, &mut stream, &mut actions);
        games += 1;
    }
    RandomPlay { decisions, games, seconds: start.elapsed().as_secs_f64() }
}

/// Plays to the end; gives the number of plies. `actions` is scratch space.
fn play_out<R: Chance>(
    rules: &R,
    state: &mut R::State,
    stream: &mut Stream,
    actions: &mut Vec<R::Action>,
) -> u64 {
    let mut plies = 0;
    loop {
        let action = match rules.turn(state) {
            Turn::Over => return plies,
            Turn::Chance => rules.draw(state, stream),
            Turn::Seat(_) => {
                actions.clear();
                let _ = rules.actions(state, actions);
                actions[stream.below(actions.len() as u32) as usize]
            }
        };
        rules.apply(state, action);
        plies += 1;
    }
}

/// What one bench of a belief measured. An update takes in one event; half of all updates are the observer's own
/// plies.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BeliefSpeed {
    pub update_us_median: f64,
    pub update_us_p999: f64,
    /// Finished worlds.
    pub samples_per_s: f64,
    pub support_median: usize,
    pub support_p99: usize,
    pub support_max: usize,
    /// Positions in which the true configuration has no weight: 0, or the belief is wrong.
    pub truth_missing: u64,
    /// One for each ply and seat.
    pub positions: u64,
    /// Evaluations that an update asked the network for, on average; their time is in the updates' times.
    pub evals_per_update: f64,
}

/// Every so many positions, so many worlds are sampled.
const SAMPLED_ONE_IN: usize = 16;
const N_WORLDS: u64 = 32;

/// Carries the beliefs of all seats through games of random play that prefers what its game finds appealing, ply by
/// ply, up to `n_positions` positions (at least; the game under way is finished). `evaluator` answers what the belief
/// asks.
pub fn belief_speed<G: Hidden + Tactical, B: Belief<G>>(
    rules: &G,
    belief: &B,
    evaluator: &mut impl Evaluator<G>,
    n_positions: usize,
    seed: u64,
) -> Result<BeliefSpeed, Contradiction> {
    let mut stream = Stream::from_seed(seed);
    let mut tally = BeliefTally::default();
    while tally.supports.len() < n_positions.max(1) {
        carry_through_a_game(rules, belief, evaluator, &mut stream, &mut tally)?;
    }
    Ok(tally.finish())
}

#[derive(Default)]
struct BeliefTally {
    updates_ns: Vec<u64>,
    supports: Vec<usize>,
    sampling: Duration,
    n_worlds: u64,
    truth_missing: u64,
    n_asked: u64,
}

impl BeliefTally {
    fn finish(mut self) -> BeliefSpeed {
        self.updates_ns.sort_unstable();
        self.supports.sort_unstable();
        let last = self.supports.len() - 1;
        let update_us = |per_mille: usize| self.updates_ns[last * per_mille / 1000] as f64 / 1000.0;
        BeliefSpeed {
            update_us_median: update_us(500),
            update_us_p999: update_us(999),
            samples_per_s: self.n_worlds as f64 / self.sampling.as_secs_f64(),
            support_median: self.supports[last / 2],
            support_p99: self.supports[last * 99 / 100],
            support_max: self.supports[last],
            truth_missing: self.truth_missing,
            positions: self.supports.len() as u64,
            evals_per_update: self.n_asked as f64 / self.supports.len() as f64,
        }
    }
}

fn carry_through_a_game<G: Hidden + Tactical, B: Belief<G>>(
    rules: &G,
    belief: &B,
    evaluator: &mut impl Evaluator<G>,
    stream: &mut Stream,
    tally: &mut BeliefTally,
) -> Result<(), Contradiction> {
    let mut state = rules.initial(&rules.deal(stream));
    let begin = |seat| Observation::begin(seat, rules.now(&state, seat));
    let mut carried: Vec<(Observation<G>, B::Posterior)> = (0..rules.n_seats())
        .map(|idx| begin(Seat::new(idx as u8)))
        .map(|observation| (observation.clone(), belief.prior(rules, &observation)))
        .collect();
    while let Some(action) = appealing_action(rules, &state, stream) {
        let before = state.clone();
        rules.apply(&mut state, action);
        for (observation, posterior) in &mut carried {
            let seat = observation.seat();
            observation.extend(rules.event(&before, action, seat), rules.now(&state, seat));
            let start = Instant::now();
            let n_asked = belief.catch_up_with(rules, posterior, observation, evaluator)?;
            tally.updates_ns.push(start.elapsed().as_nanos() as u64);
            tally.n_asked += n_asked as u64;
            tally.supports.push(belief.support_len(posterior));
            let is_admitted = belief.admits(rules, posterior, seat, &state);
            tally.truth_missing += u64::from(!is_admitted);
            if tally.supports.len().is_multiple_of(SAMPLED_ONE_IN) {
                let start = Instant::now();
                for seed in 0..N_WORLDS {
                    std::hint::black_box(belief.world(rules, posterior, observation, seed));
                }
                tally.sampling += start.elapsed();
                tally.n_worlds += N_WORLDS;
            }
        }
    }
    Ok(())
}

/// What comes next: a draw, or an action chosen by appeal; `None` after the end.
fn appealing_action<G: Hidden + Tactical>(
    rules: &G,
    state: &G::State,
    stream: &mut Stream,
) -> Option<G::Action> {
    let seat = match rules.turn(state) {
        Turn::Over => return None,
        Turn::Chance => return Some(rules.draw(state, stream)),
        Turn::Seat(seat) => seat,
    };
    let now = rules.now(state, seat);
    let weight = |action: G::Action| match rules.appeal(&now, action) {
        Appeal::Control => 45,
        Appeal::Attack => 23,
        Appeal::Advance(_) => 5,
        Appeal::Plain => 1,
    };
    let legal = rules.legal(state);
    let mut left = stream.below(legal.iter().map(|action| weight(*action)).sum());
    legal.into_iter().find(|action| match left.checked_sub(weight(*action)) {
        Some(rest) => {
            left = rest;
            false
        }
        None => true,
    })
}
