//! What a responder thinks possible: worlds that fit its observation, weighted by how the others play.

use super::player::{ActionModel, legal_actions};
use game::{Belief, Contradiction, Evaluator, Hidden, Observation, Seat, Stream, Turn, World};

/// One world of a range.
pub struct RangeWorld<G: Hidden> {
    pub world: World<G>,
    /// What every seat has observed if this is the world, in seat order. The responder's own entry is its true one.
    pub observations: Vec<Observation<G>>,
    /// Its share; those of a range sum to 1.
    pub weight: f64,
}

/// No range can be given.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RangeError {
    #[error(transparent)]
    Contradiction(#[from] Contradiction),
    #[error(
        "no history with weight fits what {seat:?} has observed from event {event_idx} on; the model of the others \
         gives probability 0 to what they did"
    )]
    NothingFits { seat: Seat, event_idx: usize },
}

/// Where a responder's worlds come from. An implementation is given the observation and nothing of the real state.
pub trait Range<G: Hidden> {
    /// The worlds that fit, with weights that sum to 1.
    fn worlds(
        &mut self,
        rules: &G,
        observation: &Observation<G>,
        stream: &mut Stream,
    ) -> Result<Vec<RangeWorld<G>>, RangeError>;
}

/// Every history that fits the observation, weighted by chance and by the others' policy: the exact range, if the
/// model is exact and there are at most `histories_max` of them. Beyond that a sample of so many is kept, drawn in
/// proportion to the weights (systematic resampling); one that later events rule out entirely is drawn again, four times
/// as large.
pub struct HistoryRange<M> {
    pub model: M,
    pub histories_max: usize,
}

/// A history, as a state with what every seat saw on the way.
struct History<G: Hidden> {
    state: G::State,
    observations: Vec<Observation<G>>,
    weight: f64,
}

impl<G: Hidden, M: ActionModel<G>> Range<G> for HistoryRange<M> {
    fn worlds(
        &mut self,
        rules: &G,
        observation: &Observation<G>,
        stream: &mut Stream,
    ) -> Result<Vec<RangeWorld<G>>, RangeError> {
        let mut n_max = self.histories_max.max(1);
        loop {
            let (found, was_sampled) = self.histories(rules, observation, n_max, stream);
            match found {
                Err(RangeError::NothingFits { .. }) if was_sampled => n_max *= 4,
                found => return found,
            }
        }
    }
}

impl<M> HistoryRange<M> {
    /// The range from at most `n_max` histories, and whether there were more.
    fn histories<G: Hidden>(
        &mut self,
        rules: &G,
        observation: &Observation<G>,
        n_max: usize,
        stream: &mut Stream,
    ) -> (Result<Vec<RangeWorld<G>>, RangeError>, bool)
    where
        M: ActionModel<G>,
    {
        let observer = observation.seat();
        let nothing = |event_idx| Err(RangeError::NothingFits { seat: observer, event_idx });
        let state = rules.initial(&rules.now_setup(observation.start()));
        let seats = (0..rules.n_seats()).map(|idx| Seat::new(idx as u8));
        let observations =
            seats.map(|seat| Observation::begin(seat, rules.now(&state, seat))).collect();
        let mut histories = vec![History { state, observations, weight: 1.0 }];
        let mut was_sampled = false;
        for (event_idx, event) in observation.events().iter().enumerate() {
            let mut extended = Vec::new();
            for history in &histories {
                self.extend(rules, history, observer, event, stream, &mut extended);
            }
            if extended.is_empty() {
                return (nothing(event_idx), was_sampled);
            }
            was_sampled |= extended.len() > n_max;
            histories = resampled(extended, n_max, stream);
        }
        histories.retain(|history| rules.now(&history.state, observer) == *observation.now());
        if histories.is_empty() {
            return (nothing(observation.events().len()), was_sampled);
        }
        let sum: f64 = histories.iter().map(|history| history.weight).sum();
        let world = |history: History<G>| RangeWorld {
            world: World::sampled(history.state),
            observations: history.observations,
            weight: history.weight / sum,
        };
        (Ok(histories.into_iter().map(world).collect()), was_sampled)
    }

    /// All plies after `history` that look like `event` to the observer.
    fn extend<G: Hidden>(
        &mut self,
        rules: &G,
        history: &History<G>,
        observer: Seat,
        event: &G::Event,
        stream: &mut Stream,
        extended: &mut Vec<History<G>>,
    ) where
        M: ActionModel<G>,
    {
        let mut plies: Vec<(G::Action, f64)> = Vec::new();
        match rules.turn(&history.state) {
            Turn::Over => {}
            Turn::Chance => {
                rules.outcomes(&history.state, &mut |outcome, weight| {
                    plies.push((outcome, f64::from(weight)));
                });
                let total: f64 = plies.iter().map(|(_, weight)| weight).sum();
                plies.iter_mut().for_each(|(_, weight)| *weight /= total);
            }
            Turn::Seat(seat) if seat == observer => {
                // Its own choices are what they were, however likely.
                plies.extend(rules.legal(&history.state).into_iter().map(|action| (action, 1.0)));
            }
            Turn::Seat(seat) => {
                let seen = &history.observations[seat.idx()];
                let legal = legal_actions(rules, seen);
                let probabilities = self.model.probabilities(rules, seen, &legal, stream);
                plies.extend(legal.into_iter().zip(probabilities));
            }
        }
        for (ply, probability) in plies {
            let fits = rules.event(&history.state, ply, observer) == *event;
            if !fits || probability <= 0.0 {
                continue;
            }
            let mut state = history.state.clone();
            rules.apply(&mut state, ply);
            let mut observations = history.observations.clone();
            for seen in &mut observations {
                let seat = seen.seat();
                seen.extend(rules.event(&history.state, ply, seat), rules.now(&state, seat));
            }
            extended.push(History { state, observations, weight: history.weight * probability });
        }
    }
}

