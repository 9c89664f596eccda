//! What comes in, and what goes out.

use super::change::Change;
use super::checkpoint::Checkpoint;
use super::fault::{Fault, Reason};
use super::ids::{JobId, LeaseKey, ShardId, WorkerId};
use super::job::JobKind;
use super::lease::Lease;
use super::ledger::Ledger;
use super::shard::{Shard, Totals};
use super::verdict::{Admission, Difference, VerdictReport};
use proto::WireError;
use std::collections::BTreeMap;

#[derive(Clone, PartialEq, Debug)]
pub enum Input {
    /// Time passes.
    Tick,
    Lease {
        worker: WorkerId,
        request: u64,
        kind: JobKind,
    },
    Renew {
        worker: WorkerId,
        lease: LeaseKey,
        progress: u64,
        games_done: u32,
    },
    Commit(Commit),
    Verdict(VerdictReport),
    Release {
        worker: WorkerId,
        lease: LeaseKey,
        failed: bool,
    },
    Register(Checkpoint),
    Report(RoleReport),
    Status,
    Drain {
        why: String,
    },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Commit {
    pub worker: WorkerId,
    pub lease: LeaseKey,
    pub games: Vec<u64>,
    pub training_manifest: String,
    pub audit_manifest: String,
    pub digest: String,
    /// Whether the store holds both files as their manifests describe them: found out before the step, which can ask
    /// nobody.
    pub objects: Result<(), Fault>,
}

/// What a role says of itself, for status.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RoleReport {
    pub role: String,
    pub id: String,
    pub doing: String,
    pub rate: f64,
    pub rate_unit: String,
    pub games: u64,
    pub queue: u64,
    pub loss: f64,
    pub step: u64,
    pub generation: u32,
    pub next: String,
    pub confinement: String,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    Done,
    Leased(Granted),
    Nothing {
        retry_ms: u32,
        why: String,
    },
    Drain {
        why: String,
    },
    Renewed {
        ttl_ms: u64,
        drain: bool,
    },
    Committed {
        sequence: u64,
        repeated: bool,
    },
    Recorded {
        number: u64,
        repeated: bool,
    },
    Registered {
        checkpoint: Checkpoint,
        repeated: bool,
    },
    Reported {
        drain: bool,
        generation: Option<u32>,
    },
    Status(Box<Status>),
    /// Open leases, and roles that have not heard of the end yet.
    Draining {
        leases: u64,
        untold: u64,
    },
}

/// A lease with what it needs to be worked on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Granted {
    pub lease: Lease,
    pub games: Vec<u64>,
    /// The commit that this lease verifies.
    pub verifies: Option<Box<Shard>>,
    pub checkpoint: Checkpoint,
    pub ttl_ms: u64,
}

/// One step's outcome: what to store, and then, when it is stored, what to answer.
#[derive(Clone, PartialEq, Debug)]
#[must_use]
pub struct Effects {
    /// To be stored in one transaction, all or none.
    pub changes: Vec<Change>,
    /// To be sent only after that.
    pub answer: Result<Answer, WireError>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Status {
    /// With the age of each report in milliseconds.
    pub roles: Vec<(RoleReport, u64)>,
    pub games_per_hour: f64,
    pub checkpoint: Option<Checkpoint>,
    pub weight_age_ms: u64,
    pub open_leases: u64,
    pub refusals: BTreeMap<Reason, u64>,
    pub totals: Totals,
    pub parked: Vec<JobId>,
    pub lease_ledger: Ledger,
    pub game_ledger: Ledger,
    pub sequence: u64,
    pub draining: bool,
    pub audit: AuditState,
}

/// How far verification has come, in accepted commits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AuditState {
    pub admission: Admission,
    /// With a good verdict, with none, and with a bad one.
    pub verified: u64,
    pub waiting: u64,
    pub failed: u64,
    /// Of those that wait, the ones whose verification was given up.
    pub parked: u64,
    /// What training may read.
    pub window: u64,
    /// Of the first bad verdict: the commit's sequence number, its training shard, how much is wrong, where first.
    pub first_failure: Option<(u64, ShardId, u64, Option<Difference>)>,
}
