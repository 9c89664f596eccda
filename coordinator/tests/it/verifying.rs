//! Verification over the wire: whose credential may do what, what training is shown when, and what stops a run.

use crate::support::{CONFIG, Run, Running, lease_of, lines, play};
use proto::v1::{self, JobKind, lease_response::Answer};
use proto::{Code, WireError};
use tonic::Request;

fn strict() -> Run {
    Run::with_config(&format!("{CONFIG}[audit]\nadmission = \"required\"\npairs = 3\nworlds = 5\n"))
}

/// A call that shows a token.
fn with_token<T>(message: T, token: &str) -> Request<T> {
    let mut request = Request::new(message);
    request.metadata_mut().insert(proto::AUDITOR_KEY, token.parse().unwrap());
    request
}

fn wanted(kind: JobKind, request: u64) -> v1::LeaseRequest {
    v1::LeaseRequest { worker: "a".to_owned(), request, wait_ms: 0, kind: kind as i32 }
}

async fn verification(running: &mut Running, token: &str, request: u64) -> v1::Job {
    let lease = with_token(wanted(JobKind::Verify, request), token);
    match running.client.lease(lease).await.unwrap().into_inner().answer.unwrap() {
        Answer::Job(job) => job,
        other => panic!("no verification: {other:?}"),
    }
}

fn verdict(job: &v1::Job, differences: u64) -> v1::VerdictRequest {
    let it = job.verification.as_ref().unwrap();
    let field = |text: &str, name: &str| -> String {
        let manifest: serde_json::Value = serde_json::from_str(text).unwrap();
        manifest[name].as_str().unwrap().to_owned()
    };
    let first = v1::Difference { check: "row".to_owned(), row: Some(4), column: "now".to_owned() };
    v1::VerdictRequest {
        auditor: "a".to_owned(),
        lease: Some(lease_of(job)),
        shard: field(&it.training_manifest, "shard"),
        training_digest: field(&it.training_manifest, "digest"),
        audit_digest: field(&it.audit_manifest, "digest"),
        rows: 30,
        rederived_equal: 30 - differences,
        differences,
        first: (differences > 0).then_some(first),
        ..v1::VerdictRequest::default()
    }
}

async fn report(
    running: &mut Running,
    token: &str,
    verdict: v1::VerdictRequest,
) -> Result<v1::VerdictResponse, WireError> {
    Ok(running.client.report_verdict(with_token(verdict, token)).await?.into_inner())
}

#[tokio::test]
async fn training_is_shown_verified_shards_only() {
    let run = strict();
    let token = run.folder.auditor_token().unwrap();
    let mut running = run.start().await;
    running.register(&run.checkpoint(0)).await.unwrap();
    let mut commits = Vec::new();
    for request in 1..=2 {
        let job = running.job("w", request).await;
        commits.push(play(&run, "w", &job));
        running.commit(&commits[request as usize - 1]).await.unwrap();
    }
    assert_eq!(lines(&run.folder.accepted_path()), Vec::<String>::new());
    assert_eq!(lines(&run.folder.audit_dir().join("accepted.jsonl")).len(), 2);
    let watch = v1::WatchAcceptedRequest { from_sequence: 1 };
    let mut watched = running.client.watch_accepted(watch).await.unwrap().into_inner();

    let job = verification(&mut running, &token, 1).await;
    let it = job.verification.clone().unwrap();
    assert_eq!((it.sequence, it.pairs, it.worlds), (1, 3, 5));
    assert_eq!(it.training_manifest, commits[0].training_manifest);
    assert_eq!(it.audit_manifest, commits[0].audit_manifest);
    assert!(job.games.is_empty() && job.deal_secret.is_empty(), "no secret for an auditor");
    let answer = report(&mut running, &token, verdict(&job, 0)).await.unwrap();
    assert_eq!((answer.number, answer.repeated), (1, false));
    let shown = watched.message().await.unwrap().unwrap();
    assert_eq!((shown.sequence, &shown.training_manifest), (1, &commits[0].training_manifest));
    assert_eq!(lines(&run.folder.accepted_path()), [commits[0].training_manifest.clone()]);
    running.end().await;

    // The list is made right again, and the next start still knows what waits.
    std::fs::write(run.folder.accepted_path(), &commits[1].training_manifest).unwrap();
    let mut running = run.start().await;
    assert_eq!(lines(&run.folder.accepted_path()), [commits[0].training_manifest.clone()]);
    let again = report(&mut running, &token, verdict(&job, 0)).await.unwrap();
    assert_eq!((again.number, again.repeated), (1, true));
    let job = verification(&mut running, &token, 2).await;
    assert_eq!(job.verification.as_ref().unwrap().sequence, 2);
    report(&mut running, &token, verdict(&job, 2)).await.unwrap();
    let audit = running.status().await.audit.unwrap();
    assert_eq!((audit.verified, audit.waiting, audit.failed, audit.window), (1, 0, 1, 1));
    let failure = audit.first_failure.unwrap();
    assert_eq!((failure.sequence, failure.differences), (2, 2));
    assert_eq!(failure.first.unwrap().column, "now");
    let Answer::Nothing(nothing) = running.answer("w", 9, 0).await else { panic!("leased") };
    assert!(nothing.why.contains(&failure.shard), "{}", nothing.why);
    assert_eq!(lines(&run.folder.accepted_path()).len(), 1);
    running.end().await;
}

