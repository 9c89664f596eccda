//! The training step: one batch, both losses, one update.

use crate::TrainableGame;
use crate::batch::{BadFeatures, Batch};
use crate::window::Window;
use net::{AdamW, Network, clip_gradients, losses};
use serde::Serialize;

/// Gradients are scaled down to this common norm: without normalisation layers a rare batch could otherwise
/// throw the weights far.
const GRADIENT_NORM_MAX: f64 = 4.0;

/// Weighted means over some rows.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct MeanLosses {
    /// Cross-entropy against the visit shares; at least `target_entropy`.
    pub policy: f64,
    /// Squared error of the value; `None` where no row has a result.
    pub value: Option<f64>,
    /// Entropy of the visit shares.
    pub target_entropy: f64,
}

/// What one step did.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StepReport {
    pub losses: MeanLosses,
    /// Of all gradients together, before they were scaled.
    pub gradient_norm: f64,
}

/// Why training stopped. Nothing is published from it.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    #[error(
        "the loss at step {step} is not finite (policy {policy}, value {value}); lower training.learning_rate \
         or look for broken rows"
    )]
    NotFinite { step: u64, policy: f64, value: f64 },
    #[error(transparent)]
    Features(#[from] BadFeatures),
}

/// A network in training.
pub struct Learner {
    network: Network,
    optimizer: AdamW,
    /// Weight of the value loss against the policy loss.
    value_weight: f64,
    step: u64,
}

impl Learner {
    /// `step` counts the training steps that made `network`.
    pub fn new(mut network: Network, optimizer: AdamW, value_weight: f64, step: u64) -> Learner {
        network.set_trainable(true);
        Learner { network, optimizer, value_weight, step }
    }

    pub fn network(&self) -> &Network {
        &self.network
    }

    pub fn optimizer(&self) -> &AdamW {
        &self.optimizer
    }

    pub fn step_count(&self) -> u64 {
        self.step
    }

    /// One update. After an error the weights must not be used.
    pub fn step(&mut self, batch: &Batch) -> Result<StepReport, TrainError> {
        let losses = losses(&self.network.forward(&batch.features), &batch.targets);
        let report = Sums::of(&losses);
        if !(report.policy.is_finite() && report.value.is_finite()) {
            return Err(self.not_finite(report.policy, report.value));
        }
        losses.total(batch.n_rows, self.value_weight).backward();
        let gradient_norm = clip_gradients(self.network.parameters(), GRADIENT_NORM_MAX);
        if !gradient_norm.is_finite() {
            return Err(self.not_finite(report.policy, report.value));
        }
        self.optimizer.update(self.network.parameters());
        self.step += 1;
        Ok(StepReport { losses: report.means(), gradient_norm })
    }

    /// Mean losses over `rows` with the present weights; `None` where there are no rows.
    pub fn measure<G: TrainableGame>(
        &self,
        rules: &G,
        window: &Window,
        rows: &[u32],
    ) -> Result<Option<MeanLosses>, TrainError> {
        const ROWS: usize = 256;
        let mut sums = Sums::default();
        for rows in rows.chunks(ROWS) {
            let batch = Batch::of(rules, window, rows)?;
            let _no_grad = tch::no_grad_guard();
            sums.add(&Sums::of(&losses(&self.network.forward(&batch.features), &batch.targets)));
        }
        if !(sums.policy.is_finite() && sums.value.is_finite()) {
            return Err(self.not_finite(sums.policy, sums.value));
        }
        Ok((!rows.is_empty()).then(|| sums.means()))
    }

    fn not_finite(&self, policy: f64, value: f64) -> TrainError {
        TrainError::NotFinite { step: self.step, policy, value }
    }
}

/// Weighted sums of one or several batches.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    policy: f64,
    value: f64,
    target_entropy: f64,
    policy_weight: f64,
    value_weight: f64,
}

impl Sums {
    fn of(losses: &net::Losses) -> Sums {
        let number = |tensor: &tch::Tensor| tensor.double_value(&[]);
        Sums {
            policy: number(&losses.policy),
            value: number(&losses.value),
            target_entropy: number(&losses.target_entropy),
            policy_weight: number(&losses.policy_weight),
            value_weight: number(&losses.value_weight),
        }
    }

    fn add(&mut self, other: &Sums) {
        self.policy += other.policy;
        self.value += other.value;
        self.target_entropy += other.target_entropy;
        self.policy_weight += other.policy_weight;
        self.value_weight += other.value_weight;
    }

    fn means(&self) -> MeanLosses {
        let policy_weight = self.policy_weight.max(f64::MIN_POSITIVE);
        MeanLosses {
            policy: self.policy / policy_weight,
            value: (self.value_weight > 0.0).then(|| self.value / self.value_weight),
            target_entropy: self.target_entropy / policy_weight,
        }
    }
}
