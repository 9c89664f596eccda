//! Lease, renew, commit, release, register, across restarts of the coordinator.

use crate::support::{Run, lease_of, lines, play};
use proto::Code;
use proto::v1::{self, lease_response::Answer};

#[tokio::test]
async fn a_job_is_leased_renewed_and_committed() {
    let run = Run::create();
    let mut running = run.start().await;
    assert!(matches!(running.answer("w", 1, 0).await, Answer::Nothing(_)));
    let description =
        running.client.describe_run(v1::DescribeRunRequest {}).await.unwrap().into_inner();
    assert_eq!((description.run.as_str(), description.checkpoint), ("r", None));
    assert!(description.config_toml.contains("games_per_job = 3"));

    assert!(!running.register(&run.checkpoint(0)).await.unwrap());
    let job = running.job("w", 1).await;
    assert_eq!((job.games.as_slice(), job.run_seed), ([0, 1, 2].as_slice(), 7));
    assert_eq!(job.deal_secret, run.folder.deal_secret().unwrap());
    assert!(job.search_toml.contains("sims = 4"), "{}", job.search_toml);

    let renew = v1::RenewRequest {
        worker: "w".to_owned(),
        lease: Some(lease_of(&job)),
        progress: 12,
        games_done: 1,
    };
    let renewed = running.client.renew(renew).await.unwrap().into_inner();
    assert!(renewed.lease_ttl_ms > 29_000 && !renewed.drain);

    let commit = play(&run, "w", &job);
    assert_eq!(running.commit(&commit).await, Ok((1, false)));
    let status = running.status().await;
    assert_eq!((status.rows, status.games, status.shards, status.audit_rows), (30, 3, 1, 90));
    assert_eq!((status.leases, status.rejected, status.generation()), (0, 0, Some(0)));
    assert_eq!(lines(&run.folder.accepted_path()), [commit.training_manifest]);
    let audit = lines(&run.folder.audit_dir().join("accepted.jsonl"));
    assert_eq!(audit, [commit.audit_manifest]);
    running.end().await;
}

/// The answer to a commit is lost and the coordinator dies: the same commit again is answered like the first, by the
/// next coordinator, too.
#[tokio::test]
async fn a_commit_whose_answer_was_lost_is_repeated_not_doubled() {
    let run = Run::create();
    let mut running = run.start().await;
    running.register(&run.checkpoint(0)).await.unwrap();
    let job = running.job("w", 1).await;
    let commit = play(&run, "w", &job);
    // The caller hangs up at once; the commit may or may not be applied.
    let mut hasty = running.client.clone();
    let hurried = commit.clone();
    let call = tokio::spawn(async move { hasty.commit(hurried).await });
    tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    call.abort();
    running.end().await;

    let mut running = run.start().await;
    let (sequence, _) = running.commit(&commit).await.unwrap();
    assert_eq!(sequence, 1);
    assert_eq!(running.commit(&commit).await, Ok((1, true)));
    assert_eq!(running.status().await.games, 3);
    assert_eq!(lines(&run.folder.accepted_path()).len(), 1);
    running.end().await;
}

#[tokio::test]
async fn a_lease_survives_a_restart_and_a_released_job_is_leased_again() {
    let run = Run::create();
    let mut running = run.start().await;
    running.register(&run.checkpoint(0)).await.unwrap();
    let (kept, released) = (running.job("w", 1).await, running.job("w", 2).await);
    running.end().await;

    let mut running = run.start().await;
    let again = running.job("w", 1).await;
    assert_eq!(v1::Job { lease_ttl_ms: kept.lease_ttl_ms, ..again }, kept);
    let release = v1::ReleaseRequest {
        worker: "w".to_owned(),
        lease: Some(lease_of(&released)),
        why: "drain".to_owned(),
        failed: false,
    };
    running.client.release(release).await.unwrap();
    let again = running.job("x", 1).await;
    assert_eq!((again.job, again.attempt, &again.games), (released.job, 2, &released.games));
    assert!(again.epoch > released.epoch);
    let late = running.commit(&play(&run, "w", &released)).await.unwrap_err();
    assert_eq!(late.code, Code::LeaseLost);
    running.commit(&play(&run, "w", &kept)).await.unwrap();
    running.end().await;
}

/// A worker that waits gets its job as soon as there is a checkpoint.
#[tokio::test]
async fn a_waiting_lease_is_answered_by_the_first_checkpoint() {
    let run = Run::create();
    let mut running = run.start().await;
    let mut other = running.client.clone();
    let waiting = tokio::spawn(async move {
        let lease =
            v1::LeaseRequest { worker: "w".to_owned(), request: 1, wait_ms: 30_000, kind: 0 };
        other.lease(lease).await.unwrap().into_inner().answer.unwrap()
    });
    tokio::task::yield_now().await;
    running.register(&run.checkpoint(0)).await.unwrap();
    assert!(matches!(waiting.await.unwrap(), Answer::Job(_)));
    running.end().await;
}

#[tokio::test]
async fn a_checkpoint_must_be_in_the_store_and_never_changes() {
    let run = Run::create();
    let mut running = run.start().await;
    let first = run.checkpoint(0);
    let weights = run.root().join(&first.path).join("weights.safetensors");
    let whole = std::fs::read(&weights).unwrap();
    std::fs::write(&weights, b"torn").unwrap();
    let error = running.register(&first).await.unwrap_err();
    assert_eq!(error.code, Code::FailedPrecondition, "{error}");
    std::fs::remove_file(&weights).unwrap();
    running.register(&first).await.unwrap_err();
    std::fs::write(&weights, whole).unwrap();
    assert!(!running.register(&first).await.unwrap());
    assert!(running.register(&first).await.unwrap());

    let foreign = v1::Checkpoint { fingerprint: "00".repeat(32), ..run.checkpoint(1) };
    let error = running.register(&foreign).await.unwrap_err();
    assert_eq!(error.code, Code::SchemaMismatch, "{error}");
    running.register(&run.checkpoint(1)).await.unwrap();
    assert_eq!(running.job("w", 1).await.checkpoint.unwrap().generation, 1);
    running.end().await;
}

trait Generation {
    fn generation(&self) -> Option<u32>;
}

impl Generation for v1::StatusResponse {
    fn generation(&self) -> Option<u32> {
        self.checkpoint.as_ref().map(|checkpoint| checkpoint.generation)
    }
}
