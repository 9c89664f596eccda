//! A lease: the right of one worker to do one job, as long as it gets on with it.

use super::ids::{CheckpointId, LeaseKey, WorkerId};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lease {
    pub key: LeaseKey,
    pub worker: WorkerId,
    /// The worker's number for the request that this lease answered.
    pub request: u64,
    /// The weights to play with.
    pub checkpoint: CheckpointId,
    /// Games of the job.
    pub n_games: u64,
    pub granted_ms: u64,
}

/// How a lease ended. Each has exactly one end (LS5).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// A commit with this many games was accepted.
    Accepted { n_games: u64 },
    /// A commit was refused for its content.
    Rejected,
    /// It ran out, or was given back.
    Expired,
}

/// What is known of an open lease while the process lives; a restart begins it anew with a full term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Term {
    pub deadline_ms: u64,
    /// Highest progress count seen.
    pub progress: u64,
    pub games_done: u32,
}
