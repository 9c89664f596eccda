//! Rows and shards for the other tests.

use game::{Fingerprint, GameId, Stream};
use record::{ActionVisits, ClosedShard, Expected, ShardOrigin, TrainingRow, TrainingShardWriter};
use std::path::Path;

pub const NOW_LEN: usize = 40;
pub const N_ACTIONS: usize = 500;

pub fn expected() -> Expected {
    Expected {
        fingerprint: Fingerprint::of_text("rules of the test"),
        now_len: NOW_LEN,
        n_actions: N_ACTIONS,
    }
}

pub fn origin(shard: &str) -> ShardOrigin {
    ShardOrigin {
        shard: shard.to_owned(),
        run: "run".to_owned(),
        job: "3".to_owned(),
        attempt: 1,
        epoch: 7,
        checkpoint: "run-s000000-000000000000".to_owned(),
        fingerprint: expected().fingerprint,
        numerics: "none".to_owned(),
        build: "test".to_owned(),
        created_ms: 1_700_000_000_000,
    }
}

/// A game of `n_rows` rows in which each `now` differs from the one before it in two bytes.
pub fn game_rows(number: u8, n_rows: usize, truncated: bool) -> Vec<TrainingRow> {
    let mut stream = Stream::from_seed(u64::from(number));
    let mut now: Vec<u8> = (0..NOW_LEN).map(|_| stream.below(4) as u8).collect();
    let mut rows = Vec::new();
    let mut ply = 0;
    for _ in 0..n_rows {
        ply += 1 + stream.below(3) as u16;
        for _ in 0..2 {
            let at = stream.below(NOW_LEN as u32) as usize;
            now[at] = stream.below(4) as u8;
        }
        let n_legal = 2 + stream.below(20) as u16;
        let n_visited = 1 + stream.below(u32::from(n_legal)) as u16;
        let step = N_ACTIONS as u16 / n_visited;
        let visits = (0..n_visited)
            .map(|idx| ActionVisits {
                action: idx * step + stream.below(u32::from(step)) as u16,
                visits: 1 + stream.below(30) as u16,
            })
            .collect();
        rows.push(TrainingRow {
            game: GameId([number; 16]),
            ply,
            seat: stream.below(2) as u8,
            checkpoint: "run-s000000-000000000000".into(),
            now: now.clone(),
            n_legal,
            visits,
            root_value: stream.unit() as f32 * 2.0 - 1.0,
            outcome: if truncated { 0 } else { 1 - 2 * stream.below(2) as i8 },
            truncated,
            policy_weight: 1.0,
            value_weight: record::row::value_weight(truncated),
        });
    }
    rows
}

pub fn write(dir: &Path, games: &[Vec<TrainingRow>]) -> ClosedShard {
    let mut writer = TrainingShardWriter::create(dir, origin("s-1"), NOW_LEN, N_ACTIONS).unwrap();
    for rows in games {
        writer.push_game(rows).unwrap();
    }
    writer.close("shards/s-1.parquet").unwrap()
}
