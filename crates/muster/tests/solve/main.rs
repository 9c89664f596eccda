//! `muster solve` from outside: what it prints, writes and refuses.

mod printed;
mod refused;
mod saved;
mod strategy;

use std::process::{Command, Output};

fn muster(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_muster")).args(words).output().expect("muster starts")
}

/// What `muster solve … --json` prints.
fn solved(words: &[&str]) -> serde_json::Value {
    let output = muster(&[&["solve"], words, &["--json"]].concat());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words:?}: {said}");
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}
