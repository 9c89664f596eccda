//! What the coordinator reads in a shard's manifest. It knows counts, ids and digests, never rows; other fields pass
//! through unread.

use super::fault::{Fault, Reason};
use super::ids::LeaseKey;
use proto::limits::{MANIFEST_BYTES_MAX, SHARD_BYTES_MAX};
use serde::Deserialize;

/// Most plies of one game that any of our games could have.
const GAME_ROWS_MAX: u64 = 1 << 20;

#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Manifest {
    /// `training` or `audit`.
    pub kind: String,
    pub shard: String,
    /// The file's path under the root of its kind.
    pub key: String,
    /// blake3 of the file, 64 hexadecimal digits.
    pub digest: String,
    pub bytes: u64,
    pub rows: u64,
    pub games: u64,
    pub finished_games: u64,
    pub truncated_games: u64,
    pub run: String,
    pub job: String,
    pub attempt: u32,
    pub epoch: u64,
    pub checkpoint: String,
    pub fingerprint: String,
}

/// What a manifest must agree with.
pub struct Expected<'a> {
    pub run: &'a str,
    pub fingerprint: &'a str,
    pub lease: LeaseKey,
    pub checkpoint: &'a str,
}

impl Manifest {
    /// Reads one manifest of the given kind, and checks what can be checked from it alone.
    pub fn read(kind: &str, text: &str) -> Result<Manifest, Fault> {
        if text.len() > MANIFEST_BYTES_MAX {
            let text =
                format!("{kind} manifest has {} bytes, more than {MANIFEST_BYTES_MAX}", text.len());
            return Err(Fault::new(Reason::Manifest, text));
        }
        if text.contains(['\n', '\r']) {
            let text = format!("{kind} manifest has a line break; it must be one line");
            return Err(Fault::new(Reason::Manifest, text));
        }
        let manifest: Manifest = serde_json::from_str(text).map_err(|error| {
            Fault::new(Reason::Manifest, format!("{kind} manifest does not read: {error}"))
        })?;
        manifest.check_alone(kind)?;
        Ok(manifest)
    }

    fn check_alone(&self, kind: &str) -> Result<(), Fault> {
        let identity = |text: String| Err(Fault::new(Reason::Identity, text));
        if self.kind != kind {
            return identity(format!("{kind} manifest is of kind {:?}", self.kind));
        }
        if !is_name(&self.shard) || self.shard.len() > proto::limits::ID_BYTES_MAX {
            return identity(format!("{kind} shard id {:?} is no plain name", self.shard));
        }
        if !is_relative_path(&self.key) {
            return identity(format!("{kind} key {:?} is no relative path", self.key));
        }
        if !is_digest(&self.digest) {
            return identity(format!("{kind} digest {:?} is not 64 hex digits", self.digest));
        }
        let numbers = |text: String| Err(Fault::new(Reason::Numbers, text));
        if self.rows == 0 || self.games == 0 || self.bytes == 0 || self.bytes > SHARD_BYTES_MAX {
            return numbers(format!(
                "{kind} shard of {} rows, {} games, {} bytes",
                self.rows, self.games, self.bytes
            ));
        }
        if self.finished_games.checked_add(self.truncated_games) != Some(self.games) {
            return numbers(format!(
                "{kind} shard: {} finished and {} truncated games are not {} games",
                self.finished_games, self.truncated_games, self.games
            ));
        }
        if self.rows < self.games || self.rows / self.games > GAME_ROWS_MAX {
            return numbers(format!("{kind} shard: {} rows in {} games", self.rows, self.games));
        }
        Ok(())
    }

    /// Checks the manifest against the lease it was committed under.
    pub fn check(&self, expected: &Expected<'_>) -> Result<(), Fault> {
        let Manifest { kind, run, job, attempt, epoch, .. } = self;
        if run != expected.run {
            let text = format!("{kind} shard of run {run:?}; this is run {:?}", expected.run);
            return Err(Fault::new(Reason::Identity, text));
        }
        let LeaseKey { job: leased, attempt: try_no, epoch: fence } = expected.lease;
        if *job != leased.to_string() || *attempt != try_no || *epoch != fence {
            let text = format!(
                "{kind} shard of job {job:?} attempt {attempt} epoch {epoch}; committed under {}",
                expected.lease
            );
            return Err(Fault::new(Reason::Identity, text));
        }
        if self.fingerprint != expected.fingerprint {
            let text = format!(
                "{kind} shard has fingerprint {}; the run has {}: use a worker of the run's build \
                 and game options",
                self.fingerprint, expected.fingerprint
            );
            return Err(Fault::new(Reason::Fingerprint, text));
        }
        if self.checkpoint != expected.checkpoint {
            let text = format!(
                "{kind} shard was played with checkpoint {:?}; the lease said {:?}",
                self.checkpoint, expected.checkpoint
            );
            return Err(Fault::new(Reason::Checkpoint, text));
        }
        Ok(())
    }
}

/// 64 lower-case hexadecimal digits.
pub fn is_digest(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

/// A name without separators, not hidden, safe in a path.
pub fn is_name(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    !text.is_empty() && !text.starts_with('.') && text.chars().all(plain)
}

/// Plain names joined by `/`: nothing absolute, no `..`.
pub fn is_relative_path(text: &str) -> bool {
    text.len() <= proto::limits::PATH_BYTES_MAX && text.split('/').all(is_name)
}
