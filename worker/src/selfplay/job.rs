//! A leased job, as the play threads see it.

use anyhow::{Context, bail};
use game::{DealSecret, Fingerprint, RunSeed};
use proto::v1::{Checkpoint, Job, LeaseKey};
use search::SearchParams;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

/// What a play thread needs of a job.
pub struct JobOrder {
    pub lease: LeaseKey,
    /// The games' numbers, ascending.
    pub games: Vec<u64>,
    pub checkpoint: Checkpoint,
    pub run: String,
    pub run_seed: RunSeed,
    pub secret: DealSecret,
    pub params: SearchParams,
    pub progress: Arc<JobProgress>,
}

/// How far a job has come: written by the play thread, read by the task that renews the lease.
#[derive(Default)]
pub struct JobProgress {
    plies: AtomicU64,
    games_done: AtomicU32,
    is_lost: AtomicBool,
}

impl JobProgress {
    /// `plies` never falls.
    pub fn set(&self, plies: u64, games_done: u32) {
        self.plies.fetch_max(plies, Ordering::Relaxed);
        self.games_done.store(games_done, Ordering::Relaxed);
    }

    pub fn plies(&self) -> u64 {
        self.plies.load(Ordering::Relaxed)
    }

    pub fn games_done(&self) -> u32 {
        self.games_done.load(Ordering::Relaxed)
    }

    /// The lease is gone: what is played for it would not be accepted.
    pub fn lose(&self) {
        self.is_lost.store(true, Ordering::Relaxed);
    }

    pub fn is_lost(&self) -> bool {
        self.is_lost.load(Ordering::Relaxed)
    }
}

impl JobOrder {
    /// Reads a job from the wire. `prior_shaping` is the strength that generation 0 plays with.
    pub fn read(
        job: Job,
        fingerprint: Fingerprint,
        prior_shaping: f64,
    ) -> anyhow::Result<JobOrder> {
        let number = job.job;
        let theirs: Fingerprint = job.fingerprint.parse().context("job fingerprint")?;
        if theirs != fingerprint {
            bail!(
                "job {number} is for fingerprint {theirs}, this worker has {fingerprint}: use the build the run was started with"
            );
        }
        let Ok(secret) = <[u8; 32]>::try_from(job.deal_secret.as_slice()) else {
            bail!("job {number} carries a deal secret of {} bytes, not 32", job.deal_secret.len());
        };
        let Some(checkpoint) = job.checkpoint else { bail!("job {number} names no checkpoint") };
        if job.games.is_empty() || job.games.windows(2).any(|pair| pair[0] >= pair[1]) {
            bail!("job {number} does not name its games in ascending order");
        }
        let mut params: SearchParams = toml::from_str(&job.search_toml)
            .with_context(|| format!("search options of job {number}"))?;
        params.prior_shaping = if checkpoint.generation == 0 { prior_shaping } else { 0.0 };
        params.check().with_context(|| format!("search options of job {number}"))?;
        Ok(JobOrder {
            lease: LeaseKey { job: number, attempt: job.attempt, epoch: job.epoch },
            games: job.games,
            checkpoint,
            run: job.run,
            run_seed: RunSeed(job.run_seed),
            secret: DealSecret(secret),
            params,
            progress: Arc::new(JobProgress::default()),
        })
    }

    /// The name of the shards this attempt writes.
    pub fn shard_id(&self) -> String {
        let LeaseKey { job, attempt, epoch } = self.lease;
        format!("job{job:07}-attempt{attempt}-epoch{epoch}")
    }
}
