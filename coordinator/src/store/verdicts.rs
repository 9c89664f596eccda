//! The table of verdicts.

use super::sqlite::{signed, unsigned};
use crate::core::{
    Difference, Findings, JobId, LeaseKey, ShardId, Verdict, VerdictReport, WorkerId,
};
use rusqlite::{Connection, Row, Transaction, params};

pub(super) const VERDICTS: &str = include_str!("verdicts.sql");

pub(super) fn write_verdict(to: &Transaction<'_>, it: &Verdict) -> rusqlite::Result<()> {
    let sql = "INSERT INTO verdicts (number, sequence, job, attempt, epoch, auditor, shard, \
               training_digest, audit_digest, n_rows, rederived_equal, worlds, worlds_invalid, \
               pairs, differences, first_check, first_row, first_column, recorded_ms) VALUES \
               (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, \
               ?19)";
    let VerdictReport { auditor, lease, shard, training_digest, audit_digest, findings } =
        &it.report;
    let first = findings.first.as_ref();
    to.prepare_cached(sql)?.execute(params![
        signed(it.number),
        signed(it.sequence),
        signed(lease.job.0),
        lease.attempt,
        signed(lease.epoch),
        auditor.0,
        shard.0,
        training_digest,
        audit_digest,
        signed(findings.rows),
        signed(findings.rederived_equal),
        signed(findings.worlds),
        signed(findings.worlds_invalid),
        signed(findings.pairs),
        signed(findings.differences),
        first.map(|first| &first.check),
        first.and_then(|first| first.row).map(signed),
        first.map(|first| &first.column),
        signed(it.recorded_ms)
    ])?;
    Ok(())
}

/// All verdicts in the order of recording.
pub(super) fn load_verdicts(from: &Connection) -> rusqlite::Result<Vec<Verdict>> {
    let mut statement = from.prepare_cached(
        "SELECT number, sequence, job, attempt, epoch, auditor, shard, training_digest, \
         audit_digest, n_rows, rederived_equal, worlds, worlds_invalid, pairs, differences, \
         first_check, first_row, first_column, recorded_ms FROM verdicts ORDER BY number",
    )?;
    statement.query_map([], read_verdict)?.collect()
}

fn read_verdict(row: &Row<'_>) -> rusqlite::Result<Verdict> {
    let first_row: Option<i64> = row.get(16)?;
    let first = match row.get::<_, Option<String>>(15)? {
        Some(check) => Some(Difference {
            check,
            row: first_row.map(i64::cast_unsigned),
            column: row.get::<_, Option<String>>(17)?.unwrap_or_default(),
        }),
        None => None,
    };
    Ok(Verdict {
        number: unsigned(row, 0)?,
        sequence: unsigned(row, 1)?,
        report: VerdictReport {
            auditor: WorkerId(row.get(5)?),
            lease: LeaseKey {
                job: JobId(unsigned(row, 2)?),
                attempt: row.get(3)?,
                epoch: unsigned(row, 4)?,
            },
            shard: ShardId(row.get(6)?),
            training_digest: row.get(7)?,
            audit_digest: row.get(8)?,
            findings: Findings {
                rows: unsigned(row, 9)?,
                rederived_equal: unsigned(row, 10)?,
                worlds: unsigned(row, 11)?,
                worlds_invalid: unsigned(row, 12)?,
                pairs: unsigned(row, 13)?,
                differences: unsigned(row, 14)?,
                first,
            },
        },
        recorded_ms: unsigned(row, 18)?,
    })
}
