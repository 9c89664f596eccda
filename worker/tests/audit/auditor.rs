//! Proves, with a real coordinator and the auditor's own process: verified shards enter the window and others do not; a
//! shard with one altered row, digests made right, gets a bad verdict and stops the run; an auditor that is killed at any
//! moment loses nothing; what a verdict tells shows nothing of the truth.

use crate::fixture::{self, rules};
use coordinator::server::Server;
use coordinator::stop::{Phase, Stop};
use game::Fingerprinted;
use net::checkpoint::Checkpoint;
use proto::v1::{self, lease_response::Answer};
use record::TrainingRow;
use run::RunFolder;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use worker::selfplay::job::JobOrder;

const STRICT: &str = "games_per_job = 2\n[audit]\nadmission = \"required\"\npairs = 4\n\
                      worlds = 8\n[coordinator]\nlease_ttl_s = 3\n";
const PATIENCE: Duration = Duration::from_secs(120);

/// A run with a coordinator in this process and a worker that this test is.
struct Cluster {
    _dir: tempfile::TempDir,
    folder: RunFolder,
    checkpoint: Checkpoint,
    client: proto::Client,
    stop: Stop,
    serving: tokio::task::JoinHandle<anyhow::Result<()>>,
    n_leases: u64,
}

impl Cluster {
    async fn start() -> Cluster {
        let dir = tempfile::tempdir().unwrap();
        let (folder, numerics) = fixture::create(&dir.path().join("r"), STRICT);
        let checkpoint = fixture::make_checkpoint(&folder, &numerics);
        let server = Server::open(&folder, "127.0.0.1:0", false).await.unwrap();
        let (address, stop) = (server.address().unwrap().to_string(), server.stop());
        let serving = tokio::spawn(server.serve());
        let mut client = proto::client(proto::endpoint(&address).unwrap().connect_lazy());
        let header = &checkpoint.header;
        let message = v1::Checkpoint {
            id: header.id.clone(),
            digest: header.weights_digest.clone(),
            path: format!("checkpoints/{}", header.id),
            fingerprint: header.fingerprint.clone(),
            ..v1::Checkpoint::default()
        };
        let request = v1::RegisterCheckpointRequest { checkpoint: Some(message) };
        client.register_checkpoint(request).await.unwrap();
        Cluster { _dir: dir, folder, checkpoint, client, stop, serving, n_leases: 0 }
    }

    async fn lease(&mut self) -> Answer {
        self.n_leases += 1;
        let (worker, request) = ("w".to_owned(), self.n_leases);
        let lease = v1::LeaseRequest { worker, request, ..v1::LeaseRequest::default() };
        self.client.lease(lease).await.unwrap().into_inner().answer.unwrap()
    }

    /// Plays a job and hands it in, after `spoil` had its way with the training rows. Gives the shard's id.
    async fn play(&mut self, spoil: impl FnOnce(&mut Vec<TrainingRow>)) -> String {
        net::use_one_thread();
        let Answer::Job(job) = self.lease().await else { panic!("no job") };
        let order = JobOrder::read(job, rules().fingerprint(), 1.5).unwrap();
        let numerics = self.checkpoint.header.facts.numerics.clone();
        let context = fixture::context(&self.folder, &numerics);
        let games = fixture::play(&self.checkpoint, &order);
        let mut result = context.write(&rules(), &order, games).unwrap();
        let (training, audit) = (self.folder.training_dir(), self.folder.audit_dir());
        let place = |root: PathBuf, key: &str| {
            let path = root.join(key);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            path
        };
        let key = result.training.manifest.key.clone();
        let (path, manifest) = (&result.training.path, &result.training.manifest);
        result.training = fixture::rewritten(&context.spool, path, manifest, &key, spoil);
        std::fs::copy(&result.training.path, place(training, &key)).unwrap();
        std::fs::copy(&result.audit.path, place(audit, &result.audit.manifest.key)).unwrap();
        self.client.commit(result.commit_request("w")).await.unwrap();
        result.training.manifest.shard.clone()
    }

    async fn audit(&mut self) -> v1::AuditStatus {
        let status = self.client.status(v1::StatusRequest {}).await.unwrap().into_inner();
        status.audit.unwrap()
    }

    async fn wait_for(&mut self, what: &str, holds: impl Fn(&v1::AuditStatus) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let audit = self.audit().await;
            if holds(&audit) {
                return;
            }
            assert!(Instant::now() < deadline, "no {what}: {audit:?}; {}", self.log());
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    fn log_path(&self) -> PathBuf {
        self.folder.logs_dir().join("auditor.log")
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.log_path()).unwrap_or_default()
    }

    fn n_listed(&self) -> usize {
        std::fs::read_to_string(self.folder.accepted_path()).unwrap().lines().count()
    }

