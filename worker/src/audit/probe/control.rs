//! What the probe must catch: a search that grows its trees in the truth and masks only the network's input. Its truth
//! is a replayed record, as everything in an audit; no player can be made of it.

use ::game::{Belief, Contradiction, Hidden, Observation, Seat, World};

/// Every world is the truth of one decision.
#[derive(Clone)]
pub struct TruthGrown<G: Hidden> {
    pub state: G::State,
}

impl<G: Hidden> Belief<G> for TruthGrown<G> {
    type Posterior = ();

    fn name(&self) -> String {
        "truth (control)".to_owned()
    }

    fn prior(&self, _: &G, _: &Observation<G>) {}

    fn catch_up(&self, _: &G, (): &mut (), _: &Observation<G>) -> Result<(), Contradiction> {
        Ok(())
    }

    fn support_len(&self, (): &()) -> usize {
        1
    }

    fn posterior_bytes(&self, _: &G, (): &()) -> Vec<u8> {
        Vec::new()
    }

    fn log_weight(&self, _: &G, (): &(), _: Seat, _: &G::State) -> f64 {
        0.0
    }

    fn all_worlds(&self, _: &G, (): &(), _: &Observation<G>) -> Vec<(World<G>, f64)> {
        vec![(World::sampled(self.state.clone()), 0.0)]
    }

    fn world(&self, _: &G, (): &(), _: &Observation<G>, _: u64) -> World<G> {
        World::sampled(self.state.clone())
    }
}
