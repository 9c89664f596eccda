//! Leases: granting, prolonging, giving back, running out.

use super::ids::{JobId, LeaseKey, WorkerId};
use super::job::{Job, JobKind, JobState};
use super::lease::{Fate, Lease, Term};
use super::{Answer, Change, Core, Decision, Granted};
use proto::{Code, WireError};

/// How long to wait after a job's first failed attempt; doubled by each further one.
const BACKOFF_MS: u64 = 1_000;
const BACKOFF_MS_MAX: u64 = 60_000;
/// Refused commits in a row after which a worker gets no lease for a while.
const STRIKES_MAX: u32 = 3;
const STRIKES_PAUSE_MS: u64 = 60_000;
/// When to ask again if there is nothing to do.
const RETRY_MS: u32 = 1_000;

/// Refused commits of one worker since its last accepted one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Strikes {
    n: u32,
    last_ms: u64,
}

impl Core {
    pub(super) fn lease(&mut self, worker: WorkerId, request: u64, kind: JobKind) -> Decision {
        if let Some(lease) = self.open_lease_of(&worker, request, kind) {
            return self.granted(lease.clone());
        }
        if let Some(why) = self.ending(kind) {
            return Ok(Answer::Drain { why });
        }
        if kind == JobKind::SelfPlay
            && let Some(why) = self.stopped()
        {
            return Ok(Answer::Nothing { retry_ms: RETRY_MS, why });
        }
        let Some(checkpoint) = self.state.promoted() else {
            let why = "no checkpoint is registered yet".to_owned();
            return Ok(Answer::Nothing { retry_ms: RETRY_MS, why });
        };
        let checkpoint = checkpoint.id.clone();
        if let Some(retry_ms) = self.pause_left_ms(&worker) {
            let why = format!("the last {STRIKES_MAX} commits of this worker were refused");
            return Ok(Answer::Nothing { retry_ms, why });
        }
        let ready = self.next_ready_job(kind);
        let new = || match kind {
            JobKind::SelfPlay => Some(self.new_job()),
            JobKind::Verify => self.new_verification(),
        };
        let Some(mut job) = ready.or_else(new) else {
            let why = "every accepted shard is verified or being verified".to_owned();
            return Ok(Answer::Nothing { retry_ms: RETRY_MS, why });
        };
        // A verification's searches are repeated with the weights that the games were played with.
        let verified = job.verifies.and_then(|it| self.state.shards.get(&it));
        let checkpoint = verified.map_or(checkpoint, |shard| shard.checkpoint.clone());
        job.state = JobState::Leased;
        job.attempts += 1;
        let key = LeaseKey { job: job.id, attempt: job.attempts, epoch: self.state.last_epoch + 1 };
        let n_games = job.games.len() as u64;
        let granted_ms = self.now_ms;
        let lease = Lease { key, worker, request, checkpoint, n_games, granted_ms };
        self.record(Change::PutJob(job));
        self.record(Change::OpenLease(lease.clone()));
        self.begin_term(key.job);
        self.granted(lease)
    }

    pub(super) fn renew(
        &mut self,
        worker: &WorkerId,
        key: LeaseKey,
        progress: u64,
        games_done: u32,
    ) -> Decision {
        self.held(worker, key)?;
        let kind = self.state.jobs.get(&key.job).map_or(JobKind::SelfPlay, Job::kind);
        let drain = self.ending(kind).is_some();
        let (now_ms, ttl_ms) = (self.now_ms, self.config.lease_ttl_ms);
        let term = self.terms.entry(key.job).or_insert(Term {
            deadline_ms: now_ms + ttl_ms,
            progress: 0,
            games_done: 0,
        });
        if progress > term.progress {
            *term = Term { deadline_ms: now_ms + ttl_ms, progress, games_done };
        }
        Ok(Answer::Renewed { ttl_ms: term.deadline_ms.saturating_sub(now_ms), drain })
    }

    pub(super) fn release(&mut self, worker: &WorkerId, key: LeaseKey, failed: bool) -> Decision {
        self.held(worker, key)?;
        self.close(key, Fate::Expired);
        self.hand_back(key.job, failed);
        Ok(Answer::Done)
    }

    /// Ends every lease whose term is over.
    pub(super) fn expire_leases(&mut self) {
        let now_ms = self.now_ms;
        let over: Vec<JobId> = self
            .terms
            .iter()
            .filter(|(_, term)| term.deadline_ms <= now_ms)
            .map(|(job, _)| *job)
            .collect();
        for job in over {
            if let Some(lease) = self.state.leases.get(&job) {
                self.close(lease.key, Fate::Expired);
                self.hand_back(job, true);
            }
        }
    }

    /// At the end of a run, or once it may not grow, nobody needs the games that wait. A drain keeps them for the next
    /// start.
    pub(super) fn cancel_needless_jobs(&mut self) {
        if self.draining.is_some() || self.state.ready.is_empty() {
            return;
        }
        if self.ending(JobKind::SelfPlay).is_none() && self.stopped().is_none() {
            return;
        }
        let is_needless = |id: &&JobId| {
            self.state.jobs.get(*id).is_some_and(|job| job.kind() == JobKind::SelfPlay)
        };
        let waiting: Vec<JobId> = self.state.ready.iter().filter(is_needless).copied().collect();
        waiting.into_iter().for_each(|job| self.set_state(job, JobState::Cancelled));
    }

