//! Weights over what a seat cannot see, computed from its observation alone, and the worlds drawn from them.

use crate::{EvalRequest, Evaluation, Evaluator, Hidden, Observation, Seat, Stream};

/// One complete state sampled from a belief. A search may do with it what it likes; nothing that happens inside
/// a world is ever executed. A [`Belief`] makes it; a referee's truth gives out no state to make one from.
pub struct World<G: Hidden> {
    state: G::State,
}

impl<G: Hidden> World<G> {
    /// For implementations of [`Belief`].
    pub fn sampled(state: G::State) -> World<G> {
        World { state }
    }

    pub fn state(&self) -> &G::State {
        &self.state
    }

    pub fn into_state(self) -> G::State {
        self.state
    }
}

/// The seeds of the worlds of one decision, in order: everything an audit needs to sample them again is the
/// belief seed and their number.
pub fn world_seeds(belief_seed: u64, n_worlds: usize) -> impl Iterator<Item = u64> {
    let mut stream = Stream::from_seed(belief_seed);
    (0..n_worlds).map(move |_| stream.next_u64())
}

/// The observation contradicts itself: no world fits it. A fault of the program or of outside data.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "no hidden configuration fits the observation at event {event_idx}: {reason}; known until then: {position}"
)]
pub struct Contradiction {
    /// The first event, counted from 0, up to and including which nothing fits; the number of events when it is
    /// what is known now that does not follow from them.
    pub event_idx: usize,
    pub reason: String,
    /// What the observer knew before that event, as text: the same in all worlds it cannot tell apart.
    pub position: String,
}

/// How the hidden part is inferred. The implementation names its measure.
///
/// A belief that models the opponent by a network asks for evaluations as a search does: [`Belief::catch_up`] stops
/// where it needs some, [`Belief::questions`] are what it needs, [`Belief::answer`] brings them, and `catch_up` goes
/// on. A [`ModelFree`] belief never asks.
pub trait Belief<G: Hidden>: Clone + Send + Sync + 'static {
    /// The support with its weights after some prefix of the history.
    type Posterior: Clone + Send;

    /// The measure, name and version, as configs and manifests carry it, e.g. `exact-uniform`.
    fn name(&self) -> String;

    /// The posterior before the first event of `observation`.
    fn prior(&self, rules: &G, observation: &Observation<G>) -> Self::Posterior;

    /// Takes in the events of `observation` that `posterior` has not seen, up to the first about which it has
    /// questions. Event by event and from scratch give the same posterior. `posterior` must come from an earlier
    /// state of the same observation.
    fn catch_up(
        &self,
        rules: &G,
        posterior: &mut Self::Posterior,
        observation: &Observation<G>,
    ) -> Result<(), Contradiction>;

    /// What the network must say before [`Belief::catch_up`] can go on; nothing when it has caught up.
    fn questions<'p>(&self, posterior: &'p Self::Posterior) -> &'p [EvalRequest<G>] {
        let _ = posterior;
        &[]
    }

    /// One evaluation a question, in order.
    fn answer(&self, posterior: &mut Self::Posterior, evaluations: &[Evaluation]) {
        let _ = posterior;
        assert!(evaluations.is_empty(), "nothing was asked");
    }

    /// How many hidden configurations have weight.
    fn support_len(&self, posterior: &Self::Posterior) -> usize;

    /// Every configuration with its weight as one canonical byte string: for audits and tests.
    fn posterior_bytes(&self, rules: &G, posterior: &Self::Posterior) -> Vec<u8>;

    /// Whether what `state`, which looks like the observation of `observer`, hides from it has weight. For checks
    /// that hold the truth; no search asks.
    fn admits(
        &self,
        rules: &G,
        posterior: &Self::Posterior,
        observer: Seat,
        state: &G::State,
    ) -> bool {
        self.log_weight(rules, posterior, observer, state) > f64::NEG_INFINITY
    }

    /// The natural logarithm of the share of the weight that lies on what `state`, which looks like the observation
    /// of `observer`, hides from it; minus infinity where there is none. For checks that hold the truth; no search
    /// asks.
    fn log_weight(
        &self,
        rules: &G,
        posterior: &Self::Posterior,
        observer: Seat,
        state: &G::State,
    ) -> f64;

    /// A world for this posterior, which has caught up with `observation`. The same seed gives the same world.
    fn world(
        &self,
        rules: &G,
        posterior: &Self::Posterior,
        observation: &Observation<G>,
        seed: u64,
    ) -> World<G>;

    /// Every hidden configuration that has weight as a world, with the natural logarithm of its share. The posterior
    /// has caught up with `observation`. For audits: a search samples.
    fn all_worlds(
        &self,
        rules: &G,
        posterior: &Self::Posterior,
        observation: &Observation<G>,
    ) -> Vec<(World<G>, f64)>;

    /// The posterior of a whole observation, from scratch.
    fn infer_with(
        &self,
        rules: &G,
        observation: &Observation<G>,
        evaluator: &mut impl Evaluator<G>,
    ) -> Result<Self::Posterior, Contradiction> {
        let mut posterior = self.prior(rules, observation);
        self.catch_up_with(rules, &mut posterior, observation, evaluator)?;
        Ok(posterior)
    }

    /// Takes in all events that `posterior` has not seen; gives how many evaluations were asked for.
    fn catch_up_with(
        &self,
        rules: &G,
        posterior: &mut Self::Posterior,
        observation: &Observation<G>,
        evaluator: &mut impl Evaluator<G>,
    ) -> Result<usize, Contradiction> {
        let mut n_asked = 0;
        loop {
            self.catch_up(rules, posterior, observation)?;
            let questions = self.questions(posterior);
            if questions.is_empty() {
                return Ok(n_asked);
            }
            n_asked += questions.len();
            let answers = evaluator.evaluate(questions);
            self.answer(posterior, &answers);
        }
    }
}

/// A belief that needs no network: one call of [`Belief::catch_up`] takes in everything.
pub trait ModelFree<G: Hidden>: Belief<G> {
    /// The posterior of a whole observation, from scratch.
    fn infer(
        &self,
        rules: &G,
        observation: &Observation<G>,
    ) -> Result<Self::Posterior, Contradiction> {
        let mut posterior = self.prior(rules, observation);
        self.catch_up(rules, &mut posterior, observation)?;
        Ok(posterior)
    }

    /// One world for an observation, from scratch.
    fn sample(
        &self,
        rules: &G,
        observation: &Observation<G>,
        seed: u64,
    ) -> Result<World<G>, Contradiction> {
        let posterior = self.infer(rules, observation)?;
        Ok(self.world(rules, &posterior, observation, seed))
    }
}
