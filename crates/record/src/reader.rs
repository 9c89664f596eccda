//! Reads training shards, strictly: another schema, another fingerprint, damage or a value out of range is an
//! error that names shard, row and column.

use crate::container::{OpenShard, ReadError, check_digest, check_header, decode, read_file};
use crate::manifest::{ShardHeader, ShardKind, ShardManifest};
use crate::row::{ActionVisits, RowFault, TrainingRow};
use crate::schema::{TRAINING_SCHEMA, training_schema};
use arrow::array::{
    Array, AsArray, BooleanArray, FixedSizeBinaryArray, ListArray, PrimitiveArray, RecordBatch,
    StringArray,
};
use arrow::datatypes::{ArrowPrimitiveType, Float32Type, Int8Type, UInt8Type, UInt16Type};
use bytes::Bytes;
use game::{Fingerprint, GameId};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// What the reader's own rules say; a shard must agree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Expected {
    pub fingerprint: Fingerprint,
    /// Length of `now` in bytes.
    pub now_len: usize,
    /// Action indices lie below this.
    pub n_actions: usize,
}

/// A decoded training shard: rows in game order.
#[derive(Clone, PartialEq, Debug)]
pub struct TrainingShard {
    pub header: ShardHeader,
    pub rows: Vec<TrainingRow>,
}

/// Reads the shard of `manifest` from `path`: size, digest, manifest, schema, fingerprint and every value.
pub fn read_training_file(
    path: &Path,
    manifest: &ShardManifest,
    expected: &Expected,
) -> Result<TrainingShard, ReadError> {
    let bytes = read_file(path)?;
    check_digest(manifest, &bytes)?;
    let shard = read_training(&manifest.shard, bytes, expected)?;
    check_header(manifest, &shard.header)?;
    Ok(shard)
}

/// Reads a shard's bytes without a manifest. `shard` names it in errors.
pub fn read_training(
    shard: &str,
    bytes: Vec<u8>,
    expected: &Expected,
) -> Result<TrainingShard, ReadError> {
    let decoded = decode_training(shard, bytes, expected)?;
    check_training(shard, &decoded, expected)?;
    Ok(decoded)
}

/// Decodes a shard without a look at its values: for an audit, which compares each of them itself.
pub fn decode_training(
    shard: &str,
    bytes: Vec<u8>,
    expected: &Expected,
) -> Result<TrainingShard, ReadError> {
    let schema = training_schema(expected.now_len);
    let open = decode(shard, &Bytes::from(bytes), ShardKind::Training, TRAINING_SCHEMA, &schema)?;
    if open.header.fingerprint != expected.fingerprint {
        return Err(ReadError::Fingerprint {
            shard: shard.to_owned(),
            expected: expected.fingerprint,
            found: open.header.fingerprint,
        });
    }
    let rows = rows_of(shard, &open)?;
    Ok(TrainingShard { header: open.header, rows })
}

fn rows_of(shard: &str, open: &OpenShard) -> Result<Vec<TrainingRow>, ReadError> {
    let mut rows = Vec::new();
    let mut checkpoint: Arc<str> = Arc::from("");
    for batch in &open.batches {
        let columns = Columns::of(shard, batch)?;
        for idx in 0..batch.num_rows() {
            if *checkpoint != *columns.checkpoint.value(idx) {
                checkpoint = Arc::from(columns.checkpoint.value(idx));
            }
            let row = columns.row(idx, checkpoint.clone());
            rows.push(row.map_err(|fault| value_error(shard, rows.len(), fault))?);
        }
    }
    Ok(rows)
}

/// Checks every value of a decoded shard, the order of its rows and its counts.
pub fn check_training(
    shard: &str,
    decoded: &TrainingShard,
    expected: &Expected,
) -> Result<(), ReadError> {
    let TrainingShard { header, rows } = decoded;
    let mut games = BTreeSet::new();
    let mut n_truncated = 0;
    for (idx, row) in rows.iter().enumerate() {
        row.check(expected.now_len, expected.n_actions)
            .and_then(|()| check_order(idx.checked_sub(1).map(|before| &rows[before]), row))
            .map_err(|fault| value_error(shard, idx, fault))?;
        let is_first = idx == 0 || rows[idx - 1].game != row.game;
        if is_first && !games.insert(row.game) {
            let reason = "the game's rows do not lie together".to_owned();
            return Err(value_error(shard, idx, RowFault { column: "game", reason }));
        }
        n_truncated += u64::from(is_first && row.truncated);
    }
    let count_error = |field, expected: u64, found: u64| ReadError::Manifest {
        shard: shard.to_owned(),
        field,
        expected: expected.to_string(),
        found: found.to_string(),
    };
    if header.games != games.len() as u64 {
        return Err(count_error("games", header.games, games.len() as u64));
    }
    if header.truncated_games != n_truncated {
        return Err(count_error("truncated_games", header.truncated_games, n_truncated));
    }
    Ok(())
}

