//! A run folder with shards of the smallest game.

#![allow(dead_code)]

#[path = "../../../crates/net/tests/support/fake_game.rs"]
pub mod fake_game;

use fake_game::{BOARD_CELLS, FLAT, FakeGame, known};
use game::{ActionSpace, Fingerprinted, GameId, Hidden, Stream};
use record::{
    ActionVisits, ShardManifest, ShardOrigin, TrainingRow, TrainingShardWriter, append_accepted,
};
use run::{RunConfig, RunFacts, RunFolder, ValidConfig};
use std::path::{Path, PathBuf};
use trainer::settings::Settings;
use trainer::train::TrainArgs;

pub const GAME: FakeGame = FakeGame { pool: "test" };

pub fn config(sets: &[&str]) -> ValidConfig {
    let text = r#"
[run]
seed = 3
[network]
kind = "residual"
blocks = 1
channels = 8
value_hidden = 16
[training]
batch = 32
learning_rate = 0.01
window_rows = 10000
rows_per_generation = 60
replay_ratio = 4.0
held_out_share = 0.2
"#;
    let sets: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
    RunConfig::parse(text, "test", &sets).unwrap().validate("test").unwrap()
}

pub fn settings(sets: &[&str]) -> Settings {
    Settings::of(&config(sets))
}

/// A run folder without an audit folder.
pub fn run_folder(parent: &Path, sets: &[&str]) -> RunFolder {
    let facts = RunFacts {
        fingerprint: GAME.fingerprint().to_string(),
        fingerprint_text: GAME.fingerprint_text(),
        build: "test".to_owned(),
        numerics: String::new(),
    };
    let root = parent.join("run");
    RunFolder::create(&root, &config(sets), &facts).unwrap();
    std::fs::remove_dir_all(root.join("audit")).unwrap();
    RunFolder::open(&root).unwrap()
}

pub fn args(folder: &RunFolder, steps: u64) -> TrainArgs {
    TrainArgs {
        run: folder.root().to_owned(),
        steps,
        out: None,
        config: None,
        sets: Vec::new(),
        from: None,
        json: true,
    }
}

/// The rows of one game: the good hex has most visits, and the result follows from what the seat knows.
pub fn game_rows(number: u64, n_rows: u16, truncated: bool) -> Vec<TrainingRow> {
    let mut stream = Stream::from_seed(number);
    let mut id = [0; 16];
    id[..8].copy_from_slice(&number.to_le_bytes());
    (0..n_rows)
        .map(|ply| {
            let hex = stream.below(7) as u8;
            let wins = stream.below(2) == 1;
            let now = known((ply % 2) as u8, hex, wins, stream.below(256) as u8);
            let visits = |action, visits| ActionVisits { action, visits };
            let good = BOARD_CELLS[usize::from(hex)] as u16;
            let other = BOARD_CELLS[(usize::from(hex) + 1) % 7] as u16;
            let mut list = vec![visits(good, 60), visits(other, 4)];
            list.sort_unstable();
            TrainingRow {
                game: GameId(id),
                ply,
                seat: now[0],
                checkpoint: "test-s000000-0123456789ab".into(),
                now: now.to_vec(),
                n_legal: 7 + u16::from(now[3] & 1),
                visits: list,
                root_value: 0.0,
                outcome: if truncated { 0 } else { i8::from(wins) * 2 - 1 },
                truncated,
                policy_weight: record::row::POLICY_WEIGHT,
                value_weight: record::row::value_weight(truncated),
            }
        })
        .collect()
}

/// Writes one shard into the training folder, without accepting it.
pub fn write_shard(
    folder: &RunFolder,
    game: &FakeGame,
    name: &str,
    games: &[Vec<TrainingRow>],
) -> (PathBuf, ShardManifest) {
    let origin = ShardOrigin {
        shard: name.to_owned(),
        run: "test".to_owned(),
        job: "1".to_owned(),
        attempt: 1,
        epoch: 1,
        checkpoint: "test-s000000-0123456789ab".to_owned(),
        fingerprint: game.fingerprint(),
        numerics: "none".to_owned(),
        build: "test".to_owned(),
        created_ms: 1,
    };
    let n_actions = game.policy_layout().n_actions();
    let dir = folder.training_dir().join("shards");
    std::fs::create_dir_all(&dir).unwrap();
    let mut writer = TrainingShardWriter::create(&dir, origin, game.now_len(), n_actions).unwrap();
    games.iter().for_each(|rows| writer.push_game(rows).unwrap());
    let closed = writer.close(&format!("shards/{name}.parquet")).unwrap();
    let path = dir.join(format!("{name}.parquet"));
    closed.path.persist(&path).unwrap();
    (path, closed.manifest)
}

/// Writes and accepts one shard.
pub fn accept_shard(folder: &RunFolder, name: &str, games: &[Vec<TrainingRow>]) -> ShardManifest {
    let (_, manifest) = write_shard(folder, &GAME, name, games);
    append_accepted(&folder.accepted_path(), &manifest).unwrap();
    manifest
}

/// `n_games` games of 20 rows from number `first` on; every fourth is truncated.
pub fn games(first: u64, n_games: u64) -> Vec<Vec<TrainingRow>> {
    (first..first + n_games).map(|number| game_rows(number, 20, number % 4 == 3)).collect()
}

/// Every file below a folder with its bytes.
pub fn snapshot(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                files.push((path.clone(), std::fs::read(path).unwrap()));
            }
        }
    }
    files.sort();
    files
}

/// Index of the flat action, so that the support file is used whole.
pub const FLAT_ACTION: u16 = FLAT;