    fn auditor(&self) -> Auditor {
        let log = std::fs::File::options().create(true).append(true).open(self.log_path());
        let child = Command::new(env!("CARGO_BIN_EXE_muster-worker"))
            .args(["auditor", "--run"])
            .arg(self.folder.root())
            .stderr(log.unwrap())
            .stdout(Stdio::null())
            .spawn();
        Auditor(child.unwrap())
    }

    async fn end(self) {
        self.stop.advance(Phase::Ending);
        self.serving.await.unwrap().unwrap();
    }
}

struct Auditor(Child);

impl Auditor {
    /// Asks it to end; it must, by itself and well.
    fn stop(mut self) {
        let pid = self.0.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.0.try_wait().unwrap() {
                assert!(status.success(), "{status}");
                return;
            }
            assert!(Instant::now() < deadline, "the auditor does not end");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Auditor {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_leaky_shard_stops_the_run() {
    let mut cluster = Cluster::start().await;
    cluster.play(|_| {}).await;
    let leaky = cluster.play(|rows| rows[7].now[40] ^= 1).await;
    cluster.play(|_| {}).await;
    assert_eq!((cluster.audit().await.waiting, cluster.n_listed()), (3, 0), "all of them wait");
    let auditor = cluster.auditor();
    cluster.wait_for("three verdicts", |audit| audit.verified + audit.failed == 3).await;
    let audit = cluster.audit().await;
    assert_eq!((audit.verified, audit.failed, audit.window), (2, 1, 1), "{audit:?}");
    assert_eq!(cluster.n_listed(), 1, "the window does not grow over a difference");
    let failure = audit.first_failure.unwrap();
    assert_eq!((&failure.shard, failure.sequence, failure.differences), (&leaky, 2, 1));
    let first = failure.first.unwrap();
    assert_eq!((first.check.as_str(), first.row, first.column.as_str()), ("row", Some(7), "now"));
    let Answer::Nothing(nothing) = cluster.lease().await else { panic!("it grows") };
    assert!(nothing.why.contains(&leaky), "{}", nothing.why);
    auditor.stop();
    // What differs is kept for auditors, and stands in no log.
    let report = cluster.folder.audit_dir().join("verdicts").join(format!("{leaky}.json"));
    let report = std::fs::read_to_string(report).unwrap();
    assert!(report.contains("the truth gives byte"), "{report}");
    let log = cluster.log();
    assert!(log.contains("verification failed") && !log.contains("the truth gives"), "{log}");
    // Whoever audits the run later is told, although the shard lies outside the window.
    let root = cluster.folder.root().to_path_buf();
    let verified = tokio::task::spawn_blocking(move || fixture::verify(&root, 4)).await.unwrap();
    assert_eq!(verified.status.code(), Some(3), "{}", fixture::stderr(&verified));
    let report = fixture::json(&verified);
    assert_eq!(report["differences"], 1, "{report}");
    let finding = &report["findings"][0];
    assert_eq!(
        (&finding["check"], &finding["shard"]),
        (&"verdict".into(), &leaky.into()),
        "{report}"
    );
    cluster.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_auditor_loses_nothing() {
    let mut cluster = Cluster::start().await;
    for _ in 0..3 {
        cluster.play(|_| {}).await;
    }
    for pause_ms in [60, 150, 400] {
        let auditor = cluster.auditor();
        tokio::time::sleep(Duration::from_millis(pause_ms)).await;
        drop(auditor);
    }
    let auditor = cluster.auditor();
    cluster.wait_for("three good verdicts", |audit| audit.window == 3).await;
    // Those that were killed may have given all three. The fourth is the last one's own, which is at work then and
    // ends well when it is asked.
    cluster.play(|_| {}).await;
    cluster.wait_for("four good verdicts", |audit| audit.window == 4).await;
    let audit = cluster.audit().await;
    assert_eq!((audit.verified, audit.waiting, audit.failed), (4, 0, 0), "{audit:?}");
    assert_eq!(cluster.n_listed(), 4);
    auditor.stop();
    // With another token nothing is verified, and the process says so.
    let token = cluster.folder.root().join("wrong.token");
    std::fs::write(&token, "0".repeat(64)).unwrap();
    let root = cluster.folder.root().to_str().unwrap().to_owned();
    let token = token.to_str().unwrap().to_owned();
    let refused = tokio::task::spawn_blocking(move || {
        fixture::worker(&["auditor", "--run", &root, "--token", &token])
    });
    let output = refused.await.unwrap();
    assert_eq!(output.status.code(), Some(1));
    let text = fixture::stderr(&output);
    assert!(text.contains("audit/auditor.token"), "{text}");
    cluster.end().await;
}
