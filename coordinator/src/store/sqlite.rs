//! The run's record in one SQLite file that anybody can open and read while the run goes on.

use super::verdicts::{VERDICTS, load_verdicts, write_verdict};
use super::{Identity, Kind, Store, StoreError};
use crate::core::{
    Change, Checkpoint, CheckpointId, Fate, Job, JobId, JobState, Lease, LeaseKey, Part, Reason,
    Shard, ShardId, WorkerId,
};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, TransactionBehavior, params};
use std::path::{Path, PathBuf};

const SCHEMA: &str = include_str!("schema.sql");
/// Grows with every change of the tables.
const SCHEMA_VERSION: &str = "2";
/// From version 1, which knew no verification.
const FROM_1: &str = "ALTER TABLE jobs ADD COLUMN verifies INTEGER;
    UPDATE meta SET value = '2' WHERE key = 'schema';";

pub struct SqliteStore {
    path: PathBuf,
    connection: Connection,
    run: String,
}

impl SqliteStore {
    /// Opens a run's record, or begins it.
    pub fn open(path: &Path, identity: &Identity) -> Result<SqliteStore, StoreError> {
        let wrap = |source| StoreError::Sqlite { path: path.to_owned(), source };
        let mut connection = Connection::open(path).map_err(wrap)?;
        // Full: a commit that was answered is on disk, whatever happens to the machine.
        connection
            .execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;")
            .map_err(wrap)?;
        let transaction =
            connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(wrap)?;
        let is_new = transaction
            .query_row("SELECT count(*) = 0 FROM sqlite_schema", [], |row| row.get::<_, bool>(0))
            .map_err(wrap)?;
        let run = if is_new {
            begin(&transaction, identity).map_err(wrap)?;
            identity.run.clone()
        } else {
            recognize(&transaction, path, identity)?
        };
        transaction.commit().map_err(wrap)?;
        Ok(SqliteStore { path: path.to_owned(), connection, run })
    }

    /// The run's id.
    pub fn run(&self) -> &str {
        &self.run
    }

    fn wrap(&self, source: rusqlite::Error) -> StoreError {
        StoreError::Sqlite { path: self.path.clone(), source }
    }

    fn rows<T>(
        &self,
        sql: &str,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let query = || {
            let mut statement = self.connection.prepare_cached(sql)?;
            statement.query_map([], read)?.collect::<rusqlite::Result<Vec<T>>>()
        };
        query().map_err(|source| self.wrap(source))
    }

    fn value(&self, table: &'static str, value: String) -> StoreError {
        StoreError::Value { path: self.path.clone(), table, value }
    }

    fn load_jobs(&self) -> Result<Vec<Change>, StoreError> {
        let rows = self.rows(
            "SELECT id, games, state, attempts, failures, ready_at_ms, verifies FROM jobs ORDER BY id",
            |row| {
                let state: String = row.get(2)?;
                let games: String = row.get(1)?;
                let verifies: Option<i64> = row.get(6)?;
                Ok((
                    Job {
                        id: JobId(unsigned(row, 0)?),
                        games: Vec::new(),
                        verifies: verifies.map(i64::cast_unsigned),
                        state: JobState::Ready,
                        attempts: row.get(3)?,
                        failures: row.get(4)?,
                        ready_at_ms: unsigned(row, 5)?,
                    },
                    games,
                    state,
                ))
            },
        )?;
        let read = |(job, games, state): (Job, String, String)| {
            let found = JobState::ALL.into_iter().find(|it| it.name() == state);
            let state = found.ok_or_else(|| self.value("jobs", state))?;
            let numbers = games_from_text(&games).ok_or_else(|| self.value("jobs", games))?;
            Ok(Change::PutJob(Job { games: numbers, state, ..job }))
        };
        rows.into_iter().map(read).collect()
    }

    /// Openings of all leases, then the ends of those that are over.
    fn load_leases(&self) -> Result<Vec<Change>, StoreError> {
        let rows = self.rows(
            "SELECT job, attempt, epoch, worker, request, checkpoint, n_games, granted_ms, fate, \
             accepted_games FROM leases ORDER BY epoch",
            |row| {
                let lease = Lease {
                    key: lease_key(row)?,
                    worker: WorkerId(row.get(3)?),
                    request: unsigned(row, 4)?,
                    checkpoint: CheckpointId(row.get(5)?),
                    n_games: unsigned(row, 6)?,
                    granted_ms: unsigned(row, 7)?,
                };
                Ok((lease, row.get::<_, String>(8)?, unsigned(row, 9)?))
            },
        )?;
        let mut changes = Vec::new();
        for (lease, fate, n_games) in rows {
            let key = lease.key;
            changes.push(Change::OpenLease(lease));
            let fate = match fate.as_str() {
                "open" => continue,
                "accepted" => Fate::Accepted { n_games },
                "rejected" => Fate::Rejected,
                "expired" => Fate::Expired,
                _ => return Err(self.value("leases", fate)),
            };
            changes.push(Change::CloseLease { key, fate });
        }
        Ok(changes)
    }

