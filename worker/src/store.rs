//! Where a worker puts its shards: two roots, one for what training may read, one for the truth.

use crate::selfplay::shards::JobResult;
use run::Store;
use run::store::StoreError;

/// The run's two stores.
#[derive(Clone, Debug)]
pub struct Stores {
    pub training: Store,
    pub audit: Store,
}

impl Stores {
    /// Uploads both shards of a job. The audit shard goes first: a training shard never lies there without it.
    pub async fn put_all(&self, result: &JobResult) -> Result<(), StoreError> {
        self.audit.put_file(&result.audit.manifest.key, &result.audit.path).await?;
        self.training.put_file(&result.training.manifest.key, &result.training.path).await?;
        Ok(())
    }
}