/// What one row owes to the row before it.
fn check_order(earlier: Option<&TrainingRow>, row: &TrainingRow) -> Result<(), RowFault> {
    let Some(earlier) = earlier.filter(|earlier| earlier.game == row.game) else {
        return Ok(());
    };
    let fault = |column, reason: &str| Err(RowFault { column, reason: reason.to_owned() });
    if earlier.ply >= row.ply {
        return fault("ply", "does not ascend within the game");
    }
    if earlier.truncated != row.truncated {
        return fault("truncated", "differs between rows of one game");
    }
    Ok(())
}

fn value_error(shard: &str, idx: usize, fault: RowFault) -> ReadError {
    ReadError::Value {
        shard: shard.to_owned(),
        row: idx as u64,
        column: fault.column,
        reason: fault.reason,
    }
}

/// The columns of one batch, each of its type.
struct Columns<'a> {
    game: &'a FixedSizeBinaryArray,
    ply: &'a PrimitiveArray<UInt16Type>,
    seat: &'a PrimitiveArray<UInt8Type>,
    checkpoint: &'a StringArray,
    now: &'a FixedSizeBinaryArray,
    n_legal: &'a PrimitiveArray<UInt16Type>,
    visits: &'a ListArray,
    visit_actions: &'a PrimitiveArray<UInt16Type>,
    visit_counts: &'a PrimitiveArray<UInt16Type>,
    root_value: &'a PrimitiveArray<Float32Type>,
    outcome: &'a PrimitiveArray<Int8Type>,
    truncated: &'a BooleanArray,
    policy_weight: &'a PrimitiveArray<Float32Type>,
    value_weight: &'a PrimitiveArray<Float32Type>,
}

impl<'a> Columns<'a> {
    fn of(shard: &str, batch: &'a RecordBatch) -> Result<Columns<'a>, ReadError> {
        let missing = |name: &str| ReadError::Unreadable {
            shard: shard.to_owned(),
            reason: format!("column {name} is missing or has another type"),
        };
        let column = |name: &'static str| batch.column_by_name(name).ok_or_else(|| missing(name));
        let binary = |name| column(name)?.as_fixed_size_binary_opt().ok_or_else(|| missing(name));
        let visits = column("visits")?.as_list_opt::<i32>().ok_or_else(|| missing("visits"))?;
        let elements = visits.values().as_struct_opt().ok_or_else(|| missing("visits.element"))?;
        let element = |name| {
            elements
                .column_by_name(name)
                .and_then(|column| column.as_primitive_opt::<UInt16Type>())
                .ok_or_else(|| missing(name))
        };
        Ok(Columns {
            game: binary("game")?,
            ply: primitive(column("ply")?).ok_or_else(|| missing("ply"))?,
            seat: primitive(column("seat")?).ok_or_else(|| missing("seat"))?,
            checkpoint: column("checkpoint")?
                .as_string_opt()
                .ok_or_else(|| missing("checkpoint"))?,
            now: binary("now")?,
            n_legal: primitive(column("n_legal")?).ok_or_else(|| missing("n_legal"))?,
            visits,
            visit_actions: element("action")?,
            visit_counts: element("visits")?,
            root_value: primitive(column("root_value")?).ok_or_else(|| missing("root_value"))?,
            outcome: primitive(column("outcome")?).ok_or_else(|| missing("outcome"))?,
            truncated: column("truncated")?.as_boolean_opt().ok_or_else(|| missing("truncated"))?,
            policy_weight: primitive(column("policy_weight")?)
                .ok_or_else(|| missing("policy_weight"))?,
            value_weight: primitive(column("value_weight")?)
                .ok_or_else(|| missing("value_weight"))?,
        })
    }

    fn row(&self, idx: usize, checkpoint: Arc<str>) -> Result<TrainingRow, RowFault> {
        let game = <[u8; 16]>::try_from(self.game.value(idx))
            .map_err(|error| RowFault { column: "game", reason: error.to_string() })?;
        let range =
            offset(self.visits.value_offsets()[idx])..offset(self.visits.value_offsets()[idx + 1]);
        let visits = range
            .map(|at| ActionVisits {
                action: self.visit_actions.value(at),
                visits: self.visit_counts.value(at),
            })
            .collect();
        Ok(TrainingRow {
            game: GameId(game),
            ply: self.ply.value(idx),
            seat: self.seat.value(idx),
            checkpoint,
            now: self.now.value(idx).to_vec(),
            n_legal: self.n_legal.value(idx),
            visits,
            root_value: self.root_value.value(idx),
            outcome: self.outcome.value(idx),
            truncated: self.truncated.value(idx),
            policy_weight: self.policy_weight.value(idx),
            value_weight: self.value_weight.value(idx),
        })
    }
}

fn primitive<T: ArrowPrimitiveType>(column: &Arc<dyn Array>) -> Option<&PrimitiveArray<T>> {
    column.as_primitive_opt::<T>()
}

/// An offset of a list array, which Arrow keeps at or above 0.
fn offset(value: i32) -> usize {
    usize::try_from(value).unwrap_or(0)
}
