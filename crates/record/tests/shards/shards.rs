//! Proves: what is written is read back, bit for bit; what no row may hold is refused on the way in and on the
//! way out, with its place; file and manifest must say the same.

use crate::rows::{N_ACTIONS, NOW_LEN, expected, game_rows, origin, write};
use arrow::array::{Float32Array, RecordBatch, UInt8Array};
use game::{Fingerprint, Stream};
use record::container::ShardFile;
use record::manifest::ShardCounts;
use record::writer::training_batch;
use record::{
    Expected, ReadError, ShardHeader, ShardKind, ShardManifest, TRAINING_SCHEMA, TrainingRow,
    TrainingShardWriter, WriteError, read_training_file, training_schema,
};
use std::sync::Arc;

#[test]
fn rows_come_back_bit_for_bit() {
    let dir = tempfile::tempdir().unwrap();
    for seed in 0..48 {
        let mut stream = Stream::from_seed(seed);
        let n_games = 1 + stream.below(7) as u8;
        let games: Vec<_> = (0..n_games)
            .map(|number| game_rows(number, 1 + stream.below(60) as usize, stream.below(3) == 0))
            .collect();
        let closed = write(dir.path(), &games);
        let shard = read_training_file(&closed.path, &closed.manifest, &expected()).unwrap();
        let rows: Vec<TrainingRow> = games.concat();
        assert_eq!(shard.rows.len(), rows.len());
        for (read, written) in shard.rows.iter().zip(&rows) {
            assert_eq!(read, written);
            assert_eq!(read.root_value.to_bits(), written.root_value.to_bits());
        }
        let manifest = &closed.manifest;
        assert_eq!(manifest.rows, rows.len() as u64);
        assert_eq!(manifest.games, games.len() as u64);
        let n_truncated = games.iter().filter(|game| game[0].truncated).count() as u64;
        assert_eq!(manifest.truncated_games, n_truncated);
        assert_eq!(&ShardManifest::from_json(&manifest.to_json()).unwrap(), manifest);
    }
}

#[test]
fn a_shard_larger_than_a_row_group_comes_back() {
    let dir = tempfile::tempdir().unwrap();
    let games: Vec<_> = (0..100).map(|number| game_rows(number, 400, false)).collect();
    let closed = write(dir.path(), &games);
    let shard = read_training_file(&closed.path, &closed.manifest, &expected()).unwrap();
    assert_eq!(shard.rows, games.concat());
}

/// The same rows give the same file.
#[test]
fn writing_is_deterministic() {
    let dir = tempfile::tempdir().unwrap();
    let games = [game_rows(1, 50, false), game_rows(2, 30, true)];
    let (a, b) = (write(dir.path(), &games), write(dir.path(), &games));
    assert_eq!(a.manifest, b.manifest);
}

#[test]
fn the_writer_refuses_what_no_row_may_hold() {
    type Breaker = fn(&mut TrainingRow);
    let breakers: [(&str, Breaker); 12] = [
        ("seat", |row| row.seat = 2),
        ("checkpoint", |row| row.checkpoint = "".into()),
        ("now", |row| row.now.truncate(3)),
        ("n_legal", |row| row.n_legal = 1),
        ("visits", |row| row.visits.clear()),
        ("visits", |row| row.visits[0].visits = 0),
        ("visits", |row| row.visits[0].action = N_ACTIONS as u16),
        ("root_value", |row| row.root_value = f32::NAN),
        ("root_value", |row| row.root_value = 1.1),
        ("outcome", |row| row.outcome = 2),
        ("policy_weight", |row| row.policy_weight = -1.0),
        ("value_weight", |row| row.value_weight = f32::INFINITY),
    ];
    let dir = tempfile::tempdir().unwrap();
    for (column, broken) in breakers {
        let mut writer =
            TrainingShardWriter::create(dir.path(), origin("s-1"), NOW_LEN, N_ACTIONS).unwrap();
        let mut rows = game_rows(1, 5, false);
        broken(&mut rows[2]);
        match writer.push_game(&rows) {
            Err(WriteError::Row { fault, .. }) => assert_eq!(fault.column, column),
            other => panic!("{column}: {other:?}"),
        }
        assert_eq!(writer.n_rows(), 0, "nothing of a refused game is kept");
        assert!(matches!(writer.close("x.parquet"), Err(WriteError::Empty { .. })));
    }
}

