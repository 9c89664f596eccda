//! Proves: the list of accepted shards reads what was appended, survives a writer that was stopped in the middle
//! of a line, and names the line that does not read.

use crate::rows::{game_rows, write};
use record::{AcceptedError, append_accepted, read_accepted};
use std::io::Write;

#[test]
fn appended_manifests_come_back_and_a_torn_line_is_left_out() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("accepted.jsonl");
    let manifest = write(dir.path(), &[game_rows(1, 4, false)]).manifest;
    append_accepted(&path, &manifest).unwrap();
    append_accepted(&path, &manifest).unwrap();
    let accepted = read_accepted(&path).unwrap();
    assert_eq!(accepted.manifests, [manifest.clone(), manifest.clone()]);
    assert!(!accepted.torn);

    let whole = std::fs::read(&path).unwrap();
    let line_len = whole.len() / 2;
    for len in line_len + 1..whole.len() {
        std::fs::write(&path, &whole[..len]).unwrap();
        let accepted = read_accepted(&path).unwrap();
        assert_eq!(accepted.manifests.len(), 1, "{len}");
        assert!(accepted.torn);
    }
    append_accepted(&path, &manifest).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), whole, "the torn line is replaced");
}

#[test]
fn a_line_that_does_not_read_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("accepted.jsonl");
    let manifest = write(dir.path(), &[game_rows(1, 4, false)]).manifest;
    append_accepted(&path, &manifest).unwrap();
    let mut file = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
    file.write_all(b"{\"kind\":\"training\"}\n").unwrap();
    let error = read_accepted(&path).unwrap_err();
    assert!(matches!(error, AcceptedError::Line { line: 2, .. }), "{error}");
    let missing = read_accepted(&dir.path().join("none.jsonl"));
    assert!(matches!(missing, Err(AcceptedError::Io { .. })));
}
