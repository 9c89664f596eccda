//! Why a commit or a verdict is refused for its content. Each refusal is counted by reason and ends the lease.

use proto::{Code, WireError};
use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reason {
    /// A manifest does not read.
    Manifest,
    /// The digest over both manifests is not that of the manifests.
    CommitDigest,
    /// A manifest names another lease, kind or run.
    Identity,
    /// Another fingerprint than the run's (RV1).
    Fingerprint,
    /// Another checkpoint than the lease's.
    Checkpoint,
    /// Counts that cannot be true.
    Numbers,
    /// A file is absent from the store, or is not the one the manifest describes.
    Object,
    /// The shard id already stands for another shard (LS3).
    ShardId,
    /// A verdict that cannot be one of the leased shards.
    Verdict,
}

impl Reason {
    pub const ALL: [Reason; 9] = [
        Reason::Manifest,
        Reason::CommitDigest,
        Reason::Identity,
        Reason::Fingerprint,
        Reason::Checkpoint,
        Reason::Numbers,
        Reason::Object,
        Reason::ShardId,
        Reason::Verdict,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Reason::Manifest => "manifest",
            Reason::CommitDigest => "commit-digest",
            Reason::Identity => "identity",
            Reason::Fingerprint => "fingerprint",
            Reason::Checkpoint => "checkpoint",
            Reason::Numbers => "numbers",
            Reason::Object => "object",
            Reason::ShardId => "shard-id",
            Reason::Verdict => "verdict",
        }
    }

    const fn code(self) -> Code {
        match self {
            Reason::Manifest | Reason::Fingerprint => Code::SchemaMismatch,
            Reason::Checkpoint => Code::StaleCheckpoint,
            _ => Code::FailedPrecondition,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    pub reason: Reason,
    pub text: String,
}

impl Fault {
    pub fn new(reason: Reason, text: impl fmt::Display) -> Fault {
        Fault { reason, text: text.to_string() }
    }
}

impl From<Fault> for WireError {
    fn from(fault: Fault) -> WireError {
        let text = format!("commit refused ({}): {}", fault.reason.name(), fault.text);
        WireError::about(fault.reason.code(), fault.reason.name(), text)
    }
}
