//! `labelled-uniform`: every coin bears a label, and a player uses any coin of its hand, face-up or face-down,
//! with equal chances. A model of play that looks at no rule but which coins there are: what counting unseen
//! coins gives, made right where a bag is filled in the middle of a draw.

use super::choice::Choice;
use super::filter::{Measure, Posterior, weighted_bytes};
use super::integers::Integers;
use super::key::{Key, Place};
use super::table::AnyCoin;
use crate::{Coins, N_SLOTS};
use game::Evaluation;

/// The belief `labelled-uniform`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LabelledUniform;

/// The configurations of the opponent with their weights after some prefix of the history.
pub type LabelledPosterior = Posterior<LabelledUniform>;

impl Measure for LabelledUniform {
    const NAME: &'static str = "labelled-uniform";
    const DRAW: AnyCoin = AnyCoin;

    type Weights = Integers;
    type Play = AnyCoin;
    type Draw = AnyCoin;

    fn at_start(key: Key, reserve: Coins) -> u128 {
        n_labellings(key, reserve)
    }

    fn play(&self, _: &Choice<'_>, _: &[Key], _: &[Evaluation]) -> Result<AnyCoin, &'static str> {
        Ok(AnyCoin)
    }

    fn write(posterior: &LabelledPosterior, out: &mut Vec<u8>) {
        weighted_bytes(posterior, out);
    }
}

/// In how many ways the labelled coins of `reserve` can lie as `key` says: what a random deal weighs it with.
pub(super) fn n_labellings(key: Key, reserve: Coins) -> u128 {
    let mut n = 1;
    for slot in 0..N_SLOTS {
        let mut left = u128::from(reserve.count(slot));
        for place in [Place::DiscardDown, Place::Hand, Place::Flight] {
            for nth in 0..u128::from(key.coins(place, reserve).count(slot)) {
                n = n * left / (nth + 1);
                left -= 1;
            }
        }
    }
    n
}
