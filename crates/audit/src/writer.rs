//! Writes one audit shard, game by game. Its plaintext stays in memory: the footer is read back, then the file is
//! sealed, and only the sealed bytes reach a disk.

use crate::row::{GameRecord, PlyRow, SearchRow};
use crate::schema::{AUDIT_SCHEMA, audit_properties, audit_schema, element_field};
use crate::seal::Recipient;
use arrow::array::{
    ArrayRef, ArrowPrimitiveType, BooleanArray, FixedSizeBinaryArray, Float32Array, ListBuilder,
    PrimitiveBuilder, RecordBatch, StringArray, StringBuilder, UInt8Array, UInt16Array,
    UInt64Array,
};
use arrow::datatypes::{DataType, Float32Type, Float64Type, SchemaRef, UInt32Type};
use arrow::error::ArrowError;
use game::GameId;
use record::container::{ROW_GROUP_ROWS, ShardBuffer, close_bytes};
use record::manifest::ShardCounts;
use record::{ClosedShard, RowFault, ShardHeader, ShardKind, ShardOrigin, WriteError};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An audit shard being written.
pub struct AuditShardWriter {
    origin: ShardOrigin,
    schema: SchemaRef,
    buffer: ShardBuffer,
    dir: PathBuf,
    recipient: Recipient,
    games: BTreeSet<GameId>,
    pending: Vec<GameRecord>,
    n_pending_rows: usize,
    n_rows: u64,
    n_truncated: u64,
}

impl AuditShardWriter {
    /// Begins a shard. Its sealed file will lie in the local folder `dir`; only `recipient`'s private half opens it.
    pub fn create(
        dir: &Path,
        origin: ShardOrigin,
        recipient: &Recipient,
    ) -> Result<AuditShardWriter, WriteError> {
        let schema = audit_schema();
        let buffer = ShardBuffer::create(&origin.shard, schema.clone(), audit_properties())?;
        Ok(AuditShardWriter {
            origin,
            schema,
            buffer,
            dir: dir.to_owned(),
            recipient: recipient.clone(),
            games: BTreeSet::new(),
            pending: Vec::new(),
            n_pending_rows: 0,
            n_rows: 0,
            n_truncated: 0,
        })
    }

    /// Adds one whole game. On an error nothing of it is kept.
    pub fn push_game(&mut self, record: GameRecord) -> Result<(), WriteError> {
        self.check(&record).map_err(|(ply, fault)| WriteError::Row {
            shard: self.origin.shard.clone(),
            game: record.game.to_string(),
            ply,
            fault,
        })?;
        self.games.insert(record.game);
        let n_rows = 1 + record.plies.len();
        self.n_rows += n_rows as u64;
        self.n_pending_rows += n_rows;
        self.n_truncated += u64::from(record.setup.utilities.is_none());
        self.pending.push(record);
        if self.n_pending_rows >= ROW_GROUP_ROWS {
            self.flush()?;
        }
        Ok(())
    }

    fn check(&self, record: &GameRecord) -> Result<(), (u32, RowFault)> {
        if self.games.contains(&record.game) {
            let reason = "the game is in this shard already".to_owned();
            return Err((0, RowFault { column: "game", reason }));
        }
        record.check()
    }

    pub fn n_rows(&self) -> u64 {
        self.n_rows
    }

    pub fn n_games(&self) -> u64 {
        self.games.len() as u64
    }

    /// Closes the shard, checks it, seals it and describes the sealed file. `key` is where that will lie in the
    /// audit root.
    pub fn close(mut self, key: &str) -> Result<ClosedShard, WriteError> {
        self.flush()?;
        let counts = ShardCounts {
            rows: self.n_rows,
            games: self.games.len() as u64,
            truncated_games: self.n_truncated,
        };
        let header = ShardHeader::of(ShardKind::Audit, AUDIT_SCHEMA, self.origin, counts);
        let plain = self.buffer.close(&header)?;
        let sealed = self.recipient.seal(&header.shard, &plain)?;
        drop(plain);
        close_bytes(&self.dir, header, key, &sealed)
    }

    fn flush(&mut self) -> Result<(), WriteError> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let batch = audit_batch(&self.schema, &self.pending).map_err(|error| {
            WriteError::Encode { shard: self.origin.shard.clone(), reason: error.to_string() }
        })?;
        self.pending.clear();
        self.n_pending_rows = 0;
        self.buffer.write(&batch)
    }
}