    fn load_refusals(&self) -> Result<Vec<Change>, StoreError> {
        let rows = self.rows("SELECT reason, n FROM refusals ORDER BY reason", |row| {
            Ok((row.get::<_, String>(0)?, unsigned(row, 1)?))
        })?;
        let read = |(name, n): (String, u64)| {
            let found = Reason::ALL.into_iter().find(|it| it.name() == name);
            let reason = found.ok_or_else(|| self.value("refusals", name))?;
            Ok(Change::CountRefusals { reason, n })
        };
        rows.into_iter().map(read).collect()
    }
}

impl Store for SqliteStore {
    fn load(&mut self) -> Result<Vec<Change>, StoreError> {
        let mut changes = Vec::new();
        let fingerprint = "SELECT value FROM meta WHERE key = 'fingerprint'";
        for text in self.rows(fingerprint, |row| row.get(0))? {
            changes.push(Change::FixFingerprint(text));
        }
        let checkpoints = self.rows(
            "SELECT generation, id, step, digest, path, fingerprint, promotion, registered_ms \
             FROM checkpoints ORDER BY generation",
            read_checkpoint,
        )?;
        changes.extend(checkpoints.into_iter().map(Change::PutCheckpoint));
        changes.extend(self.load_jobs()?);
        changes.extend(self.load_leases()?);
        let shards = self.rows(
            "SELECT job, attempt, epoch, sequence, worker, checkpoint, commit_digest, fingerprint, \
             n_games, accepted_ms, training_shard, training_digest, training_rows, training_bytes, \
             audit_shard, audit_digest, audit_rows, audit_bytes FROM shards ORDER BY sequence",
            read_shard,
        )?;
        changes.extend(shards.into_iter().map(Change::PutShard));
        let verdicts = load_verdicts(&self.connection).map_err(|source| self.wrap(source))?;
        changes.extend(verdicts.into_iter().map(Change::PutVerdict));
        changes.extend(self.load_refusals()?);
        Ok(changes)
    }

    fn apply(&mut self, changes: &[Change]) -> Result<(), StoreError> {
        let write = |connection: &mut Connection| {
            // Immediate: a transaction that only later turns into a writer may fail half-way.
            let transaction =
                connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            changes.iter().try_for_each(|change| write_change(&transaction, change))?;
            transaction.commit()
        };
        write(&mut self.connection).map_err(|source| self.wrap(source))
    }

    fn manifests(
        &mut self,
        kind: Kind,
        from_sequence: u64,
        n_max: usize,
    ) -> Result<Vec<(u64, String)>, StoreError> {
        let sql = match kind {
            Kind::Training => {
                "SELECT sequence, training_manifest FROM shards WHERE sequence >= ?1 \
                 ORDER BY sequence LIMIT ?2"
            }
            Kind::Audit => {
                "SELECT sequence, audit_manifest FROM shards WHERE sequence >= ?1 \
                 ORDER BY sequence LIMIT ?2"
            }
        };
        let query = || {
            let mut statement = self.connection.prepare_cached(sql)?;
            let limits = params![signed(from_sequence), signed(n_max as u64)];
            let read = |row: &Row<'_>| Ok((unsigned(row, 0)?, row.get(1)?));
            statement.query_map(limits, read)?.collect::<rusqlite::Result<Vec<_>>>()
        };
        query().map_err(|source| self.wrap(source))
    }
}

fn begin(transaction: &Transaction<'_>, identity: &Identity) -> rusqlite::Result<()> {
    transaction.execute_batch(SCHEMA)?;
    transaction.execute_batch(VERDICTS)?;
    for (key, value) in [
        ("schema", SCHEMA_VERSION.to_owned()),
        ("run", identity.run.clone()),
        ("secrets", secrets(identity)),
    ] {
        transaction
            .execute("INSERT INTO meta (key, value) VALUES (?1, ?2)", params![key, value])?;
    }
    Ok(())
}

