//! The service as tonic sees it: form is checked, files are looked up, the keeper decides.

use crate::caller::Credentials;
use crate::convert;
use crate::core::{Answer, Commit, Granted, Input, JobKind, WorkerId};
use crate::keeper::Keeper;
use crate::objects::Objects;
use crate::stop::{Phase, Stop};
use crate::upload;
use proto::limits::{JOB_GAMES_MAX, LEASE_WAIT_MAX};
use proto::v1::lease_response::Answer as LeaseAnswer;
use proto::{Code, WireError, v1};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;
use tokio_stream::{Stream, StreamExt as _, wrappers::ReceiverStream};
use tonic::{Request, Response, Status, Streaming};

/// What every lease and description carries beside the core's own numbers.
pub struct RunInfo {
    pub run: String,
    /// Absolute path of the run folder.
    pub root: String,
    pub config_toml: String,
    pub run_seed: u64,
    /// Goes into leases and nowhere else.
    pub deal_secret: [u8; 32],
    /// The fingerprint that the run was created with; empty if its creator did not know it.
    pub fingerprint: String,
    pub game: String,
    pub game_toml: String,
    pub search_toml: String,
    pub selfplay_toml: String,
    /// Of one verification: decisions with a second truth, and decisions whose worlds are sampled again.
    pub audit_pairs: u32,
    pub audit_worlds: u32,
}

#[derive(Clone)]
pub struct Service {
    pub keeper: Keeper,
    pub info: Arc<RunInfo>,
    pub credentials: Credentials,
    pub objects: Objects,
    pub stop: Stop,
}

/// A waiting `Lease` looks again at least this often: a job may become ready by time alone.
const LOOK_AGAIN: Duration = Duration::from_millis(500);
/// Manifests sent by one look at the store.
const PAGE: usize = 256;
/// Items a stream may be ahead of a slow reader.
const STREAM_BUFFER: usize = 64;

type Reply<T> = Result<Response<T>, Status>;
type BoxStream<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

impl Service {
    async fn lease_now(
        &self,
        worker: &WorkerId,
        request: u64,
        kind: JobKind,
    ) -> Result<LeaseAnswer, WireError> {
        let input = Input::Lease { worker: worker.clone(), request, kind };
        match self.keeper.step(input).await? {
            Answer::Leased(granted) if granted.verifies.is_some() => {
                Ok(LeaseAnswer::Job(self.verification_message(granted).await?))
            }
            Answer::Leased(granted) => Ok(LeaseAnswer::Job(self.job_message(granted))),
            Answer::Nothing { retry_ms, why } => {
                Ok(LeaseAnswer::Nothing(v1::Nothing { retry_ms, why }))
            }
            Answer::Drain { why } => Ok(LeaseAnswer::Drain(v1::Drain { why })),
            other => Err(unexpected(&other)),
        }
    }

    /// A verification: no games, no secret, and the manifests of what is to be verified.
    async fn verification_message(&self, granted: Granted) -> Result<v1::Job, WireError> {
        let sequence = granted.verifies.as_ref().map_or(0, |shard| shard.sequence);
        let manifests = self.keeper.shard(sequence).await?.ok_or_else(|| {
            WireError::about(Code::Internal, sequence, "an accepted shard has no manifests")
        })?;
        Ok(v1::Job {
            kind: v1::JobKind::Verify as i32,
            deal_secret: Vec::new(),
            verification: Some(v1::Verification {
                sequence,
                training_manifest: manifests.training,
                audit_manifest: manifests.audit,
                pairs: self.info.audit_pairs,
                worlds: self.info.audit_worlds,
            }),
            ..self.job_message(granted)
        })
    }

    fn job_message(&self, granted: Granted) -> v1::Job {
        let Granted { lease, games, checkpoint, ttl_ms, .. } = granted;
        v1::Job {
            job: lease.key.job.0,
            attempt: lease.key.attempt,
            epoch: lease.key.epoch,
            lease_ttl_ms: ttl_ms,
            kind: v1::JobKind::SelfPlay as i32,
            games,
            run: self.info.run.clone(),
            run_seed: self.info.run_seed,
            deal_secret: self.info.deal_secret.to_vec(),
            fingerprint: checkpoint.fingerprint.clone(),
            checkpoint: Some(convert::checkpoint_message(checkpoint)),
            game: self.info.game.clone(),
            game_toml: self.info.game_toml.clone(),
            search_toml: self.info.search_toml.clone(),
            selfplay_toml: self.info.selfplay_toml.clone(),
            verification: None,
        }
    }

