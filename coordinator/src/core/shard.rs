//! An accepted commit: one training shard and its audit shard.

use super::ids::{CheckpointId, LeaseKey, ShardId, WorkerId};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shard {
    /// Place in the run's order, from 1, without gaps.
    pub sequence: u64,
    pub lease: LeaseKey,
    pub worker: WorkerId,
    pub checkpoint: CheckpointId,
    /// What makes a repeated commit the same.
    pub commit_digest: String,
    pub fingerprint: String,
    pub n_games: u64,
    pub training: Part,
    pub audit: Part,
    pub accepted_ms: u64,
}

/// One of the two files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    pub id: ShardId,
    /// blake3 of the file, 64 hexadecimal digits.
    pub digest: String,
    pub rows: u64,
    pub bytes: u64,
    /// The manifest as it was committed. Left empty in memory once it is stored; the store gives it back.
    pub manifest: String,
}

/// Sums over accepted commits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Totals {
    pub shards: u64,
    pub games: u64,
    pub training_rows: u64,
    pub training_bytes: u64,
    pub audit_rows: u64,
    pub audit_bytes: u64,
}

impl Totals {
    pub fn add(&mut self, shard: &Shard) {
        self.shards += 1;
        self.games += shard.n_games;
        self.training_rows += shard.training.rows;
        self.training_bytes += shard.training.bytes;
        self.audit_rows += shard.audit.rows;
        self.audit_bytes += shard.audit.bytes;
    }
}