/// The run's id. Refuses a record of another schema, seed or secret, and a file that is no record.
fn recognize(
    transaction: &Transaction<'_>,
    path: &Path,
    identity: &Identity,
) -> Result<String, StoreError> {
    let meta = |key: &str| -> Result<String, StoreError> {
        transaction
            .query_row("SELECT value FROM meta WHERE key = ?1", [key], |row| row.get(0))
            .optional()
            .map(Option::unwrap_or_default)
            .map_err(|source| StoreError::Sqlite { path: path.to_owned(), source })
    };
    let mut found = meta("schema")?;
    if found == "1" && meta("secrets")? == secrets(identity) {
        let migrated = transaction.execute_batch(VERDICTS);
        migrated
            .and_then(|()| transaction.execute_batch(FROM_1))
            .map_err(|source| StoreError::Sqlite { path: path.to_owned(), source })?;
        found = meta("schema")?;
    }
    if found != SCHEMA_VERSION {
        let expected = SCHEMA_VERSION.to_owned();
        return Err(StoreError::Schema { path: path.to_owned(), found, expected });
    }
    if meta("secrets")? != secrets(identity) {
        return Err(StoreError::Foreign { path: path.to_owned() });
    }
    meta("run")
}

pub(super) fn secrets(identity: &Identity) -> String {
    let hex = blake3::Hash::from_bytes(identity.deal_secret).to_hex();
    format!("{} {hex}", identity.run_seed)
}

fn write_change(to: &Transaction<'_>, change: &Change) -> rusqlite::Result<()> {
    match change {
        Change::FixFingerprint(text) => {
            to.execute("INSERT INTO meta (key, value) VALUES ('fingerprint', ?1)", [text])?;
        }
        Change::PutCheckpoint(it) => write_checkpoint(to, it)?,
        Change::PutJob(it) => write_job(to, it)?,
        Change::OpenLease(it) => write_lease(to, it)?,
        Change::CloseLease { key, fate } => {
            let (fate, n_games) = match fate {
                Fate::Accepted { n_games } => ("accepted", *n_games),
                Fate::Rejected => ("rejected", 0),
                Fate::Expired => ("expired", 0),
            };
            to.prepare_cached("UPDATE leases SET fate = ?2, accepted_games = ?3 WHERE epoch = ?1")?
                .execute(params![signed(key.epoch), fate, signed(n_games)])?;
        }
        Change::PutShard(it) => write_shard(to, it)?,
        Change::PutVerdict(it) => write_verdict(to, it)?,
        Change::CountRefusals { reason, n } => {
            to.execute(
                "INSERT INTO refusals (reason, n) VALUES (?1, ?2) \
                 ON CONFLICT (reason) DO UPDATE SET n = n + ?2",
                params![reason.name(), signed(*n)],
            )?;
        }
    }
    Ok(())
}

fn write_checkpoint(to: &Transaction<'_>, it: &Checkpoint) -> rusqlite::Result<()> {
    to.execute(
        "INSERT INTO checkpoints (generation, id, step, digest, path, fingerprint, promotion, \
         registered_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        params![
            it.generation,
            it.id.0,
            signed(it.step),
            it.digest,
            it.path,
            it.fingerprint,
            it.promotion,
            signed(it.registered_ms)
        ],
    )?;
    Ok(())
}

fn write_job(to: &Transaction<'_>, it: &Job) -> rusqlite::Result<()> {
    let sql = "INSERT INTO jobs (id, games, state, attempts, failures, ready_at_ms, verifies) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (id) DO UPDATE SET \
               state = ?3, attempts = ?4, failures = ?5, ready_at_ms = ?6";
    to.prepare_cached(sql)?.execute(params![
        signed(it.id.0),
        games_to_text(&it.games),
        it.state.name(),
        it.attempts,
        it.failures,
        signed(it.ready_at_ms),
        it.verifies.map(signed)
    ])?;
    Ok(())
}

fn write_lease(to: &Transaction<'_>, it: &Lease) -> rusqlite::Result<()> {
    let sql = "INSERT INTO leases (job, attempt, epoch, worker, request, checkpoint, n_games, \
               granted_ms, fate) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 'open')";
    to.prepare_cached(sql)?.execute(params![
        signed(it.key.job.0),
        it.key.attempt,
        signed(it.key.epoch),
        it.worker.0,
        signed(it.request),
        it.checkpoint.0,
        signed(it.n_games),
        signed(it.granted_ms)
    ])?;
    Ok(())
}

