//! Whether the stores hold what a manifest or a registration describes. Looked up before a step, which can ask nobody.

use crate::core::{Checkpoint, Fault, Manifest, Reason, is_relative_path};
use proto::{Code, WireError};
use run::Store;
use run::store::StoreError;
use std::path::{Path, PathBuf};

/// The file of a checkpoint's folder whose digest is the checkpoint's.
const WEIGHTS_FILE: &str = "weights.safetensors";

/// The run's two shard roots and its folder.
#[derive(Clone, Debug)]
pub struct Objects {
    pub training: Store,
    pub audit: Store,
    /// The run folder.
    pub root: PathBuf,
}

impl Objects {
    /// The inner error is the commit's fault; the outer one is the store's, and no verdict on the commit.
    pub async fn check_commit(
        &self,
        training_manifest: &str,
        audit_manifest: &str,
    ) -> Result<Result<(), Fault>, WireError> {
        let kinds = [
            ("training", training_manifest, &self.training),
            ("audit", audit_manifest, &self.audit),
        ];
        for (kind, text, store) in kinds {
            // The step finds the same fault again and counts it.
            let Ok(manifest) = Manifest::read(kind, text) else { return Ok(Ok(())) };
            if let Err(fault) = check_shard(kind, &manifest, store).await? {
                return Ok(Err(fault));
            }
        }
        Ok(Ok(()))
    }

    /// Refuses a checkpoint whose weights are not there or are not those of its digest.
    pub async fn check_checkpoint(&self, checkpoint: &Checkpoint) -> Result<(), WireError> {
        let refuse =
            |text: String| Err(WireError::about(Code::FailedPrecondition, &checkpoint.id, text));
        if !is_relative_path(&checkpoint.path) {
            return refuse(format!("checkpoint path {:?} is no relative path", checkpoint.path));
        }
        let path = self.root.join(&checkpoint.path).join(WEIGHTS_FILE);
        let digest = match digest_of(path).await {
            Ok(digest) => digest,
            Err(error) => {
                return refuse(format!(
                    "checkpoint {}: {}/{WEIGHTS_FILE} does not read: {error}",
                    checkpoint.id, checkpoint.path
                ));
            }
        };
        if digest != checkpoint.digest {
            return refuse(format!(
                "checkpoint {}: its weights have digest {digest}, it says {}",
                checkpoint.id, checkpoint.digest
            ));
        }
        Ok(())
    }
}

async fn check_shard(
    kind: &str,
    manifest: &Manifest,
    store: &Store,
) -> Result<Result<(), Fault>, WireError> {
    let fault = |text: String| Ok(Err(Fault::new(Reason::Object, text)));
    let key = &manifest.key;
    match store.len(key).await.map_err(|error| unreadable(&error))? {
        None => return fault(format!("the {kind} store has no object {key}")),
        Some(bytes) if bytes != manifest.bytes => {
            return fault(format!("{kind} {key} has {bytes} bytes, not {}", manifest.bytes));
        }
        Some(_) => {}
    }
    let bytes = match store.get(key).await {
        Ok(bytes) => bytes,
        Err(StoreError::Absent { .. }) => return fault(format!("{kind} {key} is gone")),
        Err(error) => return Err(unreadable(&error)),
    };
    let digest = blake3::hash(&bytes).to_hex();
    if digest.as_str() != manifest.digest {
        return fault(format!("{kind} {key} has digest {digest}, not {}", manifest.digest));
    }
    Ok(Ok(()))
}

fn unreadable(error: &StoreError) -> WireError {
    WireError::about(Code::Busy, "store", format!("a shard cannot be read now: {error}"))
}

async fn digest_of(path: PathBuf) -> std::io::Result<String> {
    let hash = move |path: &Path| -> std::io::Result<String> {
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader(std::fs::File::open(path)?)?;
        Ok(hasher.finalize().to_hex().to_string())
    };
    tokio::task::spawn_blocking(move || hash(&path)).await.map_err(std::io::Error::other)?
}