    /// The lease, if it is open and this worker's.
    pub(super) fn held(&self, worker: &WorkerId, key: LeaseKey) -> Result<&Lease, WireError> {
        let Some(lease) = self.state.leases.get(&key.job) else {
            let (code, what) = if self.state.jobs.contains_key(&key.job) {
                (Code::LeaseLost, "ran out, was given back or was committed")
            } else {
                (Code::NotFound, "was never granted")
            };
            return Err(WireError::about(code, key, format!("lease of {key} {what}")));
        };
        if lease.key != key || lease.worker != *worker {
            let text = format!("lease of {key} is not current: the job was leased again");
            return Err(WireError::about(Code::LeaseLost, key, text));
        }
        Ok(lease)
    }

    pub(super) fn close(&mut self, key: LeaseKey, fate: Fate) {
        self.terms.remove(&key.job);
        self.record(Change::CloseLease { key, fate });
    }

    /// Puts a job back to be leased again, or parks it.
    pub(super) fn hand_back(&mut self, id: JobId, failed: bool) {
        let Some(mut job) = self.state.jobs.get(&id).cloned() else { return };
        job.state = JobState::Ready;
        job.ready_at_ms = self.now_ms;
        if failed {
            job.failures += 1;
            let doublings = (job.failures - 1).min(16);
            job.ready_at_ms = self.now_ms + (BACKOFF_MS << doublings).min(BACKOFF_MS_MAX);
            if job.failures >= self.config.attempts_max {
                job.state = JobState::Parked;
            }
        }
        self.record(Change::PutJob(job));
    }

    pub(super) fn set_state(&mut self, id: JobId, state: JobState) {
        if let Some(job) = self.state.jobs.get(&id) {
            let job = Job { state, ..job.clone() };
            self.record(Change::PutJob(job));
        }
    }

    pub(super) fn begin_term(&mut self, job: JobId) {
        let deadline_ms = self.now_ms + self.config.lease_ttl_ms;
        self.terms.insert(job, Term { deadline_ms, progress: 0, games_done: 0 });
    }

    pub(super) fn strike(&mut self, worker: &WorkerId) {
        let now_ms = self.now_ms;
        self.strikes.retain(|_, strikes| now_ms < strikes.last_ms + STRIKES_PAUSE_MS);
        let strikes = self.strikes.entry(worker.clone()).or_default();
        *strikes = Strikes { n: strikes.n + 1, last_ms: now_ms };
    }

    pub(super) fn forgive(&mut self, worker: &WorkerId) {
        self.strikes.remove(worker);
    }

    fn pause_left_ms(&self, worker: &WorkerId) -> Option<u32> {
        let strikes = self.strikes.get(worker).filter(|strikes| strikes.n >= STRIKES_MAX)?;
        let left = (strikes.last_ms + STRIKES_PAUSE_MS).saturating_sub(self.now_ms);
        u32::try_from(left).ok().filter(|left| *left > 0)
    }

    fn open_lease_of(&self, worker: &WorkerId, request: u64, kind: JobKind) -> Option<&Lease> {
        let is_of_kind =
            |job: JobId| self.state.jobs.get(&job).is_some_and(|job| job.kind() == kind);
        let mut leases = self.state.leases.values();
        leases.find(|it| it.request == request && it.worker == *worker && is_of_kind(it.key.job))
    }

    fn next_ready_job(&self, kind: JobKind) -> Option<Job> {
        // A time further off than any backoff was written under another clock.
        let is_due = |job: &&Job| {
            job.ready_at_ms <= self.now_ms || job.ready_at_ms > self.now_ms + BACKOFF_MS_MAX
        };
        let mut waiting = self.state.ready.iter().filter_map(|id| self.state.jobs.get(id));
        waiting.find(|job| job.kind() == kind && is_due(job)).cloned()
    }

    fn new_job(&self) -> Job {
        let first = self.state.next_game;
        Job {
            id: self.state.next_job(),
            games: (first..first + u64::from(self.config.games_per_job)).collect(),
            verifies: None,
            state: JobState::Ready,
            attempts: 0,
            failures: 0,
            ready_at_ms: self.now_ms,
        }
    }

    fn granted(&self, lease: Lease) -> Decision {
        let job = self.state.jobs.get(&lease.key.job);
        let checkpoint = self.state.checkpoints.values().find(|it| it.id == lease.checkpoint);
        let (Some(job), Some(checkpoint)) = (job, checkpoint) else {
            let text = format!("lease of {} has no job or no checkpoint", lease.key);
            return Err(WireError::about(Code::Internal, lease.key, text));
        };
        let deadline_ms = self.terms.get(&lease.key.job).map_or(self.now_ms, |it| it.deadline_ms);
        let verifies = job.verifies.and_then(|it| self.state.shards.get(&it)).cloned();
        Ok(Answer::Leased(Granted {
            games: job.games.clone(),
            verifies: verifies.map(Box::new),
            checkpoint: checkpoint.clone(),
            ttl_ms: deadline_ms.saturating_sub(self.now_ms),
            lease,
        }))
    }
}
