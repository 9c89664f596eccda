//! C10: targets and columns made from the truth.

use crate::planted::{Leak, Planted, has_royal, leak, tell};
use arrow::array::{ArrayRef, RecordBatch, UInt32Array};
use arrow::datatypes::{DataType, Field, Schema};
use audit::lab::{Game, Test};
use game::Hidden;
use parquet::file::properties::WriterProperties;
use record::container::ShardFile;
use record::manifest::ShardCounts;
use record::writer::training_batch;
use record::{
    ClosedShard, ShardHeader, ShardKind, ShardOrigin, TRAINING_SCHEMA, WriteError, training_schema,
};
use std::path::Path;
use std::sync::Arc;
use warchest::WarChest;

/// A training shard with one column more.
fn with_a_column(
    rules: &WarChest,
    dir: &Path,
    origin: ShardOrigin,
    key: &str,
    games: &[Game<'_, WarChest>],
    column: &str,
) -> Result<ClosedShard, WriteError> {
    let rows: Vec<_> = games.iter().flat_map(|game| game.rows.clone()).collect();
    let schema = training_schema(rules.now_len());
    let encode = |error: arrow::error::ArrowError| WriteError::Encode {
        shard: origin.shard.clone(),
        reason: error.to_string(),
    };
    let batch = training_batch(&schema, &rows).map_err(encode)?;
    let mut fields: Vec<Field> = schema.fields().iter().map(|field| (**field).clone()).collect();
    fields.push(Field::new(column, DataType::UInt32, false));
    let schema = Arc::new(Schema::new(fields));
    let hands = games.iter().flat_map(|game| {
        let state = game.truth.planted_state();
        let of_row =
            |row: &record::TrainingRow| state.zones(game::Seat::new(row.seat).other()).hand.bits();
        game.rows.iter().map(of_row).collect::<Vec<_>>()
    });
    let mut columns: Vec<ArrayRef> = batch.columns().to_vec();
    columns.push(Arc::new(UInt32Array::from_iter_values(hands)));
    let batch = RecordBatch::try_new(schema.clone(), columns).map_err(encode)?;
    let properties = WriterProperties::builder().build();
    let mut file = ShardFile::create(dir, &origin.shard, schema, properties)?;
    file.write(&batch)?;
    let counts = ShardCounts {
        rows: rows.len() as u64,
        games: games.len() as u64,
        truncated_games: games.len() as u64,
    };
    file.close(ShardHeader::of(ShardKind::Training, TRAINING_SCHEMA, origin, counts), key)
}

pub fn leaks() -> Vec<Leak> {
    vec![
        leak(
            10,
            "oracle-column",
            "the training shard has a column with the opponent's hand",
            Planted {
                write: |rules, dir, origin, key, games| {
                    with_a_column(rules, dir, origin, key, games, "opponent_hand")
                },
                ..Planted::CLEAN
            },
        )
        .caught_by(Test::Schema),
        leak(
            10,
            "value-target-from-the-truth",
            "the root value of a row is mixed with what the true hand is worth",
            Planted {
                row: |scene, row| row.root_value *= if has_royal(scene) { 0.95 } else { 1.0 },
                ..Planted::CLEAN
            },
        ),
        leak(
            10,
            "policy-target-sharpened",
            "the policy target gives its first action one more visit by the truth",
            Planted {
                row: |scene, row| {
                    if let Some(first) = row.visits.first_mut() {
                        first.visits += (tell(scene).count_ones() % 2) as u16;
                    }
                },
                ..Planted::CLEAN
            },
        ),
        leak(
            10,
            "weights-from-the-truth",
            "rows count more in which the opponent holds its royal coin",
            Planted {
                row: |scene, row| row.policy_weight += f32::from(u8::from(has_royal(scene))),
                ..Planted::CLEAN
            },
        ),
    ]
}
