//! What a seat may conclude about the coins its opponent hides.
//!
//! | measure | module |
//! |---|---|
//! | `structural-uniform-v1`: every configuration that rules and public history leave, equally likely | [`structural`] |
//! | `labelled-uniform`: every coin of the hand is equally likely to be the one that is used | [`labelled`] |
//! | `exact-uniform`: every legal action is equally likely | [`exact`] |
//!
//! A configuration is what the opponent hides (hand, face-down discards, coin in flight); its bag is the
//! remainder of the public reserve. One filter carries the configurations with their weights event by event; a
//! measure says what it multiplies them with. All three have the same support.

mod cuts;
pub mod exact;
mod filter;
mod integers;
mod key;
pub mod labelled;
mod replay;
pub mod structural;
mod table;
mod weights;

pub use exact::{ExactPosterior, ExactUniform};
pub use filter::{Measure, Posterior};
pub use labelled::{LabelledPosterior, LabelledUniform};
pub use structural::{StructuralPosterior, StructuralUniform};

use crate::{Concealed, State, WarChest};
use game::{Belief, Contradiction, Observation, Seat, World};

/// The opponent's coins, as the observer may judge them by this measure.
macro_rules! belief_by {
    ($measure:ty) => {
        impl Belief<WarChest> for $measure {
            type Posterior = Posterior<$measure>;

            fn name(&self) -> &'static str {
                <$measure as Measure>::NAME
            }

            fn prior(&self, _: &WarChest, observation: &Observation<WarChest>) -> Self::Posterior {
                Posterior::begin(observation, observation.seat().other())
            }

            fn catch_up(
                &self,
                rules: &WarChest,
                posterior: &mut Self::Posterior,
                observation: &Observation<WarChest>,
            ) -> Result<(), Contradiction> {
                posterior.catch_up(rules, observation)
            }

            fn support_len(&self, posterior: &Self::Posterior) -> usize {
                posterior.support_len()
            }

            fn posterior_bytes(&self, _: &WarChest, posterior: &Self::Posterior) -> Vec<u8> {
                let mut out = Vec::new();
                <$measure as Measure>::write(posterior, &mut out);
                out
            }

            fn admits(
                &self,
                _: &WarChest,
                posterior: &Self::Posterior,
                observer: Seat,
                state: &State,
            ) -> bool {
                posterior.admits(&Concealed::of(state, observer.other()))
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
