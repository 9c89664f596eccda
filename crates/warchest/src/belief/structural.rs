//! `structural-uniform-v1`: every configuration that the rules and the public history leave possible, each
//! equally likely. It is a set with equal weights, not the posterior of any way to play.

use super::choice::Choice;
use super::filter::{Measure, Posterior};
use super::key::Key;
use super::table::Same;
use super::weights::Equal;
use crate::{Coins, Concealed};
use game::Evaluation;

/// The belief `structural-uniform-v1`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StructuralUniform;

/// The possible configurations of the opponent after some prefix of the history.
pub type StructuralPosterior = Posterior<StructuralUniform>;

impl Measure for StructuralUniform {
    const NAME: &'static str = "structural-uniform-v1";
    const DRAW: Same = Same;

    type Weights = Equal;
    type Play = Same;
    type Draw = Same;

    fn at_start(_: Key, _: Coins) -> u128 {
        1
    }

    fn play(&self, _: &Choice<'_>, _: &[Key], _: &[Evaluation]) -> Result<Same, &'static str> {
        Ok(Same)
    }

    /// The number of configurations, which is the common denominator, then each as one word; little-endian.
    fn write(posterior: &StructuralPosterior, out: &mut Vec<u8>) {
        let keys = posterior.table().keys();
        out.extend((keys.len() as u64).to_le_bytes());
        keys.iter().for_each(|key| out.extend(key.bits().to_le_bytes()));
    }
}

impl StructuralUniform {
    /// The configurations in canonical order; each has weight 1 / their number.
    pub fn configurations(posterior: &StructuralPosterior) -> impl Iterator<Item = Concealed> {
        posterior.configurations()
    }
}
