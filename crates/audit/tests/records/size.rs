//! Proves: a shard of about 800 real rows takes at most 64 bytes a row on disk, all columns, footer and all.

use crate::fixture::{Played, Stored, params, play};
use search::SearchParams;
use warchest::WarChest;

#[test]
fn training_rows_are_small() {
    let params = SearchParams { simulations: 64, worlds: 2, ..params() };
    let mut games: Vec<Played> = Vec::new();
    let mut n_rows = 0;
    for number in 60.. {
        if n_rows >= 800 {
            break;
        }
        games.push(play(WarChest::default(), params, number));
        n_rows += games.last().map_or(0, |game| game.rows.len());
    }
    let rows: Vec<_> = games.iter().map(|game| game.rows.clone()).collect();
    let records: Vec<_> = games.iter().map(|game| game.record.clone()).collect();
    let mut stored = Stored::default();
    stored.put_training("t-1", &rows);
    stored.put_audit("a-1", &records);
    let (training, audit) = (&stored.shards.training[0], &stored.shards.audit[0]);
    let per_row = training.bytes as f64 / training.rows as f64;
    println!(
        "{} games: {} training rows, {per_row:.1} bytes each; {} audit rows, {:.1} bytes each",
        training.games,
        training.rows,
        audit.rows,
        audit.bytes as f64 / audit.rows as f64
    );
    if let Ok(folder) = std::env::var("MUSTER_KEEP_SHARDS") {
        for (shard, bytes) in &stored.files {
            std::fs::write(format!("{folder}/{shard}"), bytes).unwrap();
        }
    }
    assert!(per_row <= 64.0, "{per_row}");
}
