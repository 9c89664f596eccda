//! The shape every search has: a state machine that never blocks and never asks the network itself.

use crate::{Decision, SearchStreams};
use game::{Contradiction, EvalRequest, Evaluation, Evaluator, Hidden, Observation};

/// No world fits what the seat has seen. The game cannot go on for this seat; workers count it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SamplerFailure {
    #[error(transparent)]
    Contradiction(#[from] Contradiction),
    #[error(
        "sampled world {world_idx} offers {n_world} actions where the observation offers {n_real}, or others"
    )]
    OtherActions { world_idx: u32, n_real: usize, n_world: usize },
}

/// A search of one seat in one game, decision after decision.
///
/// `begin`, then `gather` and `apply` in turn until `is_done`, then `decision`. Whatever the caller does between
/// the calls (other games, other threads, other batch sizes) has no influence on the decision.
pub trait Search<G: Hidden> {
    /// Starts a decision. The observer of `observation` must be to act. Observations of later calls continue
    /// those of earlier ones; [`Search::new_game`] lies between games.
    fn begin(
        &mut self,
        observation: &Observation<G>,
        streams: SearchStreams,
    ) -> Result<(), SamplerFailure>;

    /// Forgets the game; keeps the memory it worked in.
    fn new_game(&mut self);

    /// Walks to new leaves and appends one request for each; returns how many. The same number of evaluations
    /// must be given to [`Search::apply`] before the next call. May return 0 when the rest of the search met
    /// only finished games: then it is done. The first requests may be the belief's, before there are worlds.
    fn gather(&mut self, out: &mut Vec<EvalRequest<G>>) -> Result<usize, SamplerFailure>;

    /// The answers to the last `gather`, in order.
    fn apply(&mut self, evaluations: &[Evaluation]);

    fn is_done(&self) -> bool;

    /// The result; panics before [`Search::is_done`].
    fn decision(&mut self) -> Decision<G>;
}

/// Decides one position with an evaluator of one's own.
pub fn drive<G: Hidden>(
    search: &mut impl Search<G>,
    observation: &Observation<G>,
    streams: SearchStreams,
    evaluator: &mut impl Evaluator<G>,
) -> Result<Decision<G>, SamplerFailure> {
    search.begin(observation, streams)?;
    let mut requests = Vec::new();
    while !search.is_done() {
        requests.clear();
        search.gather(&mut requests)?;
        let evaluations = evaluator.evaluate(&requests);
        search.apply(&evaluations);
    }
    Ok(search.decision())
}