    async fn status_now(&self) -> Result<crate::core::Status, WireError> {
        match self.keeper.step(Input::Status).await? {
            Answer::Status(status) => Ok(*status),
            other => Err(unexpected(&other)),
        }
    }
}

#[tonic::async_trait]
impl v1::coordinator_server::Coordinator for Service {
    type WatchCheckpointsStream = BoxStream<v1::Checkpoint>;
    type WatchAcceptedStream = BoxStream<v1::AcceptedShard>;

    async fn describe_run(&self, _: Request<v1::DescribeRunRequest>) -> Reply<v1::RunDescription> {
        let checkpoint = self.status_now().await?.checkpoint;
        let fixed = checkpoint.as_ref().map(|it| it.fingerprint.clone());
        Ok(Response::new(v1::RunDescription {
            run: self.info.run.clone(),
            config_toml: self.info.config_toml.clone(),
            root: self.info.root.clone(),
            fingerprint: fixed.unwrap_or_else(|| self.info.fingerprint.clone()),
            checkpoint: checkpoint.map(convert::checkpoint_message),
        }))
    }

    async fn lease(&self, request: Request<v1::LeaseRequest>) -> Reply<v1::LeaseResponse> {
        let kind = convert::job_kind(request.get_ref().kind)?;
        match kind {
            JobKind::Verify => self.credentials.expect_auditor(request.metadata())?,
            JobKind::SelfPlay => self.credentials.expect_no_auditor(request.metadata())?,
        }
        let v1::LeaseRequest { worker, request, wait_ms, .. } = request.into_inner();
        let worker = convert::worker_id(worker)?;
        let wait = Duration::from_millis(wait_ms.into()).min(LEASE_WAIT_MAX);
        let deadline = Instant::now() + wait;
        let mut version = self.keeper.version();
        loop {
            version.mark_unchanged();
            let answer = self.lease_now(&worker, request, kind).await?;
            let is_waiting = matches!(answer, LeaseAnswer::Nothing(_));
            if !is_waiting || Instant::now() >= deadline {
                return Ok(Response::new(v1::LeaseResponse { answer: Some(answer) }));
            }
            let look_again = deadline.min(Instant::now() + LOOK_AGAIN);
            tokio::select! {
                _ = version.changed() => {}
                () = tokio::time::sleep_until(look_again) => {}
                () = self.stop.reached(Phase::Ending) => {
                    let why = "the coordinator is ending".to_owned();
                    let answer = LeaseAnswer::Nothing(v1::Nothing { retry_ms: 1_000, why });
                    return Ok(Response::new(v1::LeaseResponse { answer: Some(answer) }));
                }
            }
        }
    }

    async fn renew(&self, request: Request<v1::RenewRequest>) -> Reply<v1::RenewResponse> {
        let message = request.into_inner();
        let input = Input::Renew {
            worker: convert::worker_id(message.worker)?,
            lease: convert::lease_key(message.lease)?,
            progress: message.progress,
            games_done: message.games_done,
        };
        match self.keeper.step(input).await? {
            Answer::Renewed { ttl_ms, drain } => {
                Ok(Response::new(v1::RenewResponse { lease_ttl_ms: ttl_ms, drain }))
            }
            other => Err(unexpected(&other).into()),
        }
    }

