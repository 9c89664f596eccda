//! The description of one shard: what the coordinator accepts, what the trainer's window lists.

use game::Fingerprint;
use serde::{Deserialize, Serialize};

/// Which of the two records a shard holds. They have two schemas and two roots and never share a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ShardKind {
    Training,
    Audit,
}

/// How a shard's file is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seal {
    /// As Parquet: a training shard.
    #[default]
    None,
    /// Encrypted to the run's auditor's X25519 key as a sealed box: an audit shard.
    SealedBox,
}

impl Seal {
    /// The one way a kind of shard is kept.
    pub fn of(kind: ShardKind) -> Seal {
        match kind {
            ShardKind::Training => Seal::None,
            ShardKind::Audit => Seal::SealedBox,
        }
    }

    fn is_none(&self) -> bool {
        *self == Seal::None
    }
}

/// Where the rows of a shard come from: known before the first of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShardOrigin {
    /// The shard's id, unique in its run; letters, digits, `-`, `_` and `.`.
    pub shard: String,
    pub run: String,
    pub job: String,
    /// Which try of the job, from 1.
    pub attempt: u32,
    /// The lease's fencing number.
    pub epoch: u64,
    /// The checkpoint whose games these are.
    pub checkpoint: String,
    pub fingerprint: Fingerprint,
    /// torch version, device, precision, CPU kernel level, batch shape: what equal bytes are promised under.
    pub numerics: String,
    /// The build that played the games.
    pub build: String,
    /// Milliseconds since 1970-01-01 UTC at which the shard was begun.
    pub created_ms: u64,
}

/// What stands in the file itself, as JSON under the metadata key [`ShardHeader::KEY`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShardHeader {
    pub kind: ShardKind,
    /// Name and version of the schema.
    pub schema: String,
    pub shard: String,
    pub run: String,
    pub job: String,
    pub attempt: u32,
    pub epoch: u64,
    pub checkpoint: String,
    #[serde(with = "fingerprint_text")]
    pub fingerprint: Fingerprint,
    pub numerics: String,
    pub build: String,
    pub created_ms: u64,
    pub rows: u64,
    /// Games with at least one row here. A game is never split over shards.
    pub games: u64,
    pub finished_games: u64,
    pub truncated_games: u64,
}

/// What is known of a shard's rows when it closes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShardCounts {
    pub rows: u64,
    pub games: u64,
    pub truncated_games: u64,
}

impl ShardHeader {
    pub const KEY: &'static str = "muster.shard";

    pub fn of(
        kind: ShardKind,
        schema: &str,
        origin: ShardOrigin,
        counts: ShardCounts,
    ) -> ShardHeader {
        ShardHeader {
            kind,
            schema: schema.to_owned(),
            shard: origin.shard,
            run: origin.run,
            job: origin.job,
            attempt: origin.attempt,
            epoch: origin.epoch,
            checkpoint: origin.checkpoint,
            fingerprint: origin.fingerprint,
            numerics: origin.numerics,
            build: origin.build,
            created_ms: origin.created_ms,
            rows: counts.rows,
            games: counts.games,
            finished_games: counts.games - counts.truncated_games,
            truncated_games: counts.truncated_games,
        }
    }
}

/// A shard's header and the file that carries it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShardManifest {
    pub kind: ShardKind,
    pub schema: String,
    pub shard: String,
    /// Path in the root of its kind, e.g. `shards/SHARD.parquet`; relative, without `..`.
    pub key: String,
    /// Left out where the file is not sealed.
    #[serde(default, skip_serializing_if = "Seal::is_none")]
    pub seal: Seal,
    /// blake3 of the file as it is kept, 64 hexadecimal digits.
    pub digest: String,
    /// Size of the file as it is kept.
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
    #[serde(with = "fingerprint_text")]
    pub fingerprint: Fingerprint,
    pub numerics: String,
    pub build: String,
    pub created_ms: u64,
}

