//! The coordinator's decisions: a pure function of time and input. No clock, no network, no random numbers and ordered
//! maps only, so that a simulation replays bit for bit.
//!
//! [`Core::step`] takes one [`Input`] and gives [`Effects`]: changes to store in one transaction, and the answer to send
//! once they are stored. A process that dies between the two comes back with the old state and has promised nothing.
//!
//! What is forgotten on purpose when the process ends: the terms of open leases (each starts anew with a full term, so
//! that an absence of the coordinator costs no work), progress counts, reports, and whether the run drains.

mod change;
mod checkpoint;
mod commit;
mod fault;
mod ids;
mod input;
pub mod invariant;
mod job;
mod lease;
mod leasing;
mod ledger;
mod manifest;
mod registry;
mod shard;
mod state;
mod status;
mod verdict;
mod verifying;

pub use change::Change;
pub use checkpoint::Checkpoint;
pub use fault::{Fault, Reason};
pub use ids::{CheckpointId, JobId, LeaseKey, ShardId, WorkerId};
pub use input::{Answer, AuditState, Commit, Effects, Granted, Input, RoleReport, Status};
pub use job::{Job, JobKind, JobState};
pub use lease::{Fate, Lease};
pub use ledger::Ledger;
pub use manifest::{Manifest, is_digest, is_name, is_relative_path};
pub use shard::{Part, Shard, Totals};
pub use state::State;
pub use verdict::{Admission, Difference, Findings, Verdict, VerdictReport};

use lease::Term;
use leasing::Strikes;
use proto::WireError;
use status::Role;
use std::collections::{BTreeMap, VecDeque};

/// What of a run's configuration the decisions depend on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// The run's id.
    pub run: String,
    /// Games of a new job, 1 to [`proto::limits::JOB_GAMES_MAX`].
    pub games_per_job: u32,
    /// How long a lease lives without progress.
    pub lease_ttl_ms: u64,
    /// Failed attempts after which a job is parked.
    pub attempts_max: u32,
    /// The generation whose checkpoint ends the run; 0 for no end.
    pub generations: u32,
    /// The fingerprint that the run was created with, where its creator knew it.
    pub fingerprint: Option<String>,
    /// What training may read.
    pub admission: Admission,
}

type Decision = Result<Answer, WireError>;

pub struct Core {
    config: Config,
    state: State,
    /// The latest time seen, in milliseconds; it never runs back.
    now_ms: u64,
    terms: BTreeMap<JobId, Term>,
    strikes: BTreeMap<WorkerId, Strikes>,
    roles: BTreeMap<(String, String), Role>,
    /// When this process began.
    started_ms: u64,
    /// Times and games of recent commits, since then.
    recent: VecDeque<(u64, u64)>,
    /// Why the run drains, if it does.
    draining: Option<String>,
    /// The first job that this process could make: verifications parked before it are tried once more.
    first_job: JobId,
    /// Changes of the step under way.
    changes: Vec<Change>,
}

impl Core {
    /// A core that goes on from what a store holds.
    pub fn new(config: Config, stored: &[Change], now_ms: u64) -> Core {
        let state = State::from_changes(stored);
        let mut core = Core {
            now_ms,
            terms: BTreeMap::new(),
            strikes: BTreeMap::new(),
            roles: BTreeMap::new(),
            recent: VecDeque::new(),
            started_ms: now_ms,
            draining: None,
            first_job: state.next_job(),
            changes: Vec::new(),
            config,
            state,
        };
        let jobs: Vec<JobId> = core.state.leases.keys().copied().collect();
        jobs.into_iter().for_each(|job| core.begin_term(job));
        core
    }

    pub fn state(&self) -> &State {
        &self.state
    }

    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Takes one input at a time in milliseconds; a time before the last one counts as the last one.
    pub fn step(&mut self, now_ms: u64, input: Input) -> Effects {
        self.now_ms = self.now_ms.max(now_ms);
        self.expire_leases();
        self.cancel_needless_jobs();
        let answer = match input {
            Input::Tick => Ok(Answer::Done),
            Input::Lease { worker, request, kind } => self.lease(worker, request, kind),
            Input::Renew { worker, lease, progress, games_done } => {
                self.renew(&worker, lease, progress, games_done)
            }
            Input::Commit(commit) => self.commit(commit),
            Input::Verdict(report) => self.verdict(report),
            Input::Release { worker, lease, failed } => self.release(&worker, lease, failed),
            Input::Register(checkpoint) => self.register(checkpoint),
            Input::Report(report) => Ok(self.report(report)),
            Input::Status => Ok(Answer::Status(Box::new(self.status()))),
            Input::Drain { why } => {
                self.draining.get_or_insert(why);
                let leases = self.state.leases.len() as u64;
                Ok(Answer::Draining { leases, untold: self.untold_roles() })
            }
        };
        Effects { changes: std::mem::take(&mut self.changes), answer }
    }

    /// Applies a change and remembers it for the store.
    fn record(&mut self, change: Change) {
        self.state.apply(&change);
        self.changes.push(change);
    }

    /// Why no job of this kind will be leased any more, if so.
    fn ending(&self, kind: JobKind) -> Option<String> {
        if let Some(why) = &self.draining {
            return Some(why.clone());
        }
        if kind == JobKind::Verify {
            if self.config.admission == Admission::None {
                return Some("audit.admission is \"none\": nothing is to be verified".to_owned());
            }
            if self.is_verifying() || !self.state.leases.is_empty() {
                return None;
            }
        }
        let generation = self.state.promoted()?.generation;
        let limit = self.config.generations;
        (limit != 0 && generation >= limit)
            .then(|| format!("checkpoint of generation {generation} ends the run"))
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod verdict_tests;