    async fn commit(&self, request: Request<v1::CommitRequest>) -> Reply<v1::CommitResponse> {
        self.credentials.expect_no_auditor(request.metadata())?;
        let message = request.into_inner();
        if message.games.len() > JOB_GAMES_MAX {
            let text = format!("a commit has at most {JOB_GAMES_MAX} games");
            return Err(WireError::about(Code::FailedPrecondition, "games", text).into());
        }
        let objects =
            self.objects.check_commit(&message.training_manifest, &message.audit_manifest).await?;
        let commit = Commit {
            worker: convert::worker_id(message.worker)?,
            lease: convert::lease_key(message.lease)?,
            games: message.games,
            training_manifest: message.training_manifest,
            audit_manifest: message.audit_manifest,
            digest: message.digest,
            objects,
        };
        let (worker, lease) = (commit.worker.clone(), commit.lease);
        match self.keeper.step(Input::Commit(commit)).await {
            Ok(Answer::Committed { sequence, repeated }) => {
                tracing::info!(%worker, job = lease.job.0, sequence, repeated, "commit accepted");
                Ok(Response::new(v1::CommitResponse { sequence, repeated }))
            }
            Ok(other) => Err(unexpected(&other).into()),
            Err(error) => {
                tracing::warn!(%worker, job = lease.job.0, %error, "commit refused");
                Err(error.into())
            }
        }
    }

    async fn report_verdict(
        &self,
        request: Request<v1::VerdictRequest>,
    ) -> Reply<v1::VerdictResponse> {
        self.credentials.expect_auditor(request.metadata())?;
        let report = convert::verdict(request.into_inner())?;
        let (shard, differences) = (report.shard.clone(), report.findings.differences);
        let auditor = report.auditor.clone();
        match self.keeper.step(Input::Verdict(report)).await {
            Ok(Answer::Recorded { number, repeated }) => {
                if differences > 0 {
                    tracing::error!(%shard, differences, "verification failed: the run does not grow");
                } else {
                    tracing::info!(%shard, number, repeated, "shard verified");
                }
                Ok(Response::new(v1::VerdictResponse { number, repeated }))
            }
            Ok(other) => Err(unexpected(&other).into()),
            Err(error) => {
                tracing::warn!(%auditor, %shard, %error, "verdict refused");
                Err(error.into())
            }
        }
    }

    async fn release(&self, request: Request<v1::ReleaseRequest>) -> Reply<v1::ReleaseResponse> {
        let message = request.into_inner();
        let worker = convert::worker_id(message.worker)?;
        let lease = convert::lease_key(message.lease)?;
        if message.failed {
            let why = proto::capped(message.why);
            tracing::warn!(%worker, job = lease.job.0, why, "job failed");
        }
        self.keeper.step(Input::Release { worker, lease, failed: message.failed }).await?;
        Ok(Response::new(v1::ReleaseResponse {}))
    }

    async fn put_shard(
        &self,
        request: Request<Streaming<v1::ShardChunk>>,
    ) -> Reply<v1::PutShardResponse> {
        self.credentials.expect_no_auditor(request.metadata())?;
        let receive = upload::receive(request.into_inner(), &self.keeper, &self.objects);
        tokio::select! {
            received = receive => Ok(Response::new(received?)),
            () = self.stop.reached(Phase::Ending) => {
                Err(WireError::new(Code::Busy, "the coordinator is ending").into())
            }
        }
    }

    async fn register_checkpoint(
        &self,
        request: Request<v1::RegisterCheckpointRequest>,
    ) -> Reply<v1::RegisterCheckpointResponse> {
        self.credentials.expect_no_auditor(request.metadata())?;
        let checkpoint = convert::checkpoint(request.into_inner().checkpoint)?;
        self.objects.check_checkpoint(&checkpoint).await?;
        let id = checkpoint.id.clone();
        match self.keeper.step(Input::Register(checkpoint)).await {
            Ok(Answer::Registered { checkpoint, repeated }) => {
                tracing::info!(checkpoint = %id, repeated, "checkpoint registered");
                Ok(Response::new(v1::RegisterCheckpointResponse {
                    checkpoint: Some(convert::checkpoint_message(checkpoint)),
                    repeated,
                }))
            }
            Ok(other) => Err(unexpected(&other).into()),
            Err(error) => {
                tracing::warn!(checkpoint = %id, %error, "checkpoint refused");
                Err(error.into())
            }
        }
    }

