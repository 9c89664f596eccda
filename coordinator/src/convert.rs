//! Between messages and the core's types. What comes from outside is checked for form here and nowhere trusted.

use crate::core::{
    AuditState, Checkpoint, CheckpointId, Difference, Findings, JobId, JobKind, LeaseKey, Ledger,
    RoleReport, ShardId, Status, VerdictReport, WorkerId,
};
use proto::limits::ID_BYTES_MAX;
use proto::{Code, WireError, v1};

pub fn worker_id(text: String) -> Result<WorkerId, WireError> {
    if text.is_empty() || text.len() > ID_BYTES_MAX || text.chars().any(char::is_control) {
        let text = format!("a worker's id has 1 to {ID_BYTES_MAX} plain characters");
        return Err(WireError::about(Code::FailedPrecondition, "worker", text));
    }
    Ok(WorkerId(text))
}

pub fn lease_key(key: Option<v1::LeaseKey>) -> Result<LeaseKey, WireError> {
    let absent = || WireError::about(Code::FailedPrecondition, "lease", "the lease is missing");
    let v1::LeaseKey { job, attempt, epoch } = key.ok_or_else(absent)?;
    Ok(LeaseKey { job: JobId(job), attempt, epoch })
}

pub fn job_kind(kind: i32) -> Result<JobKind, WireError> {
    match v1::JobKind::try_from(kind) {
        Ok(v1::JobKind::Unspecified | v1::JobKind::SelfPlay) => Ok(JobKind::SelfPlay),
        Ok(v1::JobKind::Verify) => Ok(JobKind::Verify),
        Err(_) => {
            let text = format!("there are no jobs of kind {kind}");
            Err(WireError::about(Code::FailedPrecondition, "kind", text))
        }
    }
}

/// A verdict; its form is judged by the core, which counts what it refuses.
pub fn verdict(message: v1::VerdictRequest) -> Result<VerdictReport, WireError> {
    let first = message.first.map(|first| Difference {
        check: first.check,
        row: first.row,
        column: first.column,
    });
    Ok(VerdictReport {
        auditor: worker_id(message.auditor)?,
        lease: lease_key(message.lease)?,
        shard: ShardId(message.shard),
        training_digest: message.training_digest,
        audit_digest: message.audit_digest,
        findings: Findings {
            rows: message.rows,
            rederived_equal: message.rederived_equal,
            worlds: message.worlds,
            worlds_invalid: message.worlds_invalid,
            pairs: message.pairs,
            differences: message.differences,
            first,
        },
    })
}

pub fn checkpoint(message: Option<v1::Checkpoint>) -> Result<Checkpoint, WireError> {
    let absent = || WireError::about(Code::FailedPrecondition, "checkpoint", "it is missing");
    let message = message.ok_or_else(absent)?;
    Ok(Checkpoint {
        id: CheckpointId(message.id),
        generation: message.generation,
        step: message.step,
        digest: message.digest,
        path: message.path,
        fingerprint: message.fingerprint,
        promotion: None,
        registered_ms: 0,
    })
}

pub fn checkpoint_message(checkpoint: Checkpoint) -> v1::Checkpoint {
    v1::Checkpoint {
        id: checkpoint.id.0,
        generation: checkpoint.generation,
        step: checkpoint.step,
        digest: checkpoint.digest,
        path: checkpoint.path,
        fingerprint: checkpoint.fingerprint,
        promoted: checkpoint.promotion.is_some(),
        decision: checkpoint.promotion.unwrap_or_default(),
    }
}

/// A role's report; it is shown to people, so texts are cut and numbers finite.
pub fn report(message: Option<v1::RoleReport>) -> Result<RoleReport, WireError> {
    let absent = || WireError::about(Code::FailedPrecondition, "report", "it is missing");
    let message = message.ok_or_else(absent)?;
    let finite = |value: f64| if value.is_finite() { value } else { 0.0 };
    Ok(RoleReport {
        role: shown(&message.role),
        id: shown(&message.id),
        doing: shown(&message.doing),
        rate: finite(message.rate),
        rate_unit: shown(&message.rate_unit),
        games: message.games,
        queue: message.queue,
        loss: finite(message.loss),
        step: message.step,
        generation: message.generation,
        next: shown(&message.next),
        confinement: shown(&message.confinement),
    })
}

/// At most [`ID_BYTES_MAX`] characters, none of which moves a cursor.
fn shown(text: &str) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().map(plain).take(ID_BYTES_MAX).collect()
}

pub fn status_message(run: String, status: Status) -> v1::StatusResponse {
    let open_games = status.game_ledger.open().unwrap_or_default();
    v1::StatusResponse {
        run,
        roles: status.roles.into_iter().map(role_message).collect(),
        games_per_hour: status.games_per_hour,
        rows: status.totals.training_rows,
        checkpoint: status.checkpoint.map(checkpoint_message),
        weight_age_s: seconds(status.weight_age_ms),
        leases: status.open_leases,
        rejected: status.refusals.values().sum(),
        shards: status.totals.shards,
        games: status.totals.games,
        parked: status.parked.len() as u64,
        lease_ledger: Some(ledger_message(status.lease_ledger, status.open_leases)),
        game_ledger: Some(ledger_message(status.game_ledger, open_games)),
        draining: status.draining,
        sequence: status.sequence,
        training_bytes: status.totals.training_bytes,
        audit_bytes: status.totals.audit_bytes,
        audit_rows: status.totals.audit_rows,
        audit: Some(audit_message(status.audit)),
    }
}

fn audit_message(audit: AuditState) -> v1::AuditStatus {
    let failure = audit.first_failure.map(|(sequence, shard, differences, first)| {
        let first =
            first.map(|it| v1::Difference { check: it.check, row: it.row, column: it.column });
        v1::FirstFailure { sequence, shard: shard.0, differences, first }
    });
    v1::AuditStatus {
        admission: audit.admission.name().to_owned(),
        verified: audit.verified,
        waiting: audit.waiting,
        failed: audit.failed,
        parked: audit.parked,
        window: audit.window,
        first_failure: failure,
    }
}

fn role_message((report, age_ms): (RoleReport, u64)) -> v1::RoleStatus {
    let report = v1::RoleReport {
        role: report.role,
        id: report.id,
        doing: report.doing,
        rate: report.rate,
        rate_unit: report.rate_unit,
        games: report.games,
        queue: report.queue,
        loss: report.loss,
        step: report.step,
        generation: report.generation,
        next: report.next,
        confinement: report.confinement,
    };
    v1::RoleStatus { report: Some(report), age_s: seconds(age_ms) }
}

fn ledger_message(ledger: Ledger, open: u64) -> v1::Ledger {
    let Ledger { issued, accepted, rejected, expired } = ledger;
    v1::Ledger { issued, accepted, rejected, expired, open }
}

fn seconds(ms: u64) -> f64 {
    ms as f64 / 1_000.0
}
