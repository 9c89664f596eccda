//! `exact-uniform`: the exact posterior when the opponent chooses uniformly among its legal actions.
//!
//! An action that a configuration allows has likelihood 1 / N, N being the number of legal actions there. Coins of
//! one type are one action, so N depends on which types lie in the hand (or in flight), never on how many of each.
//! Where the options are public (a Berserker's, a Royal Guard's loss …) N is the same for all configurations and
//! changes nothing.

use super::choice::Choice;
use super::filter::{Measure, Posterior, weighted_bytes};
use super::integers::Integers;
use super::key::{Key, Place};
use super::labelled::n_labellings;
use super::table::{AnyCoin, Likelihood};
use crate::{Coins, N_SLOTS, legal};
use game::Evaluation;
use num_integer::Integer;

/// The belief `exact-uniform`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ExactUniform;

/// The configurations of the opponent with their weights after some prefix of the history.
pub type ExactPosterior = Posterior<ExactUniform>;

impl Measure for ExactUniform {
    const NAME: &'static str = "exact-uniform";
    const DRAW: AnyCoin = AnyCoin;

    type Weights = Integers;
    type Play = UniformAction;
    type Draw = AnyCoin;

    fn at_start(key: Key, reserve: Coins) -> u128 {
        n_labellings(key, reserve)
    }

    fn play(
        &self,
        choice: &Choice<'_>,
        keys: &[Key],
        _: &[Evaluation],
    ) -> Result<UniformAction, &'static str> {
        let counts = legal::counts_by_coin(choice.rules(), choice.before());
        UniformAction::among(counts, keys, choice.used_from())
    }

    fn write(posterior: &ExactPosterior, out: &mut Vec<u8>) {
        weighted_bytes(posterior, out);
    }
}

/// Every legal action is equally likely.
pub struct UniformAction {
    /// By the set of types in the place, one bit a slot: a common multiple of all N that occur, divided by N.
    by_types: [u128; 1 << N_SLOTS],
    most: u128,
}

impl UniformAction {
    /// `counts[slot]` actions need a coin of that slot.
    fn among(
        counts: [u64; N_SLOTS],
        keys: &[Key],
        place: Place,
    ) -> Result<UniformAction, &'static str> {
        let mut n_legal = [0u128; 1 << N_SLOTS];
        for key in keys {
            let types = types_of(key.coins(place, Coins::NONE));
            if n_legal[types] == 0 {
                let held = (0..N_SLOTS).filter(|slot| types >> slot & 1 == 1);
                n_legal[types] = held.map(|slot| u128::from(counts[slot])).sum();
            }
        }
        let mut multiple: u128 = 1;
        for n in n_legal.into_iter().filter(|n| *n > 0) {
            let more = multiple.checked_mul(n / multiple.gcd(&n));
            multiple = more.ok_or("the numbers of legal actions have no multiple of 128 bits")?;
        }
        let by_types = n_legal.map(|n| multiple.checked_div(n).unwrap_or(0));
        let most = by_types.into_iter().max().unwrap_or(0);
        Ok(UniformAction { by_types, most })
    }
}

/// One bit a slot: whether there is a coin.
#[inline]
fn types_of(coins: Coins) -> usize {
    (0..N_SLOTS).fold(0, |types, slot| types | usize::from(coins.has(slot)) << slot)
}

impl Likelihood for UniformAction {
    #[inline]
    fn of(&self, _: usize, coins: Coins, _: usize) -> u128 {
        self.by_types[types_of(coins)]
    }

    fn most(&self) -> u128 {
        self.most
    }
}