    async fn watch_checkpoints(
        &self,
        request: Request<v1::WatchCheckpointsRequest>,
    ) -> Reply<Self::WatchCheckpointsStream> {
        let mut next = request.into_inner().from_generation;
        let (sender, items) = tokio::sync::mpsc::channel(STREAM_BUFFER);
        let (keeper, stop) = (self.keeper.clone(), self.stop.clone());
        let mut version = keeper.version();
        tokio::spawn(async move {
            loop {
                version.mark_unchanged();
                let Ok(checkpoints) = keeper.checkpoints(next).await else { return };
                for checkpoint in checkpoints {
                    next = checkpoint.generation + 1;
                    let message = convert::checkpoint_message(checkpoint);
                    if !send(&sender, &stop, message).await {
                        return;
                    }
                }
                if !wait_for_more(&mut version, &stop, &sender).await {
                    return;
                }
            }
        });
        Ok(Response::new(Box::pin(ReceiverStream::new(items).map(Ok))))
    }

    async fn watch_accepted(
        &self,
        request: Request<v1::WatchAcceptedRequest>,
    ) -> Reply<Self::WatchAcceptedStream> {
        let mut next = request.into_inner().from_sequence.max(1);
        let (sender, items) = tokio::sync::mpsc::channel(STREAM_BUFFER);
        let (keeper, stop) = (self.keeper.clone(), self.stop.clone());
        let mut version = keeper.version();
        tokio::spawn(async move {
            loop {
                version.mark_unchanged();
                let Ok(manifests) = keeper.window(next, PAGE).await else { return };
                let is_page_full = manifests.len() == PAGE;
                for (sequence, training_manifest) in manifests {
                    next = sequence + 1;
                    let message = v1::AcceptedShard { sequence, training_manifest };
                    if !send(&sender, &stop, message).await {
                        return;
                    }
                }
                if !is_page_full && !wait_for_more(&mut version, &stop, &sender).await {
                    return;
                }
            }
        });
        Ok(Response::new(Box::pin(ReceiverStream::new(items).map(Ok))))
    }

    async fn report(&self, request: Request<v1::ReportRequest>) -> Reply<v1::ReportResponse> {
        let report = convert::report(request.into_inner().report)?;
        match self.keeper.step(Input::Report(report)).await? {
            Answer::Reported { drain, generation } => Ok(Response::new(v1::ReportResponse {
                drain,
                generation: generation.unwrap_or_default(),
                has_checkpoint: generation.is_some(),
            })),
            other => Err(unexpected(&other).into()),
        }
    }

    async fn status(&self, _: Request<v1::StatusRequest>) -> Reply<v1::StatusResponse> {
        let status = self.status_now().await?;
        Ok(Response::new(convert::status_message(self.info.run.clone(), status)))
    }

    async fn shutdown(&self, request: Request<v1::ShutdownRequest>) -> Reply<v1::ShutdownResponse> {
        let v1::ShutdownRequest { why, stop } = request.into_inner();
        let why = proto::capped(why);
        tracing::info!(why, stop, "shutdown asked for");
        match self.keeper.step(Input::Drain { why }).await? {
            Answer::Draining { leases, .. } => {
                if stop {
                    self.stop.advance(Phase::Stopping);
                }
                Ok(Response::new(v1::ShutdownResponse { leases }))
            }
            other => Err(unexpected(&other).into()),
        }
    }
}

/// False once nobody listens any more or the process ends.
async fn send<T>(sender: &tokio::sync::mpsc::Sender<T>, stop: &Stop, item: T) -> bool {
    tokio::select! {
        sent = sender.send(item) => sent.is_ok(),
        () = stop.reached(Phase::Ending) => false,
    }
}

/// False once nobody listens any more or the process ends.
async fn wait_for_more<T>(
    version: &mut tokio::sync::watch::Receiver<u64>,
    stop: &Stop,
    sender: &tokio::sync::mpsc::Sender<T>,
) -> bool {
    tokio::select! {
        changed = version.changed() => changed.is_ok(),
        () = sender.closed() => false,
        () = stop.reached(Phase::Ending) => false,
    }
}

fn unexpected(answer: &Answer) -> WireError {
    tracing::error!(?answer, "the core gave an answer to another question");
    WireError::new(Code::Internal, "the core gave an answer to another question")
}