/// One row of the table: a game's set-up, or one of its plies.
type TableRow<'a> = (&'a GameRecord, Option<(u16, &'a PlyRow)>);

/// Games as one record batch of `audit-v1`.
pub fn audit_batch(schema: &SchemaRef, games: &[GameRecord]) -> Result<RecordBatch, ArrowError> {
    let rows: Vec<TableRow<'_>> = games
        .iter()
        .flat_map(|record| {
            let plies = record.plies.iter().zip(0u16..).map(move |(ply, idx)| (idx, ply));
            std::iter::once((record, None)).chain(plies.map(move |ply| (record, Some(ply))))
        })
        .collect();
    let mut columns = ply_columns(&rows)?;
    columns.extend(setup_columns(&rows));
    columns.extend(search_columns(&rows));
    RecordBatch::try_new(schema.clone(), columns)
}

fn ply_columns(rows: &[TableRow<'_>]) -> Result<Vec<ArrayRef>, ArrowError> {
    let games = FixedSizeBinaryArray::try_from_iter(rows.iter().map(|(record, _)| record.game.0))?;
    let ply = |row: &TableRow<'_>| row.1.map(|(idx, _)| idx);
    let seat = |row: &TableRow<'_>| row.1.and_then(|(_, ply)| ply.seat);
    Ok(vec![
        Arc::new(games),
        Arc::new(UInt16Array::from_iter(rows.iter().map(ply))),
        Arc::new(UInt8Array::from_iter(rows.iter().map(seat))),
        Arc::new(StringArray::from_iter(
            rows.iter().map(|row| row.1.map(|(_, ply)| ply.action.as_str())),
        )),
    ])
}

fn setup_columns(rows: &[TableRow<'_>]) -> Vec<ArrayRef> {
    let setups = || rows.iter().map(|(record, ply)| ply.is_none().then_some(&record.setup));
    let n_plies = rows
        .iter()
        .map(|(record, ply)| ply.is_none().then(|| u16::try_from(record.plies.len()).ok())?);
    let mut players =
        ListBuilder::new(StringBuilder::new()).with_field(element_field(DataType::Utf8));
    for setup in setups() {
        for player in setup.into_iter().flat_map(|setup| &setup.players) {
            players.values().append_value(player);
        }
        players.append(setup.is_some());
    }
    let utilities = setups().map(|setup| setup.and_then(|setup| setup.utilities.clone()));
    let text = |column: Vec<Option<&str>>| -> ArrayRef { Arc::new(StringArray::from(column)) };
    vec![
        text(setups().map(|setup| setup.map(|setup| setup.setup.as_str())).collect()),
        text(setups().map(|setup| setup.map(|setup| setup.start.as_str())).collect()),
        text(setups().map(|setup| setup.map(|setup| setup.options.as_str())).collect()),
        Arc::new(players.finish()),
        Arc::new(UInt64Array::from_iter(setups().map(|setup| setup.map(|setup| setup.run_seed)))),
        text(setups().map(|setup| setup.map(|setup| setup.search.as_str())).collect()),
        Arc::new(UInt16Array::from_iter(n_plies)),
        lists::<Float64Type>(DataType::Float64, utilities),
    ]
}

fn search_columns(rows: &[TableRow<'_>]) -> Vec<ArrayRef> {
    let searches = || rows.iter().map(|row| row.1.and_then(|(_, ply)| ply.search.as_ref()));
    let world_lists = |numbers: fn(&SearchRow) -> Vec<u32>| {
        lists::<UInt32Type>(DataType::UInt32, searches().map(|search| search.map(numbers)))
    };
    let q = |search: &SearchRow| search.worlds.iter().flat_map(|world| &world.q).copied().collect();
    vec![
        Arc::new(BooleanArray::from_iter(searches().map(|search| search.map(|it| it.full)))),
        Arc::new(StringArray::from_iter(
            searches().map(|search| search.map(|it| it.belief.as_str())),
        )),
        Arc::new(UInt64Array::from_iter(searches().map(|search| search.map(|it| it.belief_seed)))),
        Arc::new(Float32Array::from_iter(searches().map(|search| search.map(|it| it.root_value)))),
        Arc::new(UInt16Array::from_iter(searches().map(|search| search.map(|it| it.chosen_idx)))),
        world_lists(|search| search.visits.clone()),
        world_lists(|search| search.worlds.iter().map(|world| world.simulations).collect()),
        world_lists(|search| search.worlds.iter().flat_map(|world| &world.n).copied().collect()),
        lists::<Float32Type>(DataType::Float32, searches().map(|search| search.map(q))),
    ]
}

fn lists<T: ArrowPrimitiveType>(
    element: DataType,
    values: impl Iterator<Item = Option<Vec<T::Native>>>,
) -> ArrayRef {
    let mut builder =
        ListBuilder::new(PrimitiveBuilder::<T>::new()).with_field(element_field(element));
    for value in values {
        if let Some(numbers) = &value {
            builder.values().append_slice(numbers);
        }
        builder.append(value.is_some());
    }
    Arc::new(builder.finish())
}
