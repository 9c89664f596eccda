//! The losses step by step, as JSON lines.

use crate::learner::StepReport;
use serde::Serialize;

/// One training step.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct StepMetrics {
    /// Counted over the whole run, from 1.
    pub step: u64,
    pub policy_loss: f64,
    /// Entropy of the batch's visit shares: what the policy loss cannot fall below.
    pub target_entropy: f64,
    /// `null` where no row of the batch has a result.
    pub value_loss: Option<f64>,
    pub gradient_norm: f64,
}

impl StepMetrics {
    pub fn new(step: u64, report: &StepReport) -> StepMetrics {
        StepMetrics {
            step,
            policy_loss: report.losses.policy,
            target_entropy: report.losses.target_entropy,
            value_loss: report.losses.value,
            gradient_norm: report.gradient_norm,
        }
    }
}

/// One line a step.
pub fn to_json_lines(steps: &[StepMetrics]) -> String {
    let line = |step: &StepMetrics| serde_json::to_string(step).unwrap_or_default() + "\n";
    steps.iter().map(line).collect()
}
