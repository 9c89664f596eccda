//! A lower bound on what a best response wins, for games too large to compute one.
//!
//! Local best response (Lisý and Bowling, Equilibrium approximation quality of current no-limit poker bots, 2016,
//! arXiv 1612.07547) is a responder that keeps a range: the worlds that fit its observation, weighted by the policy of
//! the player that it measures. It looks one own action ahead: it takes the action with the highest mean, over the
//! range, of what it would win if afterwards it followed a simple fixed continuation and the player its own policy. In
//! the paper the continuation is to check and call to the end; here it is a parameter, and the mean is taken over
//! rollouts, which use the same worlds and the same random numbers for every action.
//!
//! The responder is an ordinary strategy. Its winnings in whole games are therefore, in expectation, at most those of a
//! best response: with any range, continuation and number of rollouts. Better ones only raise the bound.

use super::estimate::Estimate;
use super::head_to_head::{PlayError, Table, play_games};
use super::player::{ObservingPlayer, legal_actions};
use super::range::{Range, RangeError, RangeWorld};
use crate::policy::place_at;
use game::{Hidden, Observation, Seat, Stream};

/// The mean winnings of a local responder. In expectation a lower bound on the value of the seat's best response to
/// the player; neither that value nor an exploitability.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LocalBestResponse {
    pub seat: Seat,
    /// In the game's own unit, from the responder's view; one draw a game.
    pub winnings: Estimate,
}

impl LocalBestResponse {
    /// What the seat's best response wins at least, wrong in 1 of 40 cases: the lower end of the 95 % interval.
    pub fn best_response_at_least(&self) -> f64 {
        self.winnings.interval_95().0
    }
}

/// A measurement that could not be finished.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LocalBestResponseError {
    #[error(transparent)]
    Play(#[from] PlayError),
    #[error("the responder has no range: {0}")]
    Range(#[from] RangeError),
}

/// The responder. What it holds may be swapped for anything: its winnings stay a lower bound.
pub struct LocalResponder<R, P, C> {
    pub range: R,
    /// What it thinks the others do in rollouts: the measured player itself, or a cheaper likeness of it.
    pub player: P,
    /// What it does itself in rollouts, after the action that is being valued.
    pub continuation: C,
    /// Rollouts an action, spread over the range in proportion to the weights.
    pub rollouts: u32,
    /// What a rollout counts that is truncated: a guess, which leaves the bound a bound. 0 where a draw is 0.
    pub truncated_value: f64,
}

/// Plays `n_games` games as `seat` against `player` in every other seat. The same seed gives the same result. A game
/// that is truncated has no result and is an error: choose rules without a limit on plies.
pub fn local_best_response<G, R, P, C>(
    rules: &G,
    seat: Seat,
    responder: &mut LocalResponder<R, P, C>,
    player: &mut dyn ObservingPlayer<G>,
    n_games: u64,
    seed: u64,
) -> Result<LocalBestResponse, LocalBestResponseError>
where
    G: Hidden,
    R: Range<G>,
    P: ObservingPlayer<G>,
    C: ObservingPlayer<G>,
{
    let mut act = |observation: &Observation<G>, stream: &mut Stream| {
        if observation.seat() == seat {
            responder.choose(rules, observation, stream)
        } else {
            Ok(player.act(rules, observation, stream))
        }
    };
    let winnings = play_games(rules, n_games, seed, &mut act)?;
    Ok(LocalBestResponse { seat, winnings: Estimate::of(&winnings[seat.idx()]) })
}

impl<R, P, C> LocalResponder<R, P, C> {
    /// The action with the highest mean over the range; among equals the first.
    pub fn choose<G>(
        &mut self,
        rules: &G,
        observation: &Observation<G>,
        stream: &mut Stream,
    ) -> Result<G::Action, LocalBestResponseError>
    where
        G: Hidden,
        R: Range<G>,
        P: ObservingPlayer<G>,
        C: ObservingPlayer<G>,
    {
        let legal = legal_actions(rules, observation);
        if let [only] = legal[..] {
            return Ok(only);
        }
        let worlds = self.range.worlds(rules, observation, stream)?;
        let mut sums = vec![0.0; legal.len()];
        let offset = stream.unit();
        for rollout in 0..self.rollouts {
            let share = (f64::from(rollout) + offset) / f64::from(self.rollouts);
            let world = &worlds[place_at(worlds.iter().map(|world| world.weight), share)];
            let seeds = [stream.next_u64(), stream.next_u64()];
            for (sum, action) in sums.iter_mut().zip(&legal) {
                *sum += self.rollout(rules, world, *action, observation.seat(), seeds)?;
            }
        }
        let mut best = 0;
        for (place, sum) in sums.iter().enumerate() {
            if *sum > sums[best] {
                best = place;
            }
        }
        Ok(legal[best])
    }

    /// What `seat` wins in `world` if it takes `action` and goes on by the continuation.
    fn rollout<G>(
        &mut self,
        rules: &G,
        world: &RangeWorld<G>,
        action: G::Action,
        seat: Seat,
        seeds: [u64; 2],
    ) -> Result<f64, PlayError>
    where
        G: Hidden,
        P: ObservingPlayer<G>,
        C: ObservingPlayer<G>,
    {
        let mut table =
            Table::resume(rules, world.world.state().clone(), world.observations.clone());
        table.apply(action);
        let LocalResponder { player, continuation, .. } = self;
        let mut act = |observation: &Observation<G>, stream: &mut Stream| {
            if observation.seat() == seat {
                Ok::<_, PlayError>(continuation.act(rules, observation, stream))
            } else {
                Ok(player.act(rules, observation, stream))
            }
        };
        let [mut chance, mut choices] = seeds.map(Stream::from_seed);
        match table.finish(&mut act, &mut chance, &mut choices) {
            Ok(utilities) => Ok(utilities[seat.idx()]),
            Err(PlayError::Truncated { .. }) => Ok(self.truncated_value),
            Err(error) => Err(error),
        }
    }
}
