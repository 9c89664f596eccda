//! The weights a job names, from the run's folder.

use anyhow::{Context, ensure};
use game::{ActionSpace, Encode, Fingerprinted};
use net::checkpoint::Checkpoint;
use net::{EvaluatorOptions, NetEvaluator, Network, Precision};
use run::RunFolder;
use std::path::PathBuf;
use std::sync::Arc;

/// Where this process finds the run's checkpoints.
#[derive(Clone, Debug)]
pub struct CheckpointSource {
    /// The run's root.
    root: PathBuf,
    /// The canonical text of this worker's rules, features and actions.
    fingerprint_text: Arc<str>,
}

impl CheckpointSource {
    pub fn new(root: PathBuf, fingerprint_text: &str) -> CheckpointSource {
        CheckpointSource { root, fingerprint_text: fingerprint_text.into() }
    }

    /// Loads and verifies what the coordinator named: the id and the digest must be the registered ones.
    pub fn load(&self, named: &proto::v1::Checkpoint) -> anyhow::Result<Network> {
        let folder = self.root.join(&named.path);
        let checkpoint = Checkpoint::load(&folder, Some(&self.fingerprint_text))
            .with_context(|| format!("checkpoint {} of the run", named.id))?;
        let found = &checkpoint.header;
        ensure!(
            found.id == named.id && found.weights_digest == named.digest,
            "checkpoint {} in {} is {} with digest {}, the run registered digest {}: a checkpoint never changes, copy it again",
            named.id,
            folder.display(),
            found.id,
            found.weights_digest,
            named.digest
        );
        Ok(checkpoint.network)
    }
}

/// An evaluator with one of a run's checkpoints, for tools: the run's batch shape, float32 and a large cache.
pub fn run_evaluator<G: Encode + ActionSpace + Fingerprinted>(
    rules: &G,
    folder: &RunFolder,
    id: &str,
) -> anyhow::Result<NetEvaluator<G>> {
    let path = folder.checkpoints_dir().join(id);
    let loaded = Checkpoint::load(&path, Some(&rules.fingerprint_text()))
        .with_context(|| format!("checkpoint {id}"))?;
    let options = EvaluatorOptions {
        batch_size: folder.config().selfplay.batch as usize,
        precision: Precision::Float32,
        cache_entries: 400_000,
    };
    NetEvaluator::new(rules.clone(), &loaded.network, options)
        .with_context(|| format!("checkpoint {id}"))
}