#[test]
fn the_writer_keeps_games_whole_and_in_order() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer =
        TrainingShardWriter::create(dir.path(), origin("s-1"), NOW_LEN, N_ACTIONS).unwrap();
    writer.push_game(&game_rows(1, 3, false)).unwrap();
    let column = |result: Result<(), WriteError>| match result {
        Err(WriteError::Row { fault, .. }) => fault.column,
        other => panic!("{other:?}"),
    };
    assert_eq!(column(writer.push_game(&game_rows(1, 3, false))), "game");
    let mut rows = game_rows(2, 3, false);
    rows.swap(0, 1);
    assert_eq!(column(writer.push_game(&rows)), "ply");
    let mut rows = game_rows(2, 3, false);
    rows[1].game = game_rows(3, 1, false)[0].game;
    assert_eq!(column(writer.push_game(&rows)), "game");
}

/// A file made around the writer's own checks.
fn forge(
    rows: &[TrainingRow],
    header: ShardHeader,
    alter: fn(RecordBatch) -> RecordBatch,
) -> Forged {
    let dir = tempfile::tempdir().unwrap();
    let schema = training_schema(NOW_LEN);
    let batch = alter(training_batch(&schema, rows).unwrap());
    let mut file =
        ShardFile::create(dir.path(), "s-1", batch.schema(), Default::default()).unwrap();
    file.write(&batch).unwrap();
    let closed = file.close(header, "shards/s-1.parquet").unwrap();
    Forged { closed, _dir: dir }
}

struct Forged {
    closed: record::ClosedShard,
    _dir: tempfile::TempDir,
}

impl Forged {
    fn read(&self, expected: &Expected) -> Result<record::TrainingShard, ReadError> {
        read_training_file(&self.closed.path, &self.closed.manifest, expected)
    }
}

fn header(rows: u64) -> ShardHeader {
    let counts = ShardCounts { rows, games: 1, truncated_games: 0 };
    ShardHeader::of(ShardKind::Training, TRAINING_SCHEMA, origin("s-1"), counts)
}

fn with_column(batch: &RecordBatch, name: &str, column: arrow::array::ArrayRef) -> RecordBatch {
    let at = batch.schema().index_of(name).unwrap();
    let mut columns = batch.columns().to_vec();
    columns[at] = column;
    RecordBatch::try_new(batch.schema(), columns).unwrap()
}

#[test]
fn the_reader_names_row_and_column_of_a_bad_value() {
    let rows = game_rows(1, 10, false);
    let forged = forge(&rows, header(10), |batch| {
        let mut values = vec![0.5f32; 10];
        values[7] = f32::NAN;
        with_column(&batch, "root_value", Arc::new(Float32Array::from(values)))
    });
    let error = forged.read(&expected()).unwrap_err();
    let ReadError::Value { shard, row, column, .. } = &error else { panic!("{error}") };
    assert_eq!((shard.as_str(), *row, *column), ("s-1", 7, "root_value"));

    let forged = forge(&rows, header(10), |batch| {
        with_column(&batch, "seat", Arc::new(UInt8Array::from(vec![9; 10])))
    });
    let error = forged.read(&expected()).unwrap_err();
    assert!(matches!(error, ReadError::Value { row: 0, column: "seat", .. }), "{error}");
}