/// At most `n_max` of the histories: all, or a sample in which each is expected in proportion to its weight.
fn resampled<G: Hidden>(
    histories: Vec<History<G>>,
    n_max: usize,
    stream: &mut Stream,
) -> Vec<History<G>> {
    if histories.len() <= n_max {
        return histories;
    }
    let sum: f64 = histories.iter().map(|history| history.weight).sum();
    let step = sum / n_max as f64;
    let mut next = stream.unit() * step;
    let mut passed = 0.0;
    let mut kept = Vec::with_capacity(n_max);
    for mut history in histories {
        passed += history.weight;
        let mut copies = 0;
        while next < passed {
            copies += 1;
            next += step;
        }
        if copies > 0 {
            history.weight = f64::from(copies) * step;
            kept.push(history);
        }
    }
    kept
}

/// The configurations of a belief: all of them, or `worlds_max` samples where there are more. The belief weighs them by
/// its own model of the others (`policy-posterior` by the policy of `evaluator`). The others' observations hold what
/// they would know *now* without the way there: for players that act on that, as networks do.
pub struct BeliefRange<B, E> {
    pub belief: B,
    pub evaluator: E,
    pub worlds_max: usize,
}

impl<G: Hidden, B: Belief<G>, E: Evaluator<G>> Range<G> for BeliefRange<B, E> {
    fn worlds(
        &mut self,
        rules: &G,
        observation: &Observation<G>,
        stream: &mut Stream,
    ) -> Result<Vec<RangeWorld<G>>, RangeError> {
        let posterior = self.belief.infer_with(rules, observation, &mut self.evaluator)?;
        let weighted: Vec<(World<G>, f64)> =
            if self.belief.support_len(&posterior) <= self.worlds_max {
                let all = self.belief.all_worlds(rules, &posterior, observation);
                all.into_iter().map(|(world, log_share)| (world, log_share.exp())).collect()
            } else {
                let share = 1.0 / self.worlds_max as f64;
                let sample = |_| {
                    let seed = stream.next_u64();
                    (self.belief.world(rules, &posterior, observation, seed), share)
                };
                (0..self.worlds_max).map(sample).collect()
            };
        let observe = |state: &G::State, idx: usize| {
            if idx == observation.seat().idx() {
                return observation.clone();
            }
            let seat = Seat::new(idx as u8);
            Observation::begin(seat, rules.now(state, seat))
        };
        let world = |(world, weight): (World<G>, f64)| RangeWorld {
            observations: (0..rules.n_seats()).map(|idx| observe(world.state(), idx)).collect(),
            world,
            weight,
        };
        Ok(weighted.into_iter().map(world).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Rules;
    use toy::{Act, Kuhn, Small};

    /// Each history keeps its weight in the mean, and all of them together always.
    #[test]
    fn samples_keep_the_weights() {
        let rules = Small(Kuhn::THREE_PLAYERS);
        let histories = || {
            let of = |(card, weight): (u8, f64)| {
                let mut state = rules.initial(&());
                rules.apply(&mut state, Act(card));
                History::<Small<Kuhn>> { state, observations: Vec::new(), weight }
            };
            [(0, 1.0), (1, 2.0), (2, 3.0), (3, 4.0)].map(of).into_iter().collect::<Vec<_>>()
        };
        let mut stream = Stream::from_seed(1);
        let mut kept = [0.0; 4];
        let n = 20_000;
        for _ in 0..n {
            let sample = resampled(histories(), 2, &mut stream);
            assert!(sample.len() <= 2);
            let sum: f64 = sample.iter().map(|history| history.weight).sum();
            assert!((sum - 10.0).abs() < 1e-9, "{sum}");
            for history in &sample {
                kept[usize::from(history.state.acts()[0].0)] += history.weight / f64::from(n);
            }
        }
        // A copy weighs 5; the standard error of a mean is below 5 / 2 / √20,000 = 0.018.
        for (mean, weight) in kept.iter().zip([1.0, 2.0, 3.0, 4.0]) {
            assert!((mean - weight).abs() < 0.09, "{kept:?}");
        }
        assert_eq!(resampled(histories(), 4, &mut stream).len(), 4);
    }
}
