//! An evaluator that reads what a network reads: the features of what the seat to act knows, and nothing else.

use game::{Encode, EvalRequest, Evaluation, Evaluator};
use warchest::WarChest;

/// Values and priors from a hash of the features: no two positions alike.
pub struct HashedFeatures {
    rules: WarChest,
    /// Every action equally likely, so that nothing but the order of actions breaks ties.
    has_equal_priors: bool,
    row: Vec<f32>,
}

impl HashedFeatures {
    pub fn new(rules: &WarChest) -> Self {
        let row = vec![0.0; rules.feature_layout().row_len()];
        HashedFeatures { rules: *rules, has_equal_priors: false, row }
    }

    pub fn with_equal_priors(rules: &WarChest) -> Self {
        HashedFeatures { has_equal_priors: true, ..HashedFeatures::new(rules) }
    }
}

impl Evaluator<WarChest> for HashedFeatures {
    fn evaluate(&mut self, requests: &[EvalRequest<WarChest>]) -> Vec<Evaluation> {
        requests
            .iter()
            .map(|request| {
                self.rules.write_features(&request.now, &mut self.row);
                let mut hash = 0xcbf2_9ce4_8422_2325u64;
                for (idx, value) in self.row.iter().enumerate().filter(|(_, value)| **value != 0.0)
                {
                    hash ^= u64::from(value.to_bits()) ^ ((idx as u64) << 40);
                    hash = hash.wrapping_mul(0x0100_0000_01b3);
                    hash ^= hash >> 31;
                }
                let unit = |salt: u16| {
                    let mixed = (hash ^ u64::from(salt) << 20).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                    ((mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 40) as f32
                        / (1u64 << 24) as f32
                };
                let weight = |&a: &u16| if self.has_equal_priors { 1.0 } else { 0.1 + unit(a) };
                let weights: Vec<f32> = request.actions.iter().map(weight).collect();
                let sum: f32 = weights.iter().sum();
                Evaluation {
                    value: 0.9 * (2.0 * unit(u16::MAX) - 1.0),
                    priors: weights.iter().map(|weight| weight / sum).collect(),
                }
            })
            .collect()
    }
}
