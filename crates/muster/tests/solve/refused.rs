//! Bad input: each refusal says what, and what to do, and has its exit code.

use crate::muster;

fn refused(words: &[&str], code: i32, says: &str) {
    let output = muster(&[&["solve"], words].concat());
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{words:?}: {said}");
    assert!(said.contains(says), "{words:?}: {said}");
    assert!(!said.contains("panicked"), "{words:?}: {said}");
    assert!(output.stdout.is_empty(), "{words:?}");
}

#[test]
fn what_is_not_there_or_does_not_fit_is_named() {
    let cases: [(&[&str], &str); 15] = [
        (&["chess-with-dice"], "unknown game \"chess-with-dice\"; there is "),
        (&["war-chest"], "war-chest is too large to be solved; what can be is "),
        (&["kuhn", "--rule", "players=4"], "option players of kuhn is 4; it must be 2 or 3"),
        (&["kuhn", "--rule", "suits=all"], "unknown option \"suits\" for kuhn"),
        (&["kuhn", "--algorithm", "magic"], "possible values: cfr, cfr+"),
        (&["kuhn", "--iterations", "0"], "0 is not in 1.."),
        (&["kuhn", "--alpha", "1"], "--alpha is for dcfr, not for cfr+"),
        (&["kuhn", "--algorithm", "dcfr", "--beta", "nan"], "--beta: give a number from -20 to 20"),
        (&["kuhn", "--algorithm", "cfr", "--seed", "2"], "--seed is for es-mccfr"),
        (
            &["kuhn", "--algorithm", "os-mccfr", "--exploration", "0"],
            "exploration 0 is not above 0",
        ),
        (&["kuhn", "--algorithm", "es-mccfr", "--updates", "simultaneous"], "--updates is for cfr"),
        (&["kuhn", "--until", "-1"], "give a number from 0"),
        (&["kuhn", "--max-memory", "8GB"], "give a number with KiB, MiB, GiB or TiB"),
        (&["kuhn", "--save-every", "3"], "--save <FILE>"),
        (&["kuhn", "--algorithm", "uniform", "--save", "x"], "leave out --save"),
    ];
    for (words, says) in cases {
        refused(words, 2, says);
    }
}

#[test]
fn too_little_memory_is_said_with_the_estimate() {
    refused(&["leduc", "--max-memory", "1MiB"], 1, "the game has 9457 histories, for which 3 MiB");
    let words = ["liars-dice", "--rule", "dice=2"];
    refused(&words, 1, "is estimated to have");
    refused(&words, 1, "8192 MiB are allowed: choose a smaller game or raise --max-memory");
}

#[test]
fn paths_that_cannot_be_used_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("no-folder").join("x");
    let path = path.to_str().unwrap();
    for flag in ["--save", "--resume", "--strategy", "--plot"] {
        refused(&["kuhn", flag, path], 1, &format!("{flag} {path}"));
    }
}

/// The solve is saved although what was to be written afterwards cannot be.
#[test]
fn a_path_that_fails_at_the_end_costs_no_solve() {
    let folder = tempfile::tempdir().unwrap();
    let save = folder.path().join("kuhn.solve");
    let words = [
        "kuhn",
        "--iterations",
        "50",
        "--save",
        save.to_str().unwrap(),
        "--plot",
        "/no-folder/x.svg",
    ];
    refused(&words, 1, "--plot /no-folder/x.svg");
    assert!(save.is_file());
}
