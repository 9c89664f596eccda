//! What tests and the simulation build messages from.

use crate::core::{
    Admission, Answer, Checkpoint, CheckpointId, Commit, Config, Core, Difference, Findings,
    Granted, Input, JobKind, VerdictReport, WorkerId,
};

pub const RUN: &str = "test-run";
pub const TTL_MS: u64 = 60_000;

pub fn fingerprint() -> String {
    "f1".repeat(32)
}

pub fn config() -> Config {
    Config {
        run: RUN.to_owned(),
        games_per_job: 4,
        lease_ttl_ms: TTL_MS,
        attempts_max: 3,
        generations: 0,
        fingerprint: None,
        admission: Admission::None,
    }
}

/// Training reads verified shards only.
pub fn strict() -> Config {
    Config { admission: Admission::Required, ..config() }
}

pub fn checkpoint(generation: u32) -> Checkpoint {
    Checkpoint {
        id: CheckpointId(format!("{RUN}-s{:06}-{generation:012x}", generation * 100)),
        generation,
        step: u64::from(generation) * 100,
        digest: format!("{generation:064x}"),
        path: format!("checkpoints/c{generation}"),
        fingerprint: fingerprint(),
        promotion: None,
        registered_ms: 0,
    }
}

/// A core with checkpoint 0.
pub fn core(config: Config) -> Core {
    let mut core = Core::new(config, &[], 0);
    core.step(0, Input::Register(checkpoint(0))).answer.unwrap();
    core
}

pub fn worker(name: &str) -> WorkerId {
    WorkerId(name.to_owned())
}

pub fn lease_input(name: &str, request: u64) -> Input {
    Input::Lease { worker: worker(name), request, kind: JobKind::SelfPlay }
}

pub fn verification_input(name: &str, request: u64) -> Input {
    Input::Lease { worker: worker(name), request, kind: JobKind::Verify }
}

/// A verification that must be granted.
pub fn verification(core: &mut Core, now_ms: u64, name: &str, request: u64) -> Granted {
    match core.step(now_ms, verification_input(name, request)).answer {
        Ok(Answer::Leased(granted)) => granted,
        other => panic!("no verification: {other:?}"),
    }
}

/// What an auditor finds in a leased commit.
pub fn verdict(granted: &Granted, differences: u64) -> VerdictReport {
    let shard = granted.verifies.as_deref().expect("a verification");
    let rows = shard.training.rows;
    let first = Difference { check: "row".to_owned(), row: Some(3), column: "now".to_owned() };
    VerdictReport {
        auditor: granted.lease.worker.clone(),
        lease: granted.lease.key,
        shard: shard.training.id.clone(),
        training_digest: shard.training.digest.clone(),
        audit_digest: shard.audit.digest.clone(),
        findings: Findings {
            rows,
            rederived_equal: rows - differences.min(rows),
            worlds: 8,
            worlds_invalid: 0,
            pairs: 2,
            differences,
            first: (differences > 0).then_some(first),
        },
    }
}

/// A lease that must be granted.
pub fn leased(core: &mut Core, now_ms: u64, name: &str, request: u64) -> Granted {
    match core.step(now_ms, lease_input(name, request)).answer {
        Ok(Answer::Leased(granted)) => granted,
        other => panic!("no lease: {other:?}"),
    }
}

pub fn manifest(kind: &str, granted: &Granted, n_games: u64, rows: u64) -> serde_json::Value {
    let key = granted.lease.key;
    serde_json::json!({
        "kind": kind,
        "schema": format!("muster.{kind}.v1"),
        "shard": format!("{}-{}", key.job, key.epoch),
        "key": format!("shards/{}-{}.parquet", key.job, key.epoch),
        "digest": format!("{:064x}", key.epoch * 2 + u64::from(kind == "audit")),
        "bytes": rows * 50,
        "rows": rows,
        "games": n_games,
        "finished_games": n_games,
        "truncated_games": 0,
        "run": RUN,
        "job": key.job.to_string(),
        "attempt": key.attempt,
        "epoch": key.epoch,
        "checkpoint": granted.checkpoint.id.0,
        "fingerprint": fingerprint(),
        "numerics": "none",
        "build": "test",
        "created_ms": 1,
    })
}

/// A commit of the first `n_games` games of a lease.
pub fn commit(granted: &Granted, n_games: usize) -> Commit {
    let n = n_games as u64;
    commit_of(
        granted,
        n_games,
        &manifest("training", granted, n, n * 10),
        &manifest("audit", granted, n, n * 30),
    )
}

pub fn commit_of(
    granted: &Granted,
    n_games: usize,
    training: &serde_json::Value,
    audit: &serde_json::Value,
) -> Commit {
    let (training_manifest, audit_manifest) = (training.to_string(), audit.to_string());
    Commit {
        worker: granted.lease.worker.clone(),
        lease: granted.lease.key,
        games: granted.games[..n_games].to_vec(),
        digest: proto::commit_digest(&training_manifest, &audit_manifest),
        training_manifest,
        audit_manifest,
        objects: Ok(()),
    }
}