#[tokio::test]
async fn each_credential_does_its_own_and_nothing_else() {
    let run = strict();
    let token = run.folder.auditor_token().unwrap();
    let mut running = run.start().await;
    running.register(&run.checkpoint(0)).await.unwrap();
    let job = running.job("w", 1).await;
    let commit = play(&run, "w", &job);
    let refused = |error: tonic::Status| {
        let error = WireError::from(error);
        assert_eq!(error.code, Code::Unauthenticated, "{error}");
        assert!(!error.text.contains(&token), "a token in {error}");
    };
    let client = &mut running.client;
    // The auditor's token commits, uploads and registers nothing and plays no games.
    refused(client.commit(with_token(commit.clone(), &token)).await.unwrap_err());
    let upload = tokio_stream::empty::<v1::ShardChunk>();
    refused(client.put_shard(with_token(upload, &token)).await.unwrap_err());
    let checkpoint = v1::RegisterCheckpointRequest { checkpoint: Some(run.checkpoint(1)) };
    refused(client.register_checkpoint(with_token(checkpoint, &token)).await.unwrap_err());
    refused(client.lease(with_token(wanted(JobKind::SelfPlay, 1), &token)).await.unwrap_err());
    client.commit(commit).await.unwrap();
    // Who has no token, or another one, verifies nothing.
    refused(client.lease(wanted(JobKind::Verify, 1)).await.unwrap_err());
    let wrong = "0".repeat(64);
    refused(client.lease(with_token(wanted(JobKind::Verify, 1), &wrong)).await.unwrap_err());
    refused(client.lease(with_token(wanted(JobKind::SelfPlay, 1), &wrong)).await.unwrap_err());
    let job = verification(&mut running, &token, 1).await;
    let client = &mut running.client;
    refused(client.report_verdict(verdict(&job, 0)).await.unwrap_err());
    refused(client.report_verdict(with_token(verdict(&job, 0), &wrong)).await.unwrap_err());
    assert_eq!(running.status().await.audit.unwrap().verified, 0);
    report(&mut running, &token, verdict(&job, 0)).await.unwrap();
    running.end().await;
}

#[tokio::test]
async fn a_token_is_private_and_kept() {
    use std::os::unix::fs::PermissionsExt;
    let run = strict();
    let path = run.folder.auditor_token_path();
    run.start().await.end().await;
    let mode = std::fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let token = run.folder.auditor_token().unwrap();
    run.start().await.end().await;
    assert_eq!(run.folder.auditor_token().unwrap(), token);
    assert!(path.starts_with(run.folder.audit_dir()));
}
