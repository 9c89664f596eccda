//! Evaluators whose answers look like a network's: no two positions alike, and each answer from its own request.

use crate::duel::{Duel, relative_bytes};
use crate::nim::Nim;
use game::evaluate::UniformEvaluator;
use game::{EvalRequest, Evaluation, Evaluator, Hidden};

/// Values and priors from a hash of what the seat to act knows, seen from its own side.
pub struct Hashed;

impl Evaluator<Duel> for Hashed {
    fn evaluate(&mut self, requests: &[EvalRequest<Duel>]) -> Vec<Evaluation> {
        requests.iter().map(|r| answer(&relative_bytes(&r.now), &r.actions)).collect()
    }
}

impl Evaluator<Nim> for Hashed {
    fn evaluate(&mut self, requests: &[EvalRequest<Nim>]) -> Vec<Evaluation> {
        requests.iter().map(|r| answer(&[r.now.0.stones], &r.actions)).collect()
    }
}

fn answer(bytes: &[u8], actions: &[u16]) -> Evaluation {
    let unit = |salt: u16| {
        let mut hash = 0xcbf2_9ce4_8422_2325u64 ^ u64::from(salt);
        for &byte in bytes {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            hash ^= hash >> 29;
        }
        (hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as f32 / (1u64 << 24) as f32
    };
    let weights: Vec<f32> = actions.iter().map(|&index| 0.1 + unit(index)).collect();
    let sum: f32 = weights.iter().sum();
    Evaluation {
        value: 2.0 * unit(1000) - 1.0,
        priors: weights.iter().map(|weight| weight / sum).collect(),
    }
}

/// Counts what it is asked, and answers 0 with equal priors.
#[derive(Default)]
pub struct Counting {
    pub n_requests: usize,
    pub n_batches: usize,
    pub largest: usize,
}

impl<G: Hidden> Evaluator<G> for Counting {
    fn evaluate(&mut self, requests: &[EvalRequest<G>]) -> Vec<Evaluation> {
        self.n_requests += requests.len();
        self.n_batches += 1;
        self.largest = self.largest.max(requests.len());
        UniformEvaluator.evaluate(requests)
    }
}