#[test]
fn the_reader_refuses_another_schema_kind_fingerprint_and_action_count() {
    let rows = game_rows(1, 10, false);
    let other = ShardHeader { schema: "training-v2".to_owned(), ..header(10) };
    let error = forge(&rows, other, |batch| batch).read(&expected()).unwrap_err();
    assert!(matches!(error, ReadError::Schema { .. }), "{error}");
    assert!(error.to_string().contains("training-v2"), "{error}");

    let other = ShardHeader { kind: ShardKind::Audit, ..header(10) };
    let error = forge(&rows, other, |batch| batch).read(&expected()).unwrap_err();
    assert!(matches!(error, ReadError::Schema { .. }), "{error}");

    let error = forge(&rows, header(10), |batch| batch.project(&[0, 1, 2]).unwrap())
        .read(&expected())
        .unwrap_err();
    assert!(matches!(error, ReadError::Schema { .. }), "{error}");

    let good = forge(&rows, header(10), |batch| batch);
    good.read(&expected()).unwrap();
    let other = Expected { now_len: NOW_LEN + 1, ..expected() };
    assert!(matches!(good.read(&other), Err(ReadError::Schema { .. })));
    let other = Expected { fingerprint: Fingerprint::of_text("other rules"), ..expected() };
    let error = good.read(&other).unwrap_err();
    assert!(matches!(error, ReadError::Fingerprint { .. }), "{error}");
    let other = Expected { n_actions: 3, ..expected() };
    assert!(matches!(good.read(&other), Err(ReadError::Value { column: "visits", .. })));
}

#[test]
fn the_reader_compares_the_file_with_its_manifest() {
    let dir = tempfile::tempdir().unwrap();
    let closed = write(dir.path(), &[game_rows(1, 10, false)]);
    let read = |manifest: &ShardManifest| {
        read_training_file(&closed.path, manifest, &expected()).map(|_| ())
    };
    read(&closed.manifest).unwrap();
    let good = || closed.manifest.clone();
    for (field, manifest) in [
        ("epoch", ShardManifest { epoch: 8, ..good() }),
        ("run", ShardManifest { run: "other".to_owned(), ..good() }),
        ("rows", ShardManifest { rows: 11, ..good() }),
        ("checkpoint", ShardManifest { checkpoint: "other".to_owned(), ..good() }),
    ] {
        match read(&manifest) {
            Err(ReadError::Manifest { field: found, .. }) => assert_eq!(found, field),
            other => panic!("{field}: {other:?}"),
        }
    }
    let other = ShardManifest { digest: "0".repeat(64), ..good() };
    assert!(matches!(read(&other), Err(ReadError::Digest { .. })));
    // A header that lies about its counts, with a manifest that agrees.
    let lying = forge(&game_rows(1, 10, true), header(10), |batch| batch);
    let error = lying.read(&expected()).unwrap_err();
    assert!(matches!(error, ReadError::Manifest { field: "truncated_games", .. }), "{error}");
}

#[test]
fn manifests_refuse_unknown_fields_and_nonsense() {
    let dir = tempfile::tempdir().unwrap();
    let json = write(dir.path(), &[game_rows(1, 4, false)]).manifest.to_json();
    assert!(!json.contains('\n'));
    let mut value: serde_json::Value = serde_json::from_str(&json).unwrap();
    let refused = |value: &serde_json::Value| ShardManifest::from_json(&value.to_string()).is_err();
    assert!(!refused(&value));
    for (field, nonsense) in [
        ("key", "../audit/x.parquet"),
        ("key", "/etc/passwd"),
        ("shard", ""),
        ("digest", "00"),
        ("fingerprint", "00"),
        ("kind", "truth"),
    ] {
        let mut broken = value.clone();
        broken[field] = nonsense.into();
        assert!(refused(&broken), "{field}");
    }
    for field in ["rows", "games", "bytes"] {
        let mut broken = value.clone();
        broken[field] = 0.into();
        assert!(refused(&broken), "{field}");
    }
    value["extra"] = 1.into();
    assert!(refused(&value));
}
