//! Identities. Each is a type of its own, so that none is taken for another.

use std::fmt;

/// A job's number in its run, from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct JobId(pub u64);

/// One start of one worker process.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct WorkerId(pub String);

/// A checkpoint's id, made of run, step and digest; opaque here.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct CheckpointId(pub String);

/// A training shard's id; opaque here.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ShardId(pub String);

/// Names one lease: which job, which try of it, under which fencing number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LeaseKey {
    pub job: JobId,
    /// From 1.
    pub attempt: u32,
    /// Grows with every lease of the run, whatever the job.
    pub epoch: u64,
}

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl fmt::Display for WorkerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for CheckpointId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for ShardId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for LeaseKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "job {} attempt {} epoch {}", self.job, self.attempt, self.epoch)
    }
}
