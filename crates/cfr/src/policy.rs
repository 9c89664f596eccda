//! A strategy for every seat: what each does in each of its information sets.

use crate::tree::Tree;

/// Behaviour strategies of all seats: one probability per information set and action, in the order of
/// [`InformationSet::entries`](crate::tree::InformationSet::entries). Those of one set sum to 1.
#[derive(Clone, PartialEq, Debug)]
pub struct Policy {
    probabilities: Vec<f64>,
}

/// Numbers that are no strategy for a tree.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum PolicyError {
    #[error("a policy for this game has {expected} probabilities, not {found}")]
    Length { expected: usize, found: usize },
    #[error("information set {set} ({label}): {reason}")]
    NotADistribution { set: usize, label: String, reason: String },
}

/// By how much the probabilities of an information set may miss 1.
const SUM_TOLERANCE: f64 = 1e-9;

impl Policy {
    /// Checks that `probabilities` has one distribution for every information set.
    pub fn new(tree: &Tree, probabilities: Vec<f64>) -> Result<Policy, PolicyError> {
        if probabilities.len() != tree.n_entries() {
            let (expected, found) = (tree.n_entries(), probabilities.len());
            return Err(PolicyError::Length { expected, found });
        }
        for (idx, set) in tree.information_sets().iter().enumerate() {
            let row = &probabilities[set.entries()];
            let wrong = |reason: String| PolicyError::NotADistribution {
                set: idx,
                label: set.label.clone(),
                reason,
            };
            if let Some(bad) = row.iter().find(|p| !(0.0..=1.0 + SUM_TOLERANCE).contains(*p)) {
                return Err(wrong(format!("{bad} is no probability")));
            }
            let sum: f64 = row.iter().sum();
            if (sum - 1.0).abs() > SUM_TOLERANCE {
                return Err(wrong(format!("the probabilities sum to {sum}")));
            }
        }
        Ok(Policy { probabilities })
    }

    /// Every action of an information set equally likely.
    pub fn uniform(tree: &Tree) -> Policy {
        Policy::from_weights(tree, &vec![0.0; tree.n_entries()])
    }

    /// Each information set in proportion to its `weights` (not negative); uniform where all are 0.
    pub fn from_weights(tree: &Tree, weights: &[f64]) -> Policy {
        assert_eq!(weights.len(), tree.n_entries(), "one weight an entry");
        let mut probabilities = vec![0.0; weights.len()];
        for set in tree.information_sets() {
            normalize(&weights[set.entries()], &mut probabilities[set.entries()]);
        }
        Policy { probabilities }
    }

    /// All probabilities, in the order of the entries.
    pub fn probabilities(&self) -> &[f64] {
        &self.probabilities
    }
}

/// Writes `weights` divided by their sum, or the uniform distribution if the sum is 0.
pub(crate) fn normalize(weights: &[f64], out: &mut [f64]) {
    let sum: f64 = weights.iter().sum();
    if sum > 0.0 {
        for (probability, weight) in out.iter_mut().zip(weights) {
            *probability = weight / sum;
        }
    } else {
        out.fill(1.0 / out.len() as f64);
    }
}

/// The place in a distribution at which the sum of the probabilities passes `unit`, a number in [0, 1). Never one of
/// probability 0.
#[inline]
pub(crate) fn place_at(probabilities: impl Iterator<Item = f64>, unit: f64) -> usize {
    let (mut left, mut last) = (unit, 0);
    for (place, probability) in probabilities.enumerate() {
        if probability > 0.0 {
            if left < probability {
                return place;
            }
            last = place;
            left -= probability;
        }
    }
    last
}
