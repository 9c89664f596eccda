//! What a step adds to the record of a run. A store keeps changes; applied in order to an empty state they rebuild it.

use super::checkpoint::Checkpoint;
use super::fault::Reason;
use super::ids::LeaseKey;
use super::job::Job;
use super::lease::{Fate, Lease};
use super::shard::Shard;
use super::verdict::Verdict;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// The run's fingerprint, once and for ever (RV1).
    FixFingerprint(String),
    /// A checkpoint that was not there before.
    PutCheckpoint(Checkpoint),
    /// A new job, or a job's new state.
    PutJob(Job),
    /// A new lease, open.
    OpenLease(Lease),
    CloseLease {
        key: LeaseKey,
        fate: Fate,
    },
    /// An accepted commit.
    PutShard(Shard),
    /// What a verification found.
    PutVerdict(Verdict),
    /// Commits and verdicts refused for this reason.
    CountRefusals {
        reason: Reason,
        n: u64,
    },
}
