//! Proves: the trainer refuses an audit root, and its process cannot open the audit root, the audit key or the
//! coordinator's store, root or not, while what it needs opens.

mod support;

use run::RunFolder;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use support::{accept_shard, games, run_folder};

fn trainer(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_muster-trainer")).args(args).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A run with everything in it that is closed to a trainer.
fn whole_run(parent: &Path) -> RunFolder {
    let folder = run_folder(parent, &[]);
    let shards = folder.audit_dir().join("shards");
    fs::create_dir_all(&shards).unwrap();
    for path in [
        shards.join("a.parquet.sealed"),
        folder.audit_dir().join("deal-secret"),
        folder.audit_dir().join("accepted.jsonl"),
        folder.sqlite_path(),
        folder.root().join("coordinator.sqlite-wal"),
    ] {
        fs::write(path, "hidden").unwrap();
    }
    accept_shard(&folder, "a", &games(0, 1));
    folder
}

fn confinement(folder: &RunFolder) -> (Option<i32>, Value, String) {
    let output = trainer(&["confinement", "--run", folder.root().to_str().unwrap(), "--json"]);
    let said = stderr(&output);
    let value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{said}"));
    (output.status.code(), value, said)
}

#[test]
fn the_truth_is_closed_to_the_trainers_process() {
    let place = tempfile::tempdir().unwrap();
    let folder = whole_run(place.path());
    let (code, tried, said) = confinement(&folder);
    let list = |key: &str| -> Vec<&str> {
        tried[key].as_array().unwrap().iter().map(|path| path.as_str().unwrap()).collect()
    };
    if !run::confine::available().is_confined() {
        assert!(tried["confinement"].as_str().unwrap().starts_with("none"), "{tried}");
        assert!(said.contains("give it another user"), "{said}");
        return;
    }
    assert_eq!(code, Some(0), "{tried} {said}");
    assert!(tried["confinement"].as_str().unwrap().starts_with("landlock"), "{tried}");
    assert_eq!(list("open"), Vec::<&str>::new());
    let closed = list("closed");
    for name in [
        "run/audit",
        "run/audit/shards",
        "a.parquet.sealed",
        "deal-secret",
        "audit/accepted.jsonl",
        "audit.key",
        "coordinator.sqlite",
        "coordinator.sqlite-wal",
    ] {
        let path = closed.iter().find(|path| path.ends_with(name));
        let path = path.unwrap_or_else(|| panic!("{name} was not tried: {closed:?}"));
        // The control: this process, of the same user, may.
        assert!(fs::metadata(path).unwrap().is_dir() || fs::File::open(path).is_ok());
    }
}

#[test]
fn a_store_elsewhere_is_closed_too() {
    let place = tempfile::tempdir().unwrap();
    let audit = place.path().join("truth");
    fs::create_dir(&audit).unwrap();
    fs::write(audit.join("shard"), "hidden").unwrap();
    let folder = run_folder(place.path(), &[&format!("stores.audit=file://{}", audit.display())]);
    let (_, tried, _) = confinement(&folder);
    let key = if run::confine::available().is_confined() { "closed" } else { "open" };
    let paths = tried[key].as_array().unwrap();
    assert!(paths.iter().any(|path| path.as_str().unwrap().ends_with("truth/shard")), "{tried}");
}

fn refused(args: &[&str], message: &str) {
    let output = trainer(args);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stderr(&output));
    assert!(stderr(&output).contains(message), "{args:?}: {}", stderr(&output));
}

#[test]
fn an_audit_root_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let folder = whole_run(place.path());
    let audit = folder.audit_dir();
    let audit = audit.to_str().unwrap();
    let message = "is an audit root: it holds the truth";
    refused(&["train", "--run", audit, "--steps", "1"], message);
    refused(&["run", "--run", audit], message);
    refused(&["bench", "loader", "--run", audit], message);

    // A configuration that names it, or a folder around it, as the training root.
    let training = |root: &Path| format!("stores.training=file://{}", root.display());
    for (name, root) in [("b", folder.audit_dir()), ("c", folder.root().to_owned())] {
        let parent = place.path().join(name);
        fs::create_dir(&parent).unwrap();
        let other = format!("stores.audit=file://{audit}/");
        let other = run_folder(&parent, &[&training(&root), &other]);
        refused(&["train", "--run", other.root().to_str().unwrap(), "--steps", "1"], message);
    }
}

#[test]
fn an_audit_shard_in_the_list_of_training_shards_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let folder = whole_run(place.path());
    let list = fs::read_to_string(folder.accepted_path()).unwrap();
    let audit = list
        .replace(r#""kind":"training""#, r#""kind":"audit""#)
        .replace(r#""digest""#, r#""seal":"sealed-box","digest""#);
    fs::write(folder.accepted_path(), format!("{list}{audit}")).unwrap();
    let error = trainer::train::load_window(&folder, support::GAME, &support::settings(&[]));
    let text = error.err().unwrap().to_string();
    assert!(text.contains("is an audit shard") && text.contains("IB5"), "{text}");
}

#[test]
fn a_lost_key_harms_no_training() {
    let place = tempfile::tempdir().unwrap();
    let folder = whole_run(place.path());
    fs::remove_file(folder.audit_key_path()).unwrap();
    let args = support::args(&folder, 3);
    trainer::train::retrain(support::GAME, &args, &folder, &support::settings(&[])).unwrap();
}
