//! Proves: `muster audit verify` is clean on a clean run, and its three negative controls are caught with exit
//! code 3 although file, manifest and list agree with each other. A wrong digest is reported and ends nothing.

use crate::fixture::{Run, json, run, stderr, verify};
use record::ShardManifest;

#[test]
fn a_clean_run_is_clean() {
    let run = run();
    let n_rows: u64 = run.training().iter().map(|manifest| manifest.rows).sum();
    let output = verify(&run.root, 40);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let report = json(&output);
    assert_eq!(report["games_replayed"], 5);
    assert_eq!(report["rows_checked"], n_rows);
    assert_eq!(report["rederived_equal"], n_rows);
    assert_eq!(report["worlds_checked"], 2 * n_rows, "every search has two worlds");
    assert_eq!(report["worlds_invalid"], 0);
    assert_eq!(report["two_world_pairs"], 40);
    assert_eq!(report["differences"], 0);
}

/// Exit code 3, the first finding's line, and how many there are.
fn found(run: &Run) -> (String, u64) {
    let output = verify(&run.root, 0);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let report = json(&output);
    assert_eq!(report["games_replayed"], 5, "the check goes on to its end");
    let text = stderr(&output);
    let finding = text.lines().find(|line| line.contains(": shard ")).unwrap_or_default();
    (finding.to_owned(), report["differences"].as_u64().unwrap())
}

#[test]
fn a_flipped_byte_is_caught() {
    let run = run();
    let manifest = run.spoil(|rows| rows[7].now[40] ^= 1);
    let (finding, n_findings) = found(&run);
    assert_eq!(n_findings, 1, "{finding}");
    let place = format!("row: shard {} row 7 column now ", manifest.shard);
    assert!(finding.starts_with(&place), "{finding}");
}

#[test]
fn a_row_moved_to_the_other_seat_is_caught() {
    let run = run();
    let manifest = run.spoil(|rows| rows[9].seat = 1 - rows[9].seat);
    let (finding, n_findings) = found(&run);
    assert_eq!(n_findings, 1, "{finding}");
    let place = format!("row: shard {} row 9 column seat ", manifest.shard);
    assert!(finding.starts_with(&place), "{finding}");
}

#[test]
fn a_missing_row_is_caught() {
    let run = run();
    let mut missing = None;
    let manifest = run.spoil(|rows| missing = Some(rows.remove(11)));
    let missing = missing.unwrap();
    let (finding, n_findings) = found(&run);
    assert_eq!(n_findings, 1, "{finding}");
    let place = format!(
        "missing-row: shard {} game {} ply {} seat {}",
        manifest.shard, missing.game, missing.ply, missing.seat
    );
    assert!(finding.starts_with(&place), "{finding}");
}

#[test]
fn a_wrong_digest_is_reported_and_ends_nothing() {
    let run = run();
    let mut manifests = run.training();
    manifests[1] = ShardManifest { digest: "0".repeat(64), ..manifests[1].clone() };
    run.list(&manifests);
    let (finding, n_findings) = found(&run);
    assert_eq!(n_findings, 1, "{finding}");
    assert!(finding.starts_with(&format!("digest: shard {}", manifests[1].shard)), "{finding}");
    let report = json(&verify(&run.root, 0));
    assert_eq!(report["rows_checked"], report["rederived_equal"]);
}

#[test]
fn truncated_and_absent_shards_are_named() {
    let run = run();
    let manifests = run.training();
    let path = run.root.join("training").join(&manifests[0].key);
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    let (finding, _) = found(&run);
    assert!(finding.contains(&manifests[0].shard), "{finding}");
    std::fs::remove_file(&path).unwrap();
    let (finding, n_findings) = found(&run);
    assert!(finding.starts_with("unreadable"), "{finding}");
    assert_eq!(n_findings, 1 + manifests[0].rows, "all its rows are missing");
}
