//! A training row's columns as numbers: all but outcome and truncated, which may depend on the truth.

use super::candidates::ProbeRow;
use game::{Encode, PipelineGame};
use record::TrainingRow;

/// Reads rows of one game.
pub struct Columns<'a, G: PipelineGame> {
    pub rules: &'a G,
}

impl<G: PipelineGame> Columns<'_, G> {
    /// The constant 1, then those of `now`, then the rest. `place` is the row's place in its shard. The order of rows and the ids are columns like any other.
    pub fn of(&self, row: &TrainingRow, place: usize) -> Vec<f32> {
        let mut columns = vec![1.0];
        columns.extend(self.of_now(&row.now));
        let total: f32 = row.visits.iter().map(|it| f32::from(it.visits)).sum();
        let share = |visits: u16| f32::from(visits) / total;
        let entropy: f32 =
            row.visits.iter().map(|it| -share(it.visits) * share(it.visits).ln()).sum();
        let most = row.visits.iter().max_by_key(|it| it.visits);
        columns.extend([
            f32::from(row.ply) / 256.0,
            f32::from(row.seat),
            f32::from(row.n_legal) / 32.0,
            row.visits.len() as f32 / 32.0,
            total / 256.0,
            entropy,
            most.map_or(0.0, |it| share(it.visits)),
            most.map_or(0.0, |it| f32::from(it.action) / 1024.0),
            row.root_value,
            row.policy_weight,
            place as f32 / 1024.0,
        ]);
        let id = row.game.0.chunks(4).map(|four| four.iter().map(|byte| f32::from(*byte)).sum());
        columns.extend(id.map(|sum: f32| sum / 1024.0));
        columns.push(row.checkpoint.bytes().map(f32::from).sum::<f32>() / 8192.0);
        columns
    }

    /// The sum of every plane, then the single numbers.
    fn of_now(&self, bytes: &[u8]) -> Vec<f32> {
        let layout = Encode::feature_layout(self.rules);
        let mut features = vec![0.0; layout.row_len()];
        if let Ok(now) = self.rules.read_now(bytes) {
            self.rules.write_features(&now, &mut features);
        }
        let (planes, globals) = features.split_at(layout.spatial_len());
        let plane_len = (layout.height * layout.width).max(1);
        planes
            .chunks(plane_len)
            .map(|plane| plane.iter().sum())
            .chain(globals.iter().copied())
            .collect()
    }
}

/// Every column but the first (the constant) with mean 0 and variance 1; constant columns are left out.
pub(super) fn standardized(rows: &[ProbeRow]) -> Vec<Vec<f32>> {
    let n_columns = rows.first().map_or(0, |row| row.columns.len());
    let n = rows.len() as f64;
    let scales: Vec<(usize, f32, f32)> = (1..n_columns)
        .filter_map(|idx| {
            let of = |row: &ProbeRow| f64::from(row.columns[idx]);
            let mean = rows.iter().map(of).sum::<f64>() / n;
            let variance = rows.iter().map(|row| (of(row) - mean).powi(2)).sum::<f64>() / n;
            (variance > 1e-10).then(|| (idx, mean as f32, (1.0 / variance.sqrt()) as f32))
        })
        .collect();
    let scaled = |row: &ProbeRow| {
        let rest = scales.iter().map(|(idx, mean, scale)| (row.columns[*idx] - mean) * scale);
        std::iter::once(1.0).chain(rest.map(|value| value.clamp(-4.0, 4.0))).collect()
    };
    rows.iter().map(scaled).collect()
}
