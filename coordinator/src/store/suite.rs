//! One suite for every store. It proves that a store gives back exactly the state that the core had after every stored
//! step, in any order of steps, and the manifests in the order of acceptance.

use super::{Identity, Kind, MemoryStore, SqliteStore, Store, StoreError};
use crate::core::{Answer, Config, Core, Granted, Input, State};
use crate::fixture::{checkpoint, commit, lease_input, strict, verdict, verification_input};
use std::path::Path;

/// A number that looks random, from a plain one (SplitMix64).
fn scramble(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Some hundred steps of every kind, stored one by one.
fn play(store: &mut dyn Store, seed: u64) -> Core {
    let mut core = Core::new(Config { attempts_max: 50, ..strict() }, &store.load().unwrap(), 0);
    let mut held: Vec<Granted> = Vec::new();
    let mut now_ms = 0;
    for step in 0..600u64 {
        let dice = scramble(seed << 32 | step);
        now_ms += dice % 7_000;
        let recent = held.len().saturating_sub(1 + dice as usize % 3);
        let is_verification = |it: &&Granted| it.verifies.is_some();
        let input = match (dice >> 8 & 7, held.get(recent)) {
            (4..6, Some(granted)) if granted.verifies.is_some() => {
                // Bad verdicts in one of the runs, late enough that it grew before.
                Input::Verdict(verdict(granted, u64::from(seed == 1 && step > 450)))
            }
            (6, Some(granted)) if granted.verifies.is_some() => {
                let mut lying = verdict(granted, 0);
                lying.audit_digest.clear();
                Input::Verdict(lying)
            }
            (2..4, _) if dice >> 30 & 1 == 0 => {
                let n_verifications = held.iter().filter(is_verification).count() as u64;
                verification_input("a", seed * 1_000 + n_verifications)
            }
            (0, _) => Input::Register(checkpoint(core.state().checkpoints.len() as u32)),
            (1..4, _) => lease_input(&format!("w{}", dice >> 16 & 3), seed * 1_000 + step),
            (4..6, Some(granted)) => {
                Input::Commit(commit(granted, 1 + step as usize % granted.games.len()))
            }
            (6, Some(granted)) => {
                let mut lying = commit(granted, 1);
                lying.digest.clear();
                Input::Commit(lying)
            }
            (7, Some(granted)) => Input::Release {
                worker: granted.lease.worker.clone(),
                lease: granted.lease.key,
                failed: dice >> 20 & 1 == 0,
            },
            _ => Input::Tick,
        };
        let effects = core.step(now_ms, input);
        store.apply(&effects.changes).unwrap();
        if let Ok(Answer::Leased(granted)) = effects.answer {
            held.push(granted);
        }
    }
    // A lease is open in the end: a stopped run has no other.
    let effects = core.step(now_ms, verification_input("last", 1));
    store.apply(&effects.changes).unwrap();
    core
}

fn gives_back_the_state(store: &mut dyn Store, mut reopen: impl FnMut() -> Box<dyn Store>) {
    assert_eq!(State::from_changes(&store.load().unwrap()), State::default());
    let core = play(store, 1);
    let state = core.state();
    let (shards, refused) = (state.totals.shards, state.refused());
    assert!(shards > 10 && refused > 5, "{shards} shards, {refused} refused");
    assert!(!state.leases.is_empty());
    let (n, failed) = (state.verdicts.len(), state.first_failure);
    let (through, waiting) = (state.verified_through, state.unverified.len());
    assert!(
        n > 5 && failed.is_some() && through > 0 && waiting > 0,
        "{n} verdicts, {failed:?} failed, {through} in the window, {waiting} wait"
    );
    assert_eq!(State::from_changes(&store.load().unwrap()), *state);
    let mut reopened = reopen();
    assert_eq!(State::from_changes(&reopened.load().unwrap()), *state);
    for kind in [Kind::Training, Kind::Audit] {
        let texts = reopened.manifests(kind, 3, 5).unwrap();
        assert_eq!(texts.iter().map(|it| it.0).collect::<Vec<_>>(), [3, 4, 5, 6, 7]);
        for (sequence, text) in texts {
            let manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
            let shard = &state.shards[&sequence];
            assert_eq!(manifest["job"], shard.lease.job.to_string());
            assert_eq!(manifest["kind"], if kind == Kind::Audit { "audit" } else { "training" });
        }
    }
}

fn identity() -> Identity {
    Identity { run: "test-run".to_owned(), run_seed: u64::MAX, deal_secret: [7; 32] }
}

fn sqlite(dir: &Path) -> SqliteStore {
    SqliteStore::open(&dir.join("coordinator.sqlite"), &identity()).unwrap()
}

#[test]
fn memory_gives_back_the_state() {
    let mut store = MemoryStore::default();
    let core = play(&mut store, 1);
    assert_eq!(State::from_changes(&store.load().unwrap()), *core.state());
    let copy = store.clone();
    gives_back_the_state(&mut MemoryStore::default(), || Box::new(copy.clone()));
}

#[test]
fn sqlite_gives_back_the_state() {
    let dir = tempfile::tempdir().unwrap();
    gives_back_the_state(&mut sqlite(dir.path()), || Box::new(sqlite(dir.path())));
}

/// A record of the version before, which knew no verification, is taken over with everything in it.
#[test]
fn an_older_record_is_taken_over() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("coordinator.sqlite");
    let old = rusqlite::Connection::open(&path).unwrap();
    let schema = include_str!("schema.sql");
    let schema = schema.replace("ready_at_ms INTEGER NOT NULL,", "ready_at_ms INTEGER NOT NULL");
    let schema = schema.replace("verifies INTEGER", "");
    old.execute_batch(&schema).unwrap();
    let secrets = super::sqlite::secrets(&identity());
    old.execute_batch(&format!(
        "INSERT INTO meta VALUES ('schema', '1'), ('run', 'test-run'), ('secrets', '{secrets}'),
         ('fingerprint', 'f');
         INSERT INTO jobs VALUES (1, '0-3', 'ready', 0, 0, 7);"
    ))
    .unwrap();
    drop(old);
    let other = Identity { deal_secret: [8; 32], ..identity() };
    let error = SqliteStore::open(&path, &other).err().unwrap();
    assert!(!matches!(error, StoreError::Sqlite { .. }), "another run's is left alone: {error}");
    for _ in 0..2 {
        let mut store = sqlite(dir.path());
        let state = State::from_changes(&store.load().unwrap());
        let job = &state.jobs[&crate::core::JobId(1)];
        assert_eq!((job.games.as_slice(), job.verifies), ([0, 1, 2, 3].as_slice(), None));
        assert!(state.verdicts.is_empty());
    }
    play(&mut sqlite(dir.path()), 3);
}

