//! Everything about a run that outlives the process. It changes by [`Change`]s only, so that the store and the memory
//! cannot come to disagree.

use super::change::Change;
use super::checkpoint::Checkpoint;
use super::fault::Reason;
use super::ids::{JobId, LeaseKey, ShardId};
use super::job::{Job, JobState};
use super::lease::{Fate, Lease};
use super::ledger::Ledger;
use super::shard::{Shard, Totals};
use super::verdict::Verdict;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct State {
    pub fingerprint: Option<String>,
    pub checkpoints: BTreeMap<u32, Checkpoint>,
    pub jobs: BTreeMap<JobId, Job>,
    /// Jobs in state ready.
    pub ready: BTreeSet<JobId>,
    /// Open leases, by job (LS1).
    pub leases: BTreeMap<JobId, Lease>,
    /// Accepted commits by sequence number.
    pub shards: BTreeMap<u64, Shard>,
    /// Sequence numbers by training shard id and by lease.
    pub shard_ids: BTreeMap<ShardId, u64>,
    pub commits: BTreeMap<LeaseKey, u64>,
    /// Verdicts by the sequence number they are about, and the sequence numbers without one.
    pub verdicts: BTreeMap<u64, Verdict>,
    pub unverified: BTreeSet<u64>,
    /// The newest verification of a sequence number.
    pub verifications: BTreeMap<u64, JobId>,
    /// Every commit up to this sequence number had a good verdict before the first bad one came.
    pub verified_through: u64,
    /// The sequence number of the first bad verdict.
    pub first_failure: Option<u64>,
    pub lease_ledger: Ledger,
    pub game_ledger: Ledger,
    pub totals: Totals,
    pub refusals: BTreeMap<Reason, u64>,
    /// The highest numbers given out so far; 0 before the first.
    pub last_epoch: u64,
    /// Games are numbered from 0: this is the next number.
    pub next_game: u64,
}

impl State {
    /// The state after these changes.
    pub fn from_changes(changes: &[Change]) -> State {
        let mut state = State::default();
        changes.iter().for_each(|change| state.apply(change));
        state
    }

    pub fn apply(&mut self, change: &Change) {
        match change {
            Change::FixFingerprint(text) => self.fingerprint = Some(text.clone()),
            Change::PutCheckpoint(checkpoint) => {
                self.checkpoints.insert(checkpoint.generation, checkpoint.clone());
            }
            Change::PutJob(job) => self.put_job(job),
            Change::OpenLease(lease) => self.open_lease(lease),
            Change::CloseLease { key, fate } => self.close_lease(*key, *fate),
            Change::PutShard(shard) => self.put_shard(shard),
            Change::PutVerdict(verdict) => self.put_verdict(verdict),
            Change::CountRefusals { reason, n } => *self.refusals.entry(*reason).or_default() += n,
        }
    }

    /// The newest checkpoint that may be played with.
    pub fn promoted(&self) -> Option<&Checkpoint> {
        self.checkpoints.values().rev().find(|checkpoint| checkpoint.promotion.is_some())
    }

    /// The newest accepted sequence number; 0 before the first.
    pub fn sequence(&self) -> u64 {
        self.shards.last_key_value().map_or(0, |(sequence, _)| *sequence)
    }

    /// The id that the next new job takes.
    pub fn next_job(&self) -> JobId {
        JobId(self.jobs.last_key_value().map_or(0, |(id, _)| id.0) + 1)
    }

    pub fn refused(&self) -> u64 {
        self.refusals.values().sum()
    }

    fn put_job(&mut self, job: &Job) {
        if job.state == JobState::Ready {
            self.ready.insert(job.id);
        } else {
            self.ready.remove(&job.id);
        }
        if let Some(last) = job.games.last() {
            self.next_game = self.next_game.max(last + 1);
        }
        if let Some(sequence) = job.verifies {
            let newest = self.verifications.entry(sequence).or_insert(job.id);
            *newest = job.id.max(*newest);
        }
        self.jobs.insert(job.id, job.clone());
    }

    fn open_lease(&mut self, lease: &Lease) {
        self.lease_ledger.issued += 1;
        self.game_ledger.issued += lease.n_games;
        self.last_epoch = self.last_epoch.max(lease.key.epoch);
        self.leases.insert(lease.key.job, lease.clone());
    }

    fn close_lease(&mut self, key: LeaseKey, fate: Fate) {
        let Some(lease) = self.leases.remove(&key.job) else {
            debug_assert!(false, "closing a lease that is not open: {key}");
            return;
        };
        match fate {
            Fate::Accepted { n_games } => {
                self.lease_ledger.accepted += 1;
                self.game_ledger.accepted += n_games;
                self.game_ledger.expired += lease.n_games.saturating_sub(n_games);
            }
            Fate::Rejected => {
                self.lease_ledger.rejected += 1;
                self.game_ledger.rejected += lease.n_games;
            }
            Fate::Expired => {
                self.lease_ledger.expired += 1;
                self.game_ledger.expired += lease.n_games;
            }
        }
    }

    fn put_shard(&mut self, shard: &Shard) {
        let mut kept = shard.clone();
        kept.training.manifest = String::new();
        kept.audit.manifest = String::new();
        self.totals.add(&kept);
        self.shard_ids.insert(kept.training.id.clone(), kept.sequence);
        self.commits.insert(kept.lease, kept.sequence);
        self.unverified.insert(kept.sequence);
        self.shards.insert(kept.sequence, kept);
    }

    fn put_verdict(&mut self, verdict: &Verdict) {
        self.unverified.remove(&verdict.sequence);
        self.verdicts.insert(verdict.sequence, verdict.clone());
        if !verdict.is_good() {
            self.first_failure.get_or_insert(verdict.sequence);
        }
        while self.first_failure.is_none()
            && self.verdicts.contains_key(&(self.verified_through + 1))
        {
            self.verified_through += 1;
        }
    }
}
