//! Where a run's record lies: the changes of each step in one transaction, all or none.

mod memory;
mod sqlite;
#[cfg(test)]
mod suite;
mod verdicts;

pub use memory::MemoryStore;
pub use sqlite::SqliteStore;

use crate::core::Change;
use std::path::PathBuf;

/// What a store belongs to. A store with another seed or secret is another run's and is refused.
#[derive(Clone, PartialEq, Eq)]
pub struct Identity {
    /// The run's id, taken when the store begins. Later the stored one holds, so that a folder may be renamed.
    pub run: String,
    pub run_seed: u64,
    /// 32 bytes that key deals, chance and game ids. Never printed.
    pub deal_secret: [u8; 32],
}

/// Which of a commit's two manifests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Training,
    Audit,
}

/// Why a run's record cannot be opened, read or extended.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("{path}: {source}")]
    Sqlite { path: PathBuf, source: rusqlite::Error },
    #[error(
        "{path} belongs to another run: its seed or deal secret is not that of the run folder; put the folder's own file back"
    )]
    Foreign { path: PathBuf },
    #[error("{path} has schema {found}, this build reads {expected}; use the build that wrote it")]
    Schema { path: PathBuf, found: String, expected: String },
    #[error("{path}: {table} holds {value:?}, which this build cannot read")]
    Value { path: PathBuf, table: &'static str, value: String },
}

/// One run's record. One thread writes; whoever else wants something asks that thread.
pub trait Store: Send {
    /// Changes that rebuild the state from nothing. The manifests of shards are left out.
    fn load(&mut self) -> Result<Vec<Change>, StoreError>;

    /// Adds changes in one transaction. When it returns, they are on disk.
    fn apply(&mut self, changes: &[Change]) -> Result<(), StoreError>;

    /// Accepted manifests with their sequence numbers, from one number on, at most `n_max`.
    fn manifests(
        &mut self,
        kind: Kind,
        from_sequence: u64,
        n_max: usize,
    ) -> Result<Vec<(u64, String)>, StoreError>;
}
