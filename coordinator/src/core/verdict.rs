//! What an auditor found in one accepted commit. The coordinator knows no rules: it keeps counts and places.

use super::ids::{LeaseKey, ShardId, WorkerId};

/// Which accepted shards training may read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Admission {
    /// All of them.
    None,
    /// Those before the first one without a good verdict.
    Required,
}

impl Admission {
    pub const fn name(self) -> &'static str {
        match self {
            Admission::None => "none",
            Admission::Required => "required",
        }
    }
}

/// Where something is wrong, never what: the truth is not for the coordinator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    pub check: String,
    /// Row of the training shard, from 0.
    pub row: Option<u64>,
    /// Empty where it is about no one column.
    pub column: String,
}

/// The longest name of a check or a column.
const NAME_BYTES_MAX: usize = 32;

impl Difference {
    /// Whether its names are names: no text could hide in them.
    pub fn is_well_formed(&self) -> bool {
        let is_name = |text: &str, joint: u8| {
            text.len() <= NAME_BYTES_MAX
                && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == joint)
        };
        !self.check.is_empty() && is_name(&self.check, b'-') && is_name(&self.column, b'_')
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Findings {
    /// Stored training rows compared, and those that are equal in every column.
    pub rows: u64,
    pub rederived_equal: u64,
    pub worlds: u64,
    pub worlds_invalid: u64,
    pub pairs: u64,
    /// Everything that is wrong.
    pub differences: u64,
    pub first: Option<Difference>,
}

/// What an auditor says about the shards of its lease.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerdictReport {
    pub auditor: WorkerId,
    pub lease: LeaseKey,
    /// The training shard.
    pub shard: ShardId,
    pub training_digest: String,
    pub audit_digest: String,
    pub findings: Findings,
}

/// A recorded verdict: one for each accepted commit, for ever.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// Place in the order of verdicts, from 1, without gaps.
    pub number: u64,
    /// The commit's place in the run's order.
    pub sequence: u64,
    pub report: VerdictReport,
    pub recorded_ms: u64,
}

impl Verdict {
    pub fn is_good(&self) -> bool {
        self.report.findings.differences == 0
    }
}
