//! What training minimises.

use crate::Output;
use tch::{Kind, Tensor};

/// The targets of a batch. Legal actions are listed and padded to the longest list of the batch.
pub struct Targets {
    /// \[batch, legal_max\], int64: the logit's place of each legal action; padding is 0.
    pub legal: Tensor,
    /// \[batch, legal_max\], float32: 1 where a legal action stands, 0 in the padding.
    pub is_legal: Tensor,
    /// \[batch, legal_max\], float32: the share of root visits; each row sums to 1.
    pub policy: Tensor,
    /// \[batch\], float32: the result in [-1, 1] from the acting seat's view.
    pub value: Tensor,
    /// \[batch\], float32: factor of each row's policy loss.
    pub policy_weight: Tensor,
    /// \[batch\], float32: factor of each row's value loss.
    pub value_weight: Tensor,
}

/// Weighted sums over a batch, still attached to the parameters. Divide by the weights for means.
pub struct Losses {
    /// Σ weight · cross-entropy of the visit shares against the softmax over the legal actions.
    pub policy: Tensor,
    /// Σ weight · (value − result)².
    pub value: Tensor,
    /// Σ weight · entropy of the visit shares: what the policy sum cannot fall below.
    pub target_entropy: Tensor,
    /// Σ of the policy weights and of the value weights.
    pub policy_weight: Tensor,
    pub value_weight: Tensor,
}

/// The losses of one batch. Every legal action takes part in the softmax, visited or not; no other does.
pub fn losses(output: &Output, targets: &Targets) -> Losses {
    // Finite, so that padding times its zero target is 0 and not NaN.
    let padding = (targets.is_legal.ones_like() - &targets.is_legal) * -1e9;
    let logits = output.logits.gather(1, &targets.legal, false) + padding;
    let log_probabilities = logits.log_softmax(1, Kind::Float);
    let over_actions =
        |tensor: Tensor| tensor.sum_dim_intlist([1i64].as_slice(), false, None::<Kind>);
    let cross_entropy = -over_actions(&targets.policy * log_probabilities);
    let entropy = -over_actions(targets.policy.xlogy(&targets.policy));
    let error = &output.value - &targets.value;
    let sum = |tensor: Tensor| tensor.sum(Kind::Float);
    Losses {
        policy: sum(cross_entropy * &targets.policy_weight),
        value: sum(error.square() * &targets.value_weight),
        target_entropy: sum(entropy * &targets.policy_weight),
        policy_weight: targets.policy_weight.sum(Kind::Float),
        value_weight: targets.value_weight.sum(Kind::Float),
    }
}

impl Losses {
    /// The number to minimise: both sums over the rows of the batch, so that a row's share in the gradient does
    /// not depend on the weights of its neighbours.
    pub fn total(&self, n_rows: usize, value_weight: f64) -> Tensor {
        (&self.policy + &self.value * value_weight) / n_rows as f64
    }
}
