//! Writes one training shard, game by game.

use crate::container::{ClosedShard, ROW_GROUP_ROWS, ShardFile, WriteError};
use crate::manifest::{ShardHeader, ShardKind, ShardOrigin};
use crate::row::{RowFault, TrainingRow};
use crate::schema::{
    TRAINING_SCHEMA, training_properties, training_schema, visits_element, visits_fields,
};
use arrow::array::{
    ArrayRef, BooleanArray, FixedSizeBinaryArray, Float32Array, Int8Array, ListArray, RecordBatch,
    StringArray, StructArray, UInt8Array, UInt16Array,
};
use arrow::buffer::OffsetBuffer;
use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// A training shard being written. Games come whole and one after the other, so that their rows lie together.
pub struct TrainingShardWriter {
    origin: ShardOrigin,
    now_len: usize,
    n_actions: usize,
    schema: SchemaRef,
    file: ShardFile,
    pending: Vec<TrainingRow>,
    games: BTreeSet<game::GameId>,
    n_rows: u64,
    n_truncated: u64,
}

impl TrainingShardWriter {
    /// Begins a shard in the local folder `dir`. `now_len` and `n_actions` belong to the game.
    pub fn create(
        dir: &Path,
        origin: ShardOrigin,
        now_len: usize,
        n_actions: usize,
    ) -> Result<TrainingShardWriter, WriteError> {
        let schema = training_schema(now_len);
        let file = ShardFile::create(dir, &origin.shard, schema.clone(), training_properties())?;
        Ok(TrainingShardWriter {
            origin,
            now_len,
            n_actions,
            schema,
            file,
            pending: Vec::new(),
            games: BTreeSet::new(),
            n_rows: 0,
            n_truncated: 0,
        })
    }

    /// Adds all rows of one game, in ply order. A game without rows leaves no trace. On an error nothing of the
    /// game is kept.
    pub fn push_game(&mut self, rows: &[TrainingRow]) -> Result<(), WriteError> {
        let Some(first) = rows.first() else { return Ok(()) };
        for (idx, row) in rows.iter().enumerate() {
            let earlier = idx.checked_sub(1).map(|before| &rows[before]);
            self.check_row(first, earlier, row).map_err(|fault| WriteError::Row {
                shard: self.origin.shard.clone(),
                game: row.game.to_string(),
                ply: u32::from(row.ply),
                fault,
            })?;
        }
        self.games.insert(first.game);
        self.n_rows += rows.len() as u64;
        self.n_truncated += u64::from(first.truncated);
        self.pending.extend_from_slice(rows);
        if self.pending.len() >= ROW_GROUP_ROWS {
            self.flush()?;
        }
        Ok(())
    }

    fn check_row(
        &self,
        first: &TrainingRow,
        earlier: Option<&TrainingRow>,
        row: &TrainingRow,
    ) -> Result<(), RowFault> {
        let fault = |column, reason: &str| Err(RowFault { column, reason: reason.to_owned() });
        row.check(self.now_len, self.n_actions)?;
        if row.game != first.game {
            return fault("game", "rows of two games in one call");
        }
        if self.games.contains(&row.game) {
            return fault("game", "the game is in this shard already");
        }
        if row.truncated != first.truncated {
            return fault("truncated", "differs between rows of one game");
        }
        if row.checkpoint != first.checkpoint {
            return fault("checkpoint", "differs between rows of one game");
        }
        if earlier.is_some_and(|earlier| earlier.ply >= row.ply) {
            return fault("ply", "does not ascend");
        }
        Ok(())
    }

    pub fn n_rows(&self) -> u64 {
        self.n_rows
    }

    pub fn n_games(&self) -> u64 {
        self.games.len() as u64
    }

    /// Closes the file and describes it. `key` is where it will lie in the training root.
    pub fn close(mut self, key: &str) -> Result<ClosedShard, WriteError> {
        self.flush()?;
        let games = self.games.len() as u64;
        let header = ShardHeader::of(
            ShardKind::Training,
            TRAINING_SCHEMA,
            self.origin,
            crate::manifest::ShardCounts {
                rows: self.n_rows,
                games,
                truncated_games: self.n_truncated,
            },
        );
        self.file.close(header, key)
    }

    fn flush(&mut self) -> Result<(), WriteError> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let batch = training_batch(&self.schema, &self.pending).map_err(|error| {
            WriteError::Encode { shard: self.origin.shard.clone(), reason: error.to_string() }
        })?;
        self.pending.clear();
        self.file.write(&batch)
    }
}

/// Rows as one record batch of `training-v1`.
pub fn training_batch(schema: &SchemaRef, rows: &[TrainingRow]) -> Result<RecordBatch, ArrowError> {
    let games = FixedSizeBinaryArray::try_from_iter(rows.iter().map(|row| row.game.0))?;
    let now = FixedSizeBinaryArray::try_from_iter(rows.iter().map(|row| &row.now))?;
    let columns: Vec<ArrayRef> = vec![
        Arc::new(games),
        Arc::new(UInt16Array::from_iter_values(rows.iter().map(|row| row.ply))),
        Arc::new(UInt8Array::from_iter_values(rows.iter().map(|row| row.seat))),
        Arc::new(StringArray::from_iter_values(rows.iter().map(|row| &row.checkpoint))),
        Arc::new(now),
        Arc::new(UInt16Array::from_iter_values(rows.iter().map(|row| row.n_legal))),
        Arc::new(visits_array(rows)?),
        Arc::new(Float32Array::from_iter_values(rows.iter().map(|row| row.root_value))),
        Arc::new(Int8Array::from_iter_values(rows.iter().map(|row| row.outcome))),
        Arc::new(BooleanArray::from_iter(rows.iter().map(|row| Some(row.truncated)))),
        Arc::new(Float32Array::from_iter_values(rows.iter().map(|row| row.policy_weight))),
        Arc::new(Float32Array::from_iter_values(rows.iter().map(|row| row.value_weight))),
    ];
    RecordBatch::try_new(schema.clone(), columns)
}

fn visits_array(rows: &[TrainingRow]) -> Result<ListArray, ArrowError> {
    let entries = || rows.iter().flat_map(|row| &row.visits);
    let actions = UInt16Array::from_iter_values(entries().map(|entry| entry.action));
    let counts = UInt16Array::from_iter_values(entries().map(|entry| entry.visits));
    let elements =
        StructArray::try_new(visits_fields(), vec![Arc::new(actions), Arc::new(counts)], None)?;
    let offsets = OffsetBuffer::from_lengths(rows.iter().map(|row| row.visits.len()));
    ListArray::try_new(visits_element(), offsets, Arc::new(elements), None)
}
