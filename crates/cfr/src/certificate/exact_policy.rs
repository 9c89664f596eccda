//! Behaviour strategies without rounding: integers over one denominator.

use crate::policy::Policy;
use crate::tree::Tree;

/// The denominator of a rounded policy, 2^52: its multiples in [0, 1] are exactly the numbers of a [`Policy`] that is
/// read back.
const ROUNDED_DENOMINATOR: u64 = 1 << 52;

/// Behaviour strategies of all seats: numerators in the order of the tree's entries; those of one information set sum
/// to the denominator exactly.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExactPolicy {
    denominator: u64,
    numerators: Vec<u64>,
}

/// Numbers that are no strategy for a tree.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ExactPolicyError {
    #[error("an exact policy for this game has {expected} numerators, not {found}")]
    Length { expected: usize, found: usize },
    #[error("information set {set} ({label}): the numerators sum to {sum}, not to {denominator}")]
    Sum { set: usize, label: String, sum: u128, denominator: u64 },
    #[error("information set {set} ({label}) has a probability that is no number in [0, 1]")]
    NoProbability { set: usize, label: String },
}

impl ExactPolicy {
    /// Checks that the numerators of every information set sum to `denominator`.
    pub fn new(
        tree: &Tree,
        denominator: u64,
        numerators: Vec<u64>,
    ) -> Result<ExactPolicy, ExactPolicyError> {
        if numerators.len() != tree.n_entries() {
            let (expected, found) = (tree.n_entries(), numerators.len());
            return Err(ExactPolicyError::Length { expected, found });
        }
        for (idx, set) in tree.information_sets().iter().enumerate() {
            let sum: u128 = numerators[set.entries()].iter().map(|part| u128::from(*part)).sum();
            if sum != u128::from(denominator) || denominator == 0 {
                let label = set.label.clone();
                return Err(ExactPolicyError::Sum { set: idx, label, sum, denominator });
            }
        }
        Ok(ExactPolicy { denominator, numerators })
    }

    /// `policy` with every probability rounded to a multiple of 2^−52; what an information set then lacks of 1, or has
    /// too much, its likeliest action takes.
    pub fn rounded(tree: &Tree, policy: &Policy) -> Result<ExactPolicy, ExactPolicyError> {
        let probabilities = policy.probabilities();
        if probabilities.len() != tree.n_entries() {
            let (expected, found) = (tree.n_entries(), probabilities.len());
            return Err(ExactPolicyError::Length { expected, found });
        }
        let whole = ROUNDED_DENOMINATOR as f64;
        let mut numerators = vec![0; tree.n_entries()];
        for (idx, set) in tree.information_sets().iter().enumerate() {
            let row = &probabilities[set.entries()];
            let rounded = &mut numerators[set.entries()];
            let no_probability =
                || ExactPolicyError::NoProbability { set: idx, label: set.label.clone() };
            let mut likeliest = 0;
            for (place, probability) in row.iter().enumerate() {
                if !(0.0..=1.0 + 1e-9).contains(probability) {
                    return Err(no_probability());
                }
                rounded[place] = (probability * whole).round() as u64;
                if row[likeliest] < *probability {
                    likeliest = place;
                }
            }
            let others = rounded.iter().sum::<u64>() - rounded[likeliest];
            rounded[likeliest] =
                ROUNDED_DENOMINATOR.checked_sub(others).ok_or_else(no_probability)?;
        }
        ExactPolicy::new(tree, ROUNDED_DENOMINATOR, numerators)
    }

    pub fn denominator(&self) -> u64 {
        self.denominator
    }

    /// In the order of the tree's entries.
    pub fn numerators(&self) -> &[u64] {
        &self.numerators
    }

    /// The nearest floating-point strategies; the same ones where the denominator is a power of two up to 2^52.
    pub fn nearest(&self, tree: &Tree) -> Policy {
        let weights: Vec<f64> = self.numerators.iter().map(|part| *part as f64).collect();
        Policy::from_weights(tree, &weights)
    }
}