fn write_shard(to: &Transaction<'_>, it: &Shard) -> rusqlite::Result<()> {
    let sql = "INSERT INTO shards (sequence, job, attempt, epoch, worker, checkpoint, \
               commit_digest, fingerprint, n_games, accepted_ms, training_shard, training_digest, \
               training_rows, training_bytes, training_manifest, audit_shard, audit_digest, \
               audit_rows, audit_bytes, audit_manifest) VALUES \
               (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, \
               ?19, ?20)";
    to.prepare_cached(sql)?.execute(params![
        signed(it.sequence),
        signed(it.lease.job.0),
        it.lease.attempt,
        signed(it.lease.epoch),
        it.worker.0,
        it.checkpoint.0,
        it.commit_digest,
        it.fingerprint,
        signed(it.n_games),
        signed(it.accepted_ms),
        it.training.id.0,
        it.training.digest,
        signed(it.training.rows),
        signed(it.training.bytes),
        it.training.manifest,
        it.audit.id.0,
        it.audit.digest,
        signed(it.audit.rows),
        signed(it.audit.bytes),
        it.audit.manifest
    ])?;
    Ok(())
}

fn read_checkpoint(row: &Row<'_>) -> rusqlite::Result<Checkpoint> {
    Ok(Checkpoint {
        generation: row.get(0)?,
        id: CheckpointId(row.get(1)?),
        step: unsigned(row, 2)?,
        digest: row.get(3)?,
        path: row.get(4)?,
        fingerprint: row.get(5)?,
        promotion: row.get(6)?,
        registered_ms: unsigned(row, 7)?,
    })
}

fn read_shard(row: &Row<'_>) -> rusqlite::Result<Shard> {
    let part = |first: usize| -> rusqlite::Result<Part> {
        Ok(Part {
            id: ShardId(row.get(first)?),
            digest: row.get(first + 1)?,
            rows: unsigned(row, first + 2)?,
            bytes: unsigned(row, first + 3)?,
            manifest: String::new(),
        })
    };
    Ok(Shard {
        lease: lease_key(row)?,
        sequence: unsigned(row, 3)?,
        worker: WorkerId(row.get(4)?),
        checkpoint: CheckpointId(row.get(5)?),
        commit_digest: row.get(6)?,
        fingerprint: row.get(7)?,
        n_games: unsigned(row, 8)?,
        accepted_ms: unsigned(row, 9)?,
        training: part(10)?,
        audit: part(14)?,
    })
}

/// The columns job, attempt and epoch, which come first.
fn lease_key(row: &Row<'_>) -> rusqlite::Result<LeaseKey> {
    Ok(LeaseKey { job: JobId(unsigned(row, 0)?), attempt: row.get(1)?, epoch: unsigned(row, 2)? })
}

/// SQLite has no unsigned numbers: the 64 bits are kept, large ones read as negative.
pub(super) fn signed(value: u64) -> i64 {
    value.cast_signed()
}

pub(super) fn unsigned(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    Ok(row.get::<_, i64>(column)?.cast_unsigned())
}

/// Ascending numbers as ranges: `0-15,17`.
fn games_to_text(games: &[u64]) -> String {
    let runs = games.chunk_by(|a, b| a + 1 == *b);
    let texts = runs.filter_map(|run| match run {
        [] => None,
        [one] => Some(one.to_string()),
        [first, .., last] => Some(format!("{first}-{last}")),
    });
    texts.collect::<Vec<_>>().join(",")
}

fn games_from_text(text: &str) -> Option<Vec<u64>> {
    let mut games = Vec::new();
    if text.is_empty() {
        return Some(games);
    }
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (u64, u64) = (first.parse().ok()?, last.parse().ok()?);
        if last.checked_sub(first)? > proto::limits::JOB_GAMES_MAX as u64 {
            return None;
        }
        games.extend(first..=last);
    }
    Some(games)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn game_numbers_read_back() {
        for games in [vec![], vec![0], vec![3, 4, 5], vec![0, 2, 3, 9]] {
            assert_eq!(games_from_text(&games_to_text(&games)), Some(games));
        }
        assert_eq!(games_to_text(&[0, 1, 2, 7]), "0-2,7");
        assert_eq!(games_from_text("5-2"), None);
        assert_eq!(games_from_text("0-99999999999"), None);
    }
}