/// Text that is no manifest, or a manifest that contradicts itself.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    #[error("shard manifest does not read: {0}")]
    Json(#[from] serde_json::Error),
    #[error("shard manifest {shard}: {reason}")]
    Invalid { shard: String, reason: String },
}

impl ShardManifest {
    pub fn new(header: ShardHeader, key: String, digest: String, bytes: u64) -> ShardManifest {
        ShardManifest {
            kind: header.kind,
            schema: header.schema,
            shard: header.shard,
            key,
            seal: Seal::of(header.kind),
            digest,
            bytes,
            rows: header.rows,
            games: header.games,
            finished_games: header.finished_games,
            truncated_games: header.truncated_games,
            run: header.run,
            job: header.job,
            attempt: header.attempt,
            epoch: header.epoch,
            checkpoint: header.checkpoint,
            fingerprint: header.fingerprint,
            numerics: header.numerics,
            build: header.build,
            created_ms: header.created_ms,
        }
    }

    /// What the file's own metadata must say.
    pub fn header(&self) -> ShardHeader {
        ShardHeader {
            kind: self.kind,
            schema: self.schema.clone(),
            shard: self.shard.clone(),
            run: self.run.clone(),
            job: self.job.clone(),
            attempt: self.attempt,
            epoch: self.epoch,
            checkpoint: self.checkpoint.clone(),
            fingerprint: self.fingerprint,
            numerics: self.numerics.clone(),
            build: self.build.clone(),
            created_ms: self.created_ms,
            rows: self.rows,
            games: self.games,
            finished_games: self.finished_games,
            truncated_games: self.truncated_games,
        }
    }

    /// One line of JSON, without a line break.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|error| {
            unreachable!("a manifest has only string keys and plain values: {error}")
        })
    }

    /// Reads and checks a manifest; an unknown or missing field is an error.
    pub fn from_json(text: &str) -> Result<ShardManifest, ManifestError> {
        let manifest: ShardManifest = serde_json::from_str(text)?;
        manifest.check()?;
        Ok(manifest)
    }

    /// The manifest's own consistency; nothing of the file.
    pub fn check(&self) -> Result<(), ManifestError> {
        match self.fault() {
            Some(reason) => Err(ManifestError::Invalid { shard: self.shard.clone(), reason }),
            None => Ok(()),
        }
    }

    fn fault(&self) -> Option<String> {
        let is_id = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let is_part =
            |part: &str| !part.is_empty() && !part.starts_with('.') && part.chars().all(is_id);
        if !is_part(&self.shard) {
            return Some(
                "the shard id is empty or holds a character outside [A-Za-z0-9_.-]".into(),
            );
        }
        if !self.key.split('/').all(is_part) {
            return Some(format!("key {:?} is no relative path of plain names", self.key));
        }
        if self.seal != Seal::of(self.kind) {
            return Some(match self.kind {
                ShardKind::Training => "a training shard is not sealed".into(),
                ShardKind::Audit => {
                    "an audit shard is sealed and its manifest says `\"seal\":\"sealed-box\"`"
                        .into()
                }
            });
        }
        let is_hex = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
        if self.digest.len() != 64 || !self.digest.chars().all(is_hex) {
            return Some(format!("digest {:?} is not 64 hexadecimal digits", self.digest));
        }
        if self.bytes == 0 || self.rows == 0 || self.games == 0 {
            return Some("a shard has bytes, rows and games".into());
        }
        if self.finished_games.checked_add(self.truncated_games) != Some(self.games) {
            return Some(format!(
                "{} finished and {} truncated games are not {} games",
                self.finished_games, self.truncated_games, self.games
            ));
        }
        if self.rows < self.games {
            return Some(format!("{} rows for {} games", self.rows, self.games));
        }
        None
    }
}

mod fingerprint_text {
    use game::Fingerprint;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(value: &Fingerprint, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(value)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Fingerprint, D::Error> {
        String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
    }
}
