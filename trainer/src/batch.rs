//! A batch: features expanded from `now`, and the targets beside them.

use crate::TrainableGame;
use crate::window::Window;
use net::Targets;
use rayon::prelude::*;
use tch::Tensor;

/// What one training step is given.
pub struct Batch {
    /// [rows, row_len]
    pub features: Tensor,
    pub targets: Targets,
    pub n_rows: usize,
}

/// Features that no network can learn from.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("shard {shard}, row {row}: {reason}; take the shard's line out of accepted.jsonl")]
pub struct BadFeatures {
    pub shard: String,
    pub row: usize,
    pub reason: String,
}

impl Batch {
    /// The rows `rows` of a window, expanded on all threads of the current rayon pool.
    pub fn of<G: TrainableGame>(
        rules: &G,
        window: &Window,
        rows: &[u32],
    ) -> Result<Batch, BadFeatures> {
        let row_len = rules.feature_layout().row_len();
        let mut features = vec![0.0f32; rows.len() * row_len];
        features.par_chunks_exact_mut(row_len).zip(rows).try_for_each(|(out, idx)| {
            expand(rules, window.row(*idx as usize).now, out).map_err(|reason| {
                let (shard, row) = window.source(*idx as usize);
                BadFeatures { shard: shard.to_owned(), row, reason }
            })
        })?;
        let size = [rows.len() as i64, row_len as i64];
        Ok(Batch {
            features: Tensor::from_slice(&features).reshape(size),
            targets: targets(window, rows),
            n_rows: rows.len(),
        })
    }
}

/// Writes one row's features; the error says what is wrong with them.
pub fn expand<G: TrainableGame>(rules: &G, now: &[u8], out: &mut [f32]) -> Result<(), String> {
    let now = rules.read_now(now).map_err(|error| error.to_string())?;
    rules.write_features(&now, out);
    match out.iter().position(|number| !number.is_finite()) {
        None => Ok(()),
        Some(place) => Err(format!("feature {place} is not finite")),
    }
}

fn targets(window: &Window, rows: &[u32]) -> Targets {
    let row_of = |idx: &u32| window.row(*idx as usize);
    let legal_max = rows.iter().map(|idx| row_of(idx).legal_place.len()).max().unwrap_or(1).max(1);
    let n = rows.len() * legal_max;
    let (mut legal, mut is_legal, mut policy) = (vec![0i64; n], vec![0.0f32; n], vec![0.0f32; n]);
    for (slot, idx) in rows.iter().enumerate() {
        let row = row_of(idx);
        let total: u32 = row.legal_visits.iter().map(|visits| u32::from(*visits)).sum();
        for (at, (place, visits)) in row.legal_place.iter().zip(row.legal_visits).enumerate() {
            let at = slot * legal_max + at;
            legal[at] = i64::from(*place);
            is_legal[at] = 1.0;
            policy[at] = f32::from(*visits) / total.max(1) as f32;
        }
    }
    let column =
        |of: &dyn Fn(&u32) -> f32| Tensor::from_slice(&rows.iter().map(of).collect::<Vec<f32>>());
    let size = [rows.len() as i64, legal_max as i64];
    Targets {
        legal: Tensor::from_slice(&legal).reshape(size),
        is_legal: Tensor::from_slice(&is_legal).reshape(size),
        policy: Tensor::from_slice(&policy).reshape(size),
        value: column(&|idx| row_of(idx).outcome),
        policy_weight: column(&|idx| row_of(idx).policy_weight),
        value_weight: column(&|idx| row_of(idx).value_weight),
    }
}
