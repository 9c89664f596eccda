//! Clients that send nonsense: they are refused, it is counted where a lease was at stake, and the run goes on.

use crate::support::{Run, Running, commit_request, manifests, play};
use proto::limits::{ERROR_TEXT_BYTES_MAX, MESSAGE_BYTES_MAX};
use proto::{Code, v1};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

async fn goes_on(run: &Run, running: &mut Running, request: u64) {
    let job = running.job("honest", request).await;
    running.commit(&play(run, "honest", &job)).await.unwrap();
}

#[tokio::test]
async fn shards_that_are_absent_or_other_than_announced_are_refused() {
    let run = Run::create();
    let mut running = run.start().await;
    running.register(&run.checkpoint(0)).await.unwrap();
    // No file at all.
    let job = running.job("liar", 1).await;
    let (training, audit) = manifests(&job);
    let error = running.commit(&commit_request("liar", &job, &training, &audit)).await.unwrap_err();
    assert_eq!((error.code, error.subject.as_str()), (Code::FailedPrecondition, "object"));
    assert!(error.text.contains(&training.key), "{error}");
    // A file of the right size with one bit flipped.
    let job = running.job("liar", 2).await;
    let commit = play(&run, "liar", &job);
    let path = run.folder.audit_dir().join(&manifests(&job).1.key);
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[3] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let error = running.commit(&commit).await.unwrap_err();
    assert!(error.subject == "object" && error.text.contains("audit"), "{error}");
    goes_on(&run, &mut running, 1).await;
    let status = running.status().await;
    assert_eq!((status.rejected, status.shards), (2, 1));
    let ledger = status.lease_ledger.unwrap();
    assert_eq!((ledger.issued, ledger.accepted, ledger.rejected, ledger.open), (3, 1, 2, 0));
    running.end().await;
}

#[tokio::test]
async fn requests_without_sense_are_refused() {
    let run = Run::create();
    let mut running = run.start().await;
    running.register(&run.checkpoint(0)).await.unwrap();
    let mut client = running.client.clone();
    let empty = v1::LeaseRequest::default();
    assert!(client.lease(empty).await.is_err());
    assert!(client.renew(v1::RenewRequest::default()).await.is_err());
    assert!(client.commit(v1::CommitRequest::default()).await.is_err());
    assert!(client.release(v1::ReleaseRequest::default()).await.is_err());
    assert!(client.report(v1::ReportRequest::default()).await.is_err());
    assert!(client.register_checkpoint(v1::RegisterCheckpointRequest::default()).await.is_err());
    let path = v1::Checkpoint { path: "../../../etc".to_owned(), ..run.checkpoint(1) };
    assert!(running.register(&path).await.is_err());
    let unknown = v1::RenewRequest {
        worker: "w".to_owned(),
        lease: Some(v1::LeaseKey { job: u64::MAX, attempt: u32::MAX, epoch: u64::MAX }),
        ..v1::RenewRequest::default()
    };
    let error = proto::WireError::from(client.renew(unknown).await.unwrap_err());
    assert_eq!(error.code, Code::NotFound);
    // Another's lease cannot be ended, whatever is said.
    let job = running.job("honest", 1).await;
    let stolen = v1::CommitRequest { worker: "thief".to_owned(), ..play(&run, "honest", &job) };
    assert_eq!(running.commit(&stolen).await.unwrap_err().code, Code::LeaseLost);
    running.commit(&play(&run, "honest", &job)).await.unwrap();
    assert_eq!(running.status().await.rejected, 0);
    running.end().await;
}

/// Texts far beyond any header, in both directions: the error comes back, cut, and the connection lives.
#[tokio::test]
async fn a_long_text_does_not_stall_the_stream() {
    let run = Run::create();
    let mut running = run.start().await;
    running.register(&run.checkpoint(0)).await.unwrap();
    let job = running.job("liar", 1).await;
    let mut commit = play(&run, "liar", &job);
    commit.digest = "x".repeat(64 << 10);
    let error = running.commit(&commit).await.unwrap_err();
    assert_eq!(error.subject, "commit-digest");
    assert!(error.text.len() <= ERROR_TEXT_BYTES_MAX && error.text.ends_with('…'), "{error}");
    let mut report = v1::RoleReport { role: "worker".to_owned(), ..v1::RoleReport::default() };
    report.doing = "\u{1b}[2J".repeat(20_000);
    report.rate = f64::NAN;
    running.client.report(v1::ReportRequest { report: Some(report) }).await.unwrap();
    let shown = running.status().await.roles.remove(0).report.unwrap();
    assert!(shown.doing.len() < 200 && !shown.doing.contains('\u{1b}') && shown.rate == 0.0);
    goes_on(&run, &mut running, 1).await;
    running.end().await;
}

#[tokio::test]
async fn a_message_beyond_the_limit_is_refused_and_one_below_is_not() {
    let run = Run::create();
    let mut running = run.start().await;
    let mut client = v1::coordinator_client::CoordinatorClient::new(
        proto::endpoint(&running.address).unwrap().connect_lazy(),
    );
    for (bytes, is_read) in [(5 << 20, true), (MESSAGE_BYTES_MAX + 1, false)] {
        let commit = v1::CommitRequest {
            worker: "w".to_owned(),
            lease: Some(v1::LeaseKey { job: 1, attempt: 1, epoch: 1 }),
            training_manifest: "x".repeat(bytes),
            ..v1::CommitRequest::default()
        };
        let error = proto::WireError::from(client.commit(commit).await.unwrap_err());
        assert_eq!(error.code == Code::NotFound, is_read, "{bytes} bytes: {error:?}");
    }
    running.register(&run.checkpoint(0)).await.unwrap();
    running.end().await;
}

/// Bytes that are no HTTP/2, half a preface, and a peer that says nothing.
#[tokio::test]
async fn stray_bytes_end_nothing() {
    let run = Run::create();
    let mut running = run.start().await;
    running.register(&run.checkpoint(0)).await.unwrap();
    let _silent = TcpStream::connect(&running.address).await.unwrap();
    let half = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\xff\xff\xff\x04\x00".as_slice();
    for bytes in [b"GET / HTTP/1.1\r\n\r\n".as_slice(), &[0xff; 4096], half] {
        let mut stream = TcpStream::connect(&running.address).await.unwrap();
        // The peer may hang up while this is written.
        let _ = stream.write_all(bytes).await;
        let _ = stream.shutdown().await;
        let _ = stream.read_to_end(&mut Vec::new()).await;
    }
    goes_on(&run, &mut running, 1).await;
    running.end().await;
}
