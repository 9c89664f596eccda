//! A run folder, a coordinator on it, and a client that plays the part of a worker.

use coordinator::server::Server;
use coordinator::stop::{Phase, Stop};
use proto::v1::{self, lease_response::Answer};
use proto::{Client, WireError};
use run::{CheckpointId, RunConfig, RunFacts, RunFolder};
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

pub const CONFIG: &str = "
[run]
seed = 7
[network]
kind = \"mlp\"
hidden = 8
[search]
sims = 4
[selfplay]
games_per_job = 3
[coordinator]
lease_ttl_s = 30
";

pub fn fingerprint() -> String {
    blake3::hash(b"rules of the test").to_hex().to_string()
}

/// A run folder of its own.
pub struct Run {
    pub dir: TempDir,
    pub folder: RunFolder,
}

impl Run {
    pub fn create() -> Run {
        Run::with_config(CONFIG)
    }

    pub fn with_config(config: &str) -> Run {
        let dir = tempfile::tempdir().unwrap();
        let config = RunConfig::parse(config, "test", &[]).unwrap().validate("test").unwrap();
        let facts = RunFacts {
            fingerprint: fingerprint(),
            fingerprint_text: "rules of the test".to_owned(),
            build: "test".to_owned(),
            numerics: String::new(),
        };
        let folder = RunFolder::create(&dir.path().join("r"), &config, &facts).unwrap();
        Run { dir, folder }
    }

    pub fn root(&self) -> &Path {
        self.folder.root()
    }

    /// Puts a checkpoint's weights in place.
    pub fn checkpoint(&self, generation: u32) -> v1::Checkpoint {
        let weights = format!("weights of generation {generation}");
        let digest = blake3::hash(weights.as_bytes()).to_hex().to_string();
        let step = u64::from(generation) * 10;
        let id = CheckpointId::new("r", step, &digest).unwrap();
        let dir = self.folder.checkpoint_dir(&id);
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::write(dir.join("weights.safetensors"), weights).unwrap();
        v1::Checkpoint {
            path: format!("checkpoints/{id}"),
            id: id.to_string(),
            generation,
            step,
            digest,
            fingerprint: fingerprint(),
            ..v1::Checkpoint::default()
        }
    }

    pub async fn start(&self) -> Running {
        let server = Server::open(&self.folder, "127.0.0.1:0", false).await.unwrap();
        let server = server.with_grace(Duration::from_secs(5));
        let (address, stop) = (server.address().unwrap().to_string(), server.stop());
        let channel = proto::endpoint(&address).unwrap().connect_lazy();
        let task = tokio::spawn(server.serve());
        Running { client: proto::client(channel), address, stop, task }
    }
}

/// A coordinator at work.
pub struct Running {
    pub client: Client,
    pub address: String,
    pub stop: Stop,
    pub task: tokio::task::JoinHandle<anyhow::Result<()>>,
}

impl Running {
    /// Ends the coordinator without waiting for leases.
    pub async fn end(self) {
        self.stop.advance(Phase::Ending);
        self.task.await.unwrap().unwrap();
    }

    pub async fn register(&mut self, checkpoint: &v1::Checkpoint) -> Result<bool, WireError> {
        let request = v1::RegisterCheckpointRequest { checkpoint: Some(checkpoint.clone()) };
        Ok(self.client.register_checkpoint(request).await?.into_inner().repeated)
    }

    pub async fn answer(&mut self, worker: &str, request: u64, wait_ms: u32) -> Answer {
        let lease = v1::LeaseRequest { worker: worker.to_owned(), request, wait_ms, kind: 0 };
        self.client.lease(lease).await.unwrap().into_inner().answer.unwrap()
    }

    pub async fn job(&mut self, worker: &str, request: u64) -> v1::Job {
        match self.answer(worker, request, 5_000).await {
            Answer::Job(job) => job,
            other => panic!("no job: {other:?}"),
        }
    }

    pub async fn commit(&mut self, commit: &v1::CommitRequest) -> Result<(u64, bool), WireError> {
        let response = self.client.commit(commit.clone()).await?.into_inner();
        Ok((response.sequence, response.repeated))
    }

    pub async fn status(&mut self) -> v1::StatusResponse {
        self.client.status(v1::StatusRequest {}).await.unwrap().into_inner()
    }
}

pub fn lease_of(job: &v1::Job) -> v1::LeaseKey {
    v1::LeaseKey { job: job.job, attempt: job.attempt, epoch: job.epoch }
}

/// A shard's manifest, with the fields that the record crate writes.
#[derive(Clone, Debug)]
pub struct Manifest {
    pub key: String,
    pub json: String,
}

fn manifest(kind: &str, job: &v1::Job, rows: u64, bytes: &[u8]) -> Manifest {
    let shard = format!("{}-{}", job.job, job.epoch);
    let key = format!("shards/{shard}.parquet");
    let json = serde_json::json!({
        "kind": kind,
        "schema": "test",
        "shard": shard,
        "key": key,
        "digest": blake3::hash(bytes).to_hex().as_str(),
        "bytes": bytes.len(),
        "rows": rows,
        "games": job.games.len(),
        "finished_games": job.games.len(),
        "truncated_games": 0,
        "run": job.run,
        "job": job.job.to_string(),
        "attempt": job.attempt,
        "epoch": job.epoch,
        "checkpoint": job.checkpoint.as_ref().unwrap().id,
        "fingerprint": job.fingerprint,
        "numerics": "none",
        "build": "test",
        "created_ms": 1,
    });
    Manifest { key, json: json.to_string() }
}

pub fn commit_request(
    worker: &str,
    job: &v1::Job,
    training: &Manifest,
    audit: &Manifest,
) -> v1::CommitRequest {
    v1::CommitRequest {
        worker: worker.to_owned(),
        lease: Some(lease_of(job)),
        games: job.games.clone(),
        digest: proto::commit_digest(&training.json, &audit.json),
        training_manifest: training.json.clone(),
        audit_manifest: audit.json.clone(),
    }
}

/// Lines of a list of accepted shards.
pub fn lines(path: &Path) -> Vec<String> {
    std::fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect()
}

/// Both manifests of a job's games, with no file behind them.
pub fn manifests(job: &v1::Job) -> (Manifest, Manifest) {
    let training = manifest("training", job, 30, &training_bytes(job));
    let audit = manifest("audit", job, 90, &audit_bytes(job));
    (training, audit)
}

pub fn training_bytes(job: &v1::Job) -> Vec<u8> {
    format!("training rows of job {}", job.job).into_bytes()
}

pub fn audit_bytes(job: &v1::Job) -> Vec<u8> {
    format!("audit rows of job {}", job.job).into_bytes()
}

/// Plays a job: both files in the run's stores, and the commit that names them.
pub fn play(run: &Run, worker: &str, job: &v1::Job) -> v1::CommitRequest {
    let (training, audit) = manifests(job);
    for (dir, manifest, bytes) in [
        (run.folder.training_dir(), &training, training_bytes(job)),
        (run.folder.audit_dir(), &audit, audit_bytes(job)),
    ] {
        let path = dir.join(&manifest.key);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    commit_request(worker, job, &training, &audit)
}
