//! Which rows training draws from: the newest ones.

use crate::rows::{RowRef, ShardRows};
use record::ShardManifest;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The newest manifests that together hold at least `rows_max` rows, in order of acceptance; all of them where
/// there are fewer.
pub fn newest(manifests: &[ShardManifest], rows_max: u64) -> &[ShardManifest] {
    let mut n_rows = 0;
    let mut first = manifests.len();
    while first > 0 && n_rows < rows_max {
        first -= 1;
        n_rows += manifests[first].rows;
    }
    &manifests[first..]
}

/// The rows of the newest shards, numbered from 0 in order of acceptance. The oldest shard gives only its last
/// rows, so that there are never more than asked for.
pub struct Window {
    shards: Vec<Arc<ShardRows>>,
    /// Number of the first row of each shard, then the number of all rows. The first may be negative.
    starts: Vec<i64>,
}

impl Window {
    pub fn new(shards: Vec<Arc<ShardRows>>, rows_max: u64) -> Window {
        let n_rows: i64 = shards.iter().map(|shard| shard.len() as i64).sum();
        let n_left_out = (n_rows - rows_max.min(i64::MAX as u64) as i64).max(0);
        let mut starts = vec![-n_left_out];
        for shard in &shards {
            starts.push(starts[starts.len() - 1] + shard.len() as i64);
        }
        Window { shards, starts }
    }

    pub fn len(&self) -> usize {
        self.starts[self.starts.len() - 1].max(0) as usize
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn n_shards(&self) -> usize {
        self.shards.len()
    }

    pub fn n_games(&self) -> usize {
        let games: BTreeSet<_> = (0..self.len()).map(|idx| self.row(idx).game).collect();
        games.len()
    }

    /// Row `idx` below [`Window::len`].
    pub fn row(&self, idx: usize) -> RowRef<'_> {
        let (shard, row) = self.place(idx);
        self.shards[shard].row(row)
    }

    /// The shard's id and the row's number in it.
    pub fn source(&self, idx: usize) -> (&str, usize) {
        let (shard, row) = self.place(idx);
        (&self.shards[shard].shard, row)
    }

    fn place(&self, idx: usize) -> (usize, usize) {
        let idx = idx as i64;
        let shard = self.starts.partition_point(|start| *start <= idx) - 1;
        (shard, (idx - self.starts[shard]) as usize)
    }
}
