//! How fast a network answers, and the choice of precision that follows from it.

use crate::{Network, Precision};
use std::time::{Duration, Instant};
use tch::{Device, Kind, Tensor};

/// Forward passes of one fixed batch over at least `duration`, after a warm-up: evaluations a second of one
/// thread that does nothing else.
pub fn evals_per_s(
    network: &Network,
    precision: Precision,
    batch_size: usize,
    duration: Duration,
) -> f64 {
    let prepared = network.prepare(precision, batch_size);
    let size = [batch_size as i64, network.shape().row_len() as i64];
    let rows = Tensor::ones(size, (Kind::Float, Device::Cpu));
    let mut values = vec![0.0f32; batch_size];
    let mut pass = || prepared.forward(&rows).value.copy_data(&mut values, batch_size);
    for _ in 0..3 {
        pass();
    }
    let started = Instant::now();
    let mut n_passes = 0u32;
    while started.elapsed() < duration {
        pass();
        n_passes += 1;
    }
    f64::from(n_passes) * batch_size as f64 / started.elapsed().as_secs_f64()
}

/// The faster precision on this machine, by interleaved measurements of each, with both rates.
pub fn measure_precision(network: &Network, batch_size: usize) -> PrecisionChoice {
    const ROUNDS: u32 = 3;
    const ROUND: Duration = Duration::from_millis(60);
    let mut best = [0.0f64; 2];
    for _ in 0..ROUNDS {
        for (best, precision) in best.iter_mut().zip([Precision::Float32, Precision::Bfloat16]) {
            *best = best.max(evals_per_s(network, precision, batch_size, ROUND));
        }
    }
    let [float32, bfloat16] = best;
    let precision = if bfloat16 > float32 { Precision::Bfloat16 } else { Precision::Float32 };
    PrecisionChoice { precision, float32_evals_per_s: float32, bfloat16_evals_per_s: bfloat16 }
}

/// A measured choice.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PrecisionChoice {
    pub precision: Precision,
    pub float32_evals_per_s: f64,
    pub bfloat16_evals_per_s: f64,
}
