//! Proves: what a worker leaves in the audit root opens with the run's key alone; a lost, wrong or broken key and a
//! damaged shard are said in one message, and hide nothing that can still be read; an export holds the same rows.

use crate::fixture::{Run, json, rules, run, stderr, verify, worker};
use audit::{GameRecord, Identity, decode_audit, read_audit};
use game::Fingerprinted;
use record::{ShardManifest, read_accepted};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Output;

fn refused(args: &[&str], code: i32, messages: &[&str]) {
    let output = worker(args);
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {text}");
    for message in messages {
        assert!(text.contains(message), "{args:?}: no {message:?} in {text}");
    }
    assert!(!text.contains("panicked"), "{text}");
}

fn audit_manifests(run: &Run) -> Vec<ShardManifest> {
    read_accepted(&run.root.join("audit/accepted.jsonl")).unwrap().manifests
}

fn files_below(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(files_below(&path));
        } else {
            files.push(path);
        }
    }
    files
}

fn games(output: &Output) -> usize {
    json(output)["games"].as_array().unwrap().len()
}

#[test]
fn nothing_in_the_audit_root_is_plain() {
    let run = run();
    for manifest in audit_manifests(&run) {
        assert!(manifest.key.ends_with(".parquet.sealed"), "{}", manifest.key);
        let bytes = std::fs::read(run.root.join("audit").join(&manifest.key)).unwrap();
        record::container::check_digest(&manifest, &bytes).unwrap();
    }
    let shows = |path: &PathBuf, part: &[u8]| {
        std::fs::read(path).unwrap().windows(part.len()).any(|window| window == part)
    };
    let audit = files_below(&run.root.join("audit"));
    assert!(audit.len() >= 4, "two shards, the list and the secret: {audit:?}");
    assert!(!audit.iter().any(|path| shows(path, b"PAR1")));
    let training = files_below(&run.root.join("training"));
    assert!(training.iter().any(|path| shows(path, b"PAR1")), "the control");
    let key = run.root.join("audit.key");
    assert_eq!(std::fs::metadata(key).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn without_its_key_nothing_opens_and_the_message_says_what_to_do() {
    let run = run();
    let key = run.root.join("audit.key");
    let away = run.root.parent().unwrap().join("elsewhere.key");
    std::fs::rename(&key, &away).unwrap();
    let show = ["audit", "show", run.path()];
    refused(&show, 1, &["audit.key", "--key FILE", "training and self-play go on"]);
    refused(&["audit", "verify", run.path()], 1, &["--key FILE"]);
    refused(&["replay", run.path(), "0"], 1, &["--key FILE"]);
    let away = away.to_str().unwrap();
    let with_key = ["audit", "show", run.path(), "--json", "--key", away];
    assert_eq!(games(&worker(&with_key)), 5);

    let other = Identity::generate().recipient().to_string();
    std::fs::write(&key, "x25519-secret:abc\n").unwrap();
    refused(&show, 1, &["audit.key", "must hold the one"]);
    std::fs::write(&key, format!("x25519-secret:{}\n", "07".repeat(32))).unwrap();
    refused(&show, 1, &["belongs to", "sealed to", "--key FILE"]);
    // A configuration that names another recipient does not make a key fit.
    let config = std::fs::read_to_string(run.root.join("run.toml")).unwrap();
    let own = config.lines().find_map(|line| line.strip_prefix("recipient = ")).unwrap();
    let swapped = config.replace(own.trim_matches('"'), &other);
    std::fs::write(run.root.join("run.toml"), swapped).unwrap();
    refused(&with_key, 1, &["belongs to"]);
}

#[test]
fn a_damaged_shard_is_named_and_the_others_are_shown() {
    let run = run();
    let manifests = audit_manifests(&run);
    let [first, second] = &manifests[..] else { panic!("two shards") };
    let path = run.root.join("audit").join(&first.key);
    let whole = std::fs::read(&path).unwrap();
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    let n_left = second.games as usize;
    for damaged in [&flipped[..], &whole[..whole.len() - 1], b""] {
        std::fs::write(&path, damaged).unwrap();
        let output = worker(&["audit", "show", run.path(), "--json"]);
        assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
        assert_eq!(games(&output), n_left);
        assert_eq!(json(&output)["unreadable"].as_array().unwrap().len(), 1);
        assert!(stderr(&output).contains(&first.shard), "{}", stderr(&output));

        let report = verify(&run.root, 0);
        assert_eq!(report.status.code(), Some(3));
        assert!(stderr(&report).contains(&format!("digest: shard {}", first.shard)));
        assert_eq!(json(&report)["games_replayed"], second.games);
    }
    // A game of a whole shard is shown; one that is in none of them may be in the damaged one.
    let listed = json(&worker(&["audit", "show", run.path(), "--json"]));
    let game = listed["games"][0]["game"].as_str().unwrap();
    assert_eq!(worker(&["audit", "show", run.path(), game]).status.code(), Some(0));
    refused(&["audit", "show", run.path(), "zz"], 1, &["can be read", &first.shard]);
    std::fs::remove_file(&path).unwrap();
    assert_eq!(games(&worker(&["audit", "show", run.path(), "--json"])), n_left);
}

#[test]
fn a_seat_is_shown_what_it_knew_and_no_more() {
    let run = run();
    let listed = json(&worker(&["audit", "show", run.path(), "--json"]));
    let game = &listed["games"][0];
    let (id, n_plies) = (game["game"].as_str().unwrap(), game["plies"].as_u64().unwrap());
    let shown = |seat: &str, ply: u64| {
        let ply = ply.to_string();
        let output = worker(&["audit", "show", run.path(), id, "--seat", seat, "--ply", &ply]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    for ply in [0, 1, 6, n_plies - 1] {
        for seat in ["white", "black"] {
            let text = shown(seat, ply);
            let header = text.lines().next().unwrap();
            assert_eq!(header, format!("game {id}, ply {ply}"));
            assert!(!text.contains("next:"), "{text}");
        }
        let truth = shown("truth", ply);
        assert!(truth.contains(&format!("ply {ply} of {n_plies}")) && truth.contains("next:"));
    }
    assert!(shown("white", n_plies).contains(", over: "));
}

#[test]
fn another_deal_secret_is_found() {
    let run = run();
    let path = run.root.join("audit/deal-secret");
    for text in ["06".repeat(32), "nonsense".to_owned()] {
        std::fs::write(&path, text).unwrap();
        let output = verify(&run.root, 0);
        assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
        assert!(stderr(&output).contains("deal-secret: "), "{}", stderr(&output));
        assert_eq!(json(&output)["differences"], 1);
    }
}

#[test]
fn an_export_holds_the_same_rows() {
    let run = run();
    let outside = run.root.parent().unwrap();
    let plain = outside.join("plain");
    let dir = plain.to_str().unwrap();
    let exported = worker(&["audit", "export", run.path(), dir, "--json"]);
    assert_eq!(exported.status.code(), Some(0), "{}", stderr(&exported));
    assert_eq!(json(&exported)["games"], 5);
    assert_eq!(std::fs::metadata(&plain).unwrap().permissions().mode() & 0o777, 0o700);
    let identity = Identity::read(&run.root.join("audit.key")).unwrap();
    let fingerprint = rules().fingerprint();
    let manifests = audit_manifests(&run);
    assert_eq!(files_below(&plain).len(), manifests.len());
    for manifest in &manifests {
        let path = plain.join(format!("{}.parquet", manifest.shard));
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        let sealed = std::fs::read(run.root.join("audit").join(&manifest.key)).unwrap();
        let games = |shard: audit::AuditShard| -> Vec<GameRecord> { shard.games };
        let own = games(read_audit(&manifest.shard, &sealed, &identity, fingerprint).unwrap());
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(games(decode_audit(&manifest.shard, bytes, fingerprint).unwrap()), own);
    }

    refused(&["audit", "export", run.path(), dir], 2, &["is no empty folder"]);
    let inside = run.root.join("training/plain");
    refused(&["audit", "export", run.path(), inside.to_str().unwrap()], 2, &["trainer may read"]);
    assert!(!inside.exists());
    let nowhere = outside.join("no/such");
    refused(&["audit", "export", run.path(), nowhere.to_str().unwrap()], 1, &["folder first"]);

    // One damaged shard: the rest is exported, and the exit code says so. None readable: nothing is made.
    let again = outside.join("again");
    for (idx, manifest) in manifests.iter().enumerate() {
        std::fs::write(run.root.join("audit").join(&manifest.key), b"x").unwrap();
        let output = worker(&["audit", "export", run.path(), again.to_str().unwrap()]);
        let is_last = idx + 1 == manifests.len();
        assert_eq!(output.status.code(), Some(if is_last { 1 } else { 3 }));
        assert!(stderr(&output).contains(&manifest.shard), "{}", stderr(&output));
        assert_eq!(again.exists(), !is_last);
        if again.exists() {
            assert_eq!(files_below(&again).len(), manifests.len() - 1);
            std::fs::remove_dir_all(&again).unwrap();
        }
    }
    let beside = std::fs::read_dir(outside).unwrap().count();
    assert_eq!(beside, 2, "no draft is left behind: the run and the first export");
}
