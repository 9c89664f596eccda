//! Proves the losses against numbers worked out by hand.

use net::{Output, Targets, losses};
use tch::{Kind, Tensor};

/// Two rows over four logits; the second row has two legal actions and one padding.
fn batch() -> (Output, Targets) {
    let f = |values: &[f32]| Tensor::from_slice(values);
    let output = Output {
        logits: f(&[0.0, 2.0f32.ln(), 9.0, 0.0, 0.0, 50.0, 0.0, 3.0f32.ln()]).reshape([2, 4]),
        value: f(&[0.5, -0.25]),
    };
    let targets = Targets {
        legal: Tensor::from_slice(&[0i64, 1, 3, 0, 3, 0]).reshape([2, 3]),
        is_legal: f(&[1.0, 1.0, 1.0, 1.0, 1.0, 0.0]).reshape([2, 3]),
        policy: f(&[0.5, 0.5, 0.0, 0.25, 0.75, 0.0]).reshape([2, 3]),
        value: f(&[1.0, -1.0]),
        policy_weight: f(&[1.0, 0.5]),
        value_weight: f(&[1.0, 0.0]),
    };
    (output, targets)
}

fn number(tensor: &Tensor) -> f64 {
    tensor.double_value(&[])
}

#[test]
fn illegal_actions_do_not_count_and_unvisited_legal_ones_do() {
    let (output, targets) = batch();
    let losses = losses(&output, &targets);
    // Row 1: logits 0, ln 2, 0 over three legal actions: probabilities 1/4, 1/2, 1/4. The logit 9 is illegal.
    let first = -(0.5 * 0.25f64.ln() + 0.5 * 0.5f64.ln());
    // Row 2: logits 0 and ln 3: probabilities 1/4 and 3/4, equal to the target. The logit 50 is illegal.
    let second = -(0.25 * 0.25f64.ln() + 0.75 * 0.75f64.ln());
    assert!((number(&losses.policy) - (first + 0.5 * second)).abs() < 1e-6);
    assert!((number(&losses.target_entropy) - (2f64.ln() + 0.5 * second)).abs() < 1e-6);
    assert!((number(&losses.value) - 0.25).abs() < 1e-6, "the truncated row does not count");
    assert!((number(&losses.policy_weight) - 1.5).abs() < 1e-6);
    assert!((number(&losses.value_weight) - 1.0).abs() < 1e-6);
    let total = number(&losses.total(2, 3.0));
    assert!((total - (first + 0.5 * second + 3.0 * 0.25) / 2.0).abs() < 1e-6);
}

#[test]
fn gradients_reach_legal_logits_alone() {
    let (output, targets) = batch();
    let logits = output.logits.set_requires_grad(true);
    let output = Output { logits: logits.shallow_clone(), value: output.value };
    losses(&output, &targets).policy.backward();
    let gradient = logits.grad().to_kind(Kind::Double);
    let expected = [[-0.25, 0.0, 0.0, 0.25], [0.0, 0.0, 0.0, 0.0]];
    for (row, expected) in expected.iter().enumerate() {
        for (column, expected) in expected.iter().enumerate() {
            let found = gradient.double_value(&[row as i64, column as i64]);
            assert!((found - expected).abs() < 1e-6, "row {row} logit {column}: {found}");
        }
    }
}
