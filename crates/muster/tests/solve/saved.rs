//! Saving, going on, and being ended from outside.

use crate::{muster, solved};
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

#[test]
fn a_resumed_solve_is_the_uninterrupted_one_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let [half, resumed, whole] = ["half", "resumed", "whole"].map(|name| folder.path().join(name));
    for algorithm in ["cfr+", "dcfr", "pcfr+", "es-mccfr", "os-mccfr", "cs-mccfr"] {
        let base = ["leduc", "--algorithm", algorithm];
        let solve = |words: &[&str]| solved(&[&base, words].concat());
        solve(&["--iterations", "70", "--save", text(&half)]);
        let found =
            solve(&["--iterations", "200", "--resume", text(&half), "--save", text(&resumed)]);
        let straight = solve(&["--iterations", "200", "--save", text(&whole)]);
        assert_eq!(fs::read(&resumed).unwrap(), fs::read(&whole).unwrap(), "{algorithm}");
        assert_eq!(found["nash_conv"], straight["nash_conv"], "{algorithm}");
        assert_eq!(found["iterations"], 200);
        [&resumed, &whole].into_iter().for_each(|path| fs::remove_file(path).unwrap());
    }
}

#[test]
fn the_seed_is_that_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("save");
    let base = ["kuhn", "--algorithm", "es-mccfr"];
    let solve = |words: &[&str]| solved(&[&base, words].concat());
    solve(&["--iterations", "50", "--seed", "9", "--save", text(&path)]);
    let resumed = solve(&["--iterations", "90", "--resume", text(&path)]);
    let whole = solve(&["--iterations", "90", "--seed", "9"]);
    assert_eq!(resumed["nash_conv"], whole["nash_conv"]);
    let words = [&["solve"], &base[..], &["--seed", "8", "--resume", text(&path)]].concat();
    let output = muster(&words);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("drawn with --seed 9, not 8"), "{said}");
}

#[test]
fn what_does_not_belong_or_is_damaged_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("leduc.solve");
    solved(&["leduc", "--iterations", "5", "--save", text(&path)]);
    let refusal = |words: &[&str]| {
        let output = muster(&[&["solve"], words, &["--resume", text(&path)]].concat());
        assert_eq!(output.status.code(), Some(1), "{words:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let said = refusal(&["kuhn"]);
    assert!(said.contains("it is a solve of leduc"), "{said}");
    let said = refusal(&["leduc", "--rule", "suits=isomorphic"]);
    assert!(said.contains("not of leduc (suits=isomorphic)"), "{said}");
    let said = refusal(&["leduc", "--algorithm", "cfr"]);
    assert!(said.contains("by cfr+, not by cfr;"), "{said}");
    let said = refusal(&["leduc", "--updates", "simultaneous"]);
    assert!(said.contains("by cfr+, not by cfr+, simultaneous"), "{said}");
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 100]).unwrap();
    assert!(refusal(&["leduc"]).contains("truncated or damaged"));
    let mut flipped = bytes;
    flipped[5000] ^= 1;
    fs::write(&path, &flipped).unwrap();
    assert!(refusal(&["leduc"]).contains("truncated or damaged"));
    fs::write(&path, b"something else").unwrap();
    assert!(refusal(&["leduc"]).contains("no saved solve"));
}

/// A long solve that saves twenty times a second.
fn start(path: &Path) -> Child {
    let mut child = Command::new(env!("CARGO_BIN_EXE_muster"))
        .args(["solve", "leduc", "--iterations", "1000000000", "--json"])
        .args(["--save", text(path), "--save-every", "0.05"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("muster starts");
    let begun = Instant::now();
    let mut seen: Option<Vec<u8>> = None;
    // Until the first save was followed by another one.
    while begun.elapsed() < Duration::from_secs(60) {
        match (fs::read(path), &seen) {
            (Ok(bytes), Some(first)) if bytes != *first => return child,
            (Ok(bytes), None) => seen = Some(bytes),
            _ => {}
        }
        sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    panic!("nothing was saved twice in a minute");
}

/// The iteration of a save that is whole.
fn saved_iteration(path: &Path) -> u64 {
    solved(&["leduc", "--iterations", "1", "--resume", text(path)])["iterations"].as_u64().unwrap()
}

#[test]
fn the_end_signal_saves_and_ends_in_peace() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("leduc.solve");
    for signal in [rustix::process::Signal::TERM, rustix::process::Signal::INT] {
        let child = start(&path);
        let pid = rustix::process::Pid::from_raw(child.id() as i32).unwrap();
        rustix::process::kill_process(pid, signal).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{signal:?}");
        let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(found["interrupted"], true);
        assert!(found["iterations"].as_u64().unwrap() > 0);
        assert_eq!(saved_iteration(&path), found["iterations"].as_u64().unwrap());
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn a_killed_solve_leaves_its_last_save_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("leduc.solve");
    let mut last = 0;
    for _ in 0..5 {
        let mut child = start(&path);
        child.kill().unwrap();
        child.wait().unwrap();
        let iteration = saved_iteration(&path);
        assert!(iteration > 0);
        last = iteration.max(last);
    }
    assert!(last > 0);
}
