//! "NashConv is at most ε" as a statement that holds exactly.

use super::exact_evaluation::{ExactEvaluation, InfiniteUtility};
use super::exact_policy::{ExactPolicy, ExactPolicyError};
use super::rational::{Rational, at_least, at_most};
use crate::nash_conv::NashConv;
use crate::policy::Policy;
use crate::tree::{NodeKind, Tree};

/// Strategies and what has been proved of them.
#[derive(Clone, PartialEq, Debug)]
pub struct Certificate {
    /// The strategies that the proof is about: those given, rounded to multiples of 2^−52.
    pub policy: ExactPolicy,
    /// Their NashConv: the sum over the seats, not its half.
    pub nash_conv: Rational,
    /// The least floating-point number that is not below it: "proved ≤ this".
    pub nash_conv_at_most: NashConv,
    /// What the strategies earn each seat.
    pub values: Vec<Rational>,
    /// What each seat's best response earns it.
    pub best_responses: Vec<Rational>,
    /// Of a zero-sum game of two seats; `None` for every other.
    pub value_bounds: Option<ValueBounds>,
}

/// Where the value of a zero-sum game of two seats lies, from the view of the first: not below what its strategy
/// earns against every other, not above what the second seat's strategy allows.
#[derive(Clone, PartialEq, Debug)]
pub struct ValueBounds {
    pub lower: Rational,
    pub upper: Rational,
    /// Rounded down.
    pub lower_at_least: f64,
    /// Rounded up.
    pub upper_at_most: f64,
}

/// Why nothing can be proved.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProofError {
    #[error(transparent)]
    Policy(#[from] ExactPolicyError),
    #[error(transparent)]
    Utility(#[from] InfiniteUtility),
}

/// Rounds the policy's strategies so that every information set sums to exactly 1 and evaluates them in rational
/// numbers, chance by its integer weights and utilities by their exact binary values.
pub fn prove(tree: &Tree, policy: &Policy) -> Result<Certificate, ProofError> {
    prove_exact(tree, ExactPolicy::rounded(tree, policy)?)
}

/// The same of strategies that are exact already.
pub fn prove_exact(tree: &Tree, policy: ExactPolicy) -> Result<Certificate, ProofError> {
    let evaluation = ExactEvaluation::of(tree, &policy)?;
    let nash_conv = evaluation.nash_conv();
    let value_bounds = is_exactly_zero_sum(tree).then(|| {
        let (lower, upper) = (-&evaluation.best_responses[1], evaluation.best_responses[0].clone());
        ValueBounds {
            lower_at_least: at_most(&lower),
            upper_at_most: at_least(&upper),
            lower,
            upper,
        }
    });
    Ok(Certificate {
        policy,
        nash_conv_at_most: NashConv(at_least(&nash_conv)),
        nash_conv,
        values: evaluation.values,
        best_responses: evaluation.best_responses,
        value_bounds,
    })
}

/// Two numbers sum to 0 only if one is the other's negative, which no rounding touches.
fn is_exactly_zero_sum(tree: &Tree) -> bool {
    tree.n_seats() == 2
        && (0..tree.n_nodes()).all(|node| match tree.kind(node) {
            NodeKind::Terminal(terminal) => {
                let utilities = tree.utilities(terminal);
                utilities[0] == -utilities[1]
            }
            _ => true,
        })
}
