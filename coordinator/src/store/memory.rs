//! A store that lasts as long as its owner: for the simulation, and as the twin of the real one in tests.

use super::{Kind, Store, StoreError};
use crate::core::Change;

#[derive(Clone, Debug, Default)]
pub struct MemoryStore {
    changes: Vec<Change>,
}

impl Store for MemoryStore {
    fn load(&mut self) -> Result<Vec<Change>, StoreError> {
        Ok(self.changes.clone())
    }

    fn apply(&mut self, changes: &[Change]) -> Result<(), StoreError> {
        self.changes.extend_from_slice(changes);
        Ok(())
    }

    fn manifests(
        &mut self,
        kind: Kind,
        from_sequence: u64,
        n_max: usize,
    ) -> Result<Vec<(u64, String)>, StoreError> {
        let shards = self.changes.iter().filter_map(|change| match change {
            Change::PutShard(shard) if shard.sequence >= from_sequence => Some(shard),
            _ => None,
        });
        let text = |shard: &crate::core::Shard| match kind {
            Kind::Training => shard.training.manifest.clone(),
            Kind::Audit => shard.audit.manifest.clone(),
        };
        Ok(shards.map(|shard| (shard.sequence, text(shard))).take(n_max).collect())
    }
}
