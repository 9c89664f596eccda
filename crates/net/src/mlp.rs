//! Two layers on the flattened row: small, and blind to the board's geometry.

use crate::network::{Cursor, Output};
use crate::residual::Linear;
use tch::Tensor;

pub(crate) struct Mlp {
    first: Linear,
    second: Linear,
    policy: Linear,
    value: Linear,
}

impl Mlp {
    pub fn build(cursor: &mut Cursor) -> Mlp {
        Mlp {
            first: Linear::take(cursor),
            second: Linear::take(cursor),
            policy: Linear::take(cursor),
            value: Linear::take(cursor),
        }
    }

    pub fn forward(&self, rows: &Tensor) -> Output {
        let hidden = self.second.forward(&self.first.forward(rows).relu()).relu();
        Output {
            logits: self.policy.forward(&hidden),
            value: self.value.forward(&hidden).tanh().squeeze_dim(1),
        }
    }
}
