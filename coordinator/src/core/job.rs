//! A job: some games that somebody shall play, or an accepted commit that somebody shall verify.

use super::ids::JobId;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JobKind {
    SelfPlay,
    Verify,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JobState {
    /// Waits for a worker.
    Ready,
    /// A lease on it is open.
    Leased,
    /// Its games, or the part of them that had ended, are accepted; or its verdict is recorded.
    Committed,
    /// It failed too often and waits for a person.
    Parked,
    /// Nobody needs its games any more: the run has reached its last generation, or may not grow.
    Cancelled,
}

impl JobState {
    pub const ALL: [JobState; 5] = [
        JobState::Ready,
        JobState::Leased,
        JobState::Committed,
        JobState::Parked,
        JobState::Cancelled,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            JobState::Ready => "ready",
            JobState::Leased => "leased",
            JobState::Committed => "committed",
            JobState::Parked => "parked",
            JobState::Cancelled => "cancelled",
        }
    }

    /// No further lease will be granted on it.
    pub const fn is_final(self) -> bool {
        matches!(self, JobState::Committed | JobState::Parked | JobState::Cancelled)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Job {
    pub id: JobId,
    /// Numbers of its games, ascending. A job that was committed in part keeps all of them; those left out are in a
    /// later job.
    pub games: Vec<u64>,
    /// The sequence number of the commit to be verified; such a job has no games.
    pub verifies: Option<u64>,
    pub state: JobState,
    /// Leases granted on it so far.
    pub attempts: u32,
    /// Attempts that ran out, were refused or were given up; a drain is no failure.
    pub failures: u32,
    /// When it may be leased again after a failure.
    pub ready_at_ms: u64,
}

impl Job {
    pub fn kind(&self) -> JobKind {
        if self.verifies.is_some() { JobKind::Verify } else { JobKind::SelfPlay }
    }
}
