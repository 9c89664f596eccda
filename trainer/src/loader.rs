//! From shard files to rows in memory, all cores at once.

use crate::TrainableGame;
use crate::rows::{Decoder, ShardRows};
use rayon::prelude::*;
use record::{Expected, ReadError, RowFault, ShardManifest, read_training_file};
use std::path::Path;
use std::sync::Arc;

/// A shard that training will not read. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error("{0}")]
    Shard(#[from] ReadError),
    #[error(
        "shard {shard}, row {row}: {fault}; the shard was not made by these rules or was damaged: restore it \
         from a copy, or take its line out of accepted.jsonl"
    )]
    Row { shard: String, row: usize, fault: RowFault },
}

/// What every shard of this game must agree with.
pub fn expected<G: TrainableGame>(rules: &G) -> Expected {
    Expected {
        fingerprint: rules.fingerprint(),
        now_len: rules.now_len(),
        n_actions: rules.policy_layout().n_actions(),
    }
}

/// Reads and checks one shard of the training root.
pub fn load_shard<G: TrainableGame>(
    decoder: &Decoder<G>,
    training_root: &Path,
    manifest: &ShardManifest,
) -> Result<ShardRows, LoadError> {
    let path = training_root.join(&manifest.key);
    let shard = read_training_file(&path, manifest, &expected(&decoder.rules))?;
    decoder.decode(&manifest.shard, &shard.rows).map_err(|(row, fault)| LoadError::Row {
        shard: manifest.shard.clone(),
        row,
        fault,
    })
}

/// Reads shards in parallel; the result has their order. One that cannot be read is an error.
pub fn load_all<G: TrainableGame>(
    decoder: &Decoder<G>,
    training_root: &Path,
    manifests: &[&ShardManifest],
) -> Result<Vec<Arc<ShardRows>>, LoadError> {
    manifests
        .par_iter()
        .map(|manifest| load_shard(decoder, training_root, manifest).map(Arc::new))
        .collect()
}
