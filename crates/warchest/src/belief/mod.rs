//! What a seat may conclude about the coins its opponent hides.
//!
//! | measure | module |
//! |---|---|
//! | `structural-uniform-v1`: every configuration that rules and public history leave, equally likely | [`structural`] |
//! | `labelled-uniform`: every coin of the hand is equally likely to be the one that is used | [`labelled`] |
//! | `exact-uniform`: every legal action is equally likely | [`exact`] |
//! | `policy-posterior`: actions are as likely as the network finds them, tempered | [`policy`] |
//!
//! A configuration is what the opponent hides (hand, face-down discards, coin in flight); its bag is the
//! remainder of the public reserve. One filter carries the configurations with their weights event by event; a
//! measure says what it multiplies them with. All have the same support.

mod any;
mod choice;
mod cuts;
pub mod exact;
mod filter;
mod floats;
mod integers;
mod key;
pub mod labelled;
pub mod policy;
mod replay;
pub mod structural;
mod table;
mod weights;

pub use any::{AnyBelief, AnyPosterior};
pub use choice::Choice;
pub use exact::{ExactPosterior, ExactUniform};
pub use filter::{Measure, Posterior};
pub use labelled::{LabelledPosterior, LabelledUniform};
pub use policy::{PolicyPosterior, PolicyTable};
pub use structural::{StructuralPosterior, StructuralUniform};

use crate::{State, WarChest};
use game::{Belief, Contradiction, EvalRequest, Evaluation, ModelFree, Observation, Seat, World};

/// The opponent's coins, as the observer may judge them by this measure.
macro_rules! belief_by {
    ($measure:ty) => {
        impl Belief<WarChest> for $measure {
            type Posterior = Posterior<$measure>;

            fn name(&self) -> String {
                Measure::name(self)
            }

            fn prior(&self, _: &WarChest, observation: &Observation<WarChest>) -> Self::Posterior {
                Posterior::begin(*self, observation, observation.seat().other())
            }

            fn catch_up(
                &self,
                rules: &WarChest,
                posterior: &mut Self::Posterior,
                observation: &Observation<WarChest>,
            ) -> Result<(), Contradiction> {
                posterior.catch_up(rules, observation)
            }

            fn questions<'p>(&self, posterior: &'p Self::Posterior) -> &'p [EvalRequest<WarChest>] {
                posterior.questions()
            }

            fn answer(&self, posterior: &mut Self::Posterior, evaluations: &[Evaluation]) {
                posterior.answer(evaluations);
            }

            fn support_len(&self, posterior: &Self::Posterior) -> usize {
                posterior.support_len()
            }

            fn posterior_bytes(&self, _: &WarChest, posterior: &Self::Posterior) -> Vec<u8> {
                posterior.bytes()
            }

            fn log_weight(
                &self,
                _: &WarChest,
                posterior: &Self::Posterior,
                observer: Seat,
                state: &State,
            ) -> f64 {
                posterior.log_weight_of(observer, state)
            }

            fn all_worlds(
                &self,
                _: &WarChest,
                posterior: &Self::Posterior,
                observation: &Observation<WarChest>,
            ) -> Vec<(World<WarChest>, f64)> {
                posterior.all_worlds(observation.now())
            }

            fn world(
                &self,
                _: &WarChest,
                posterior: &Self::Posterior,
                observation: &Observation<WarChest>,
                seed: u64,
            ) -> World<WarChest> {
                posterior.world(observation.now(), seed)
            }
        }
    };
}

belief_by!(StructuralUniform);
belief_by!(LabelledUniform);
belief_by!(ExactUniform);
belief_by!(PolicyPosterior);

impl ModelFree<WarChest> for StructuralUniform {}
impl ModelFree<WarChest> for LabelledUniform {}
impl ModelFree<WarChest> for ExactUniform {}