#[test]
fn sqlite_stores_all_changes_of_a_step_or_none() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = sqlite(dir.path());
    let mut core = play(&mut store, 2);
    let before = State::from_changes(&store.load().unwrap());
    let mut changes = core.step(9_000_000, lease_input("w", 1)).changes;
    assert!(changes.len() >= 2);
    // The last change breaks a uniqueness that the database holds.
    changes.push(changes.last().unwrap().clone());
    store.apply(&changes).unwrap_err();
    assert_eq!(State::from_changes(&store.load().unwrap()), before);
}

#[test]
fn a_foreign_or_strange_file_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("coordinator.sqlite");
    assert_eq!(SqliteStore::open(&path, &identity()).unwrap().run(), "test-run");
    let renamed = Identity { run: "renamed".to_owned(), ..identity() };
    assert_eq!(SqliteStore::open(&path, &renamed).unwrap().run(), "test-run");
    let other = Identity { deal_secret: [8; 32], ..identity() };
    let error = SqliteStore::open(&path, &other).err().unwrap();
    assert!(matches!(error, StoreError::Foreign { .. }), "{error}");
    assert!(!error.to_string().contains("0808"), "a secret in {error}");

    std::fs::write(&path, b"these bytes are no database, however long they are: ".repeat(90))
        .unwrap();
    SqliteStore::open(&path, &identity()).err().unwrap();
    let alien = dir.path().join("alien.sqlite");
    rusqlite::Connection::open(&alien).unwrap().execute_batch("CREATE TABLE t (x)").unwrap();
    SqliteStore::open(&alien, &identity()).err().unwrap();
}
