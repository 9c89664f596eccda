//! The identity of a checkpoint: run, step, digest of the weights.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Printed as `RUN-sSTEP-DIGEST`, e.g. `quickstart-s001200-3f9c0a7b12de`. It is also the name of the folder
/// under `checkpoints/`. Ordered by step.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct CheckpointId {
    step: u64,
    run: String,
    digest: String,
}

/// Text that is no checkpoint id.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{0:?} is not a checkpoint id: expected RUN-sSTEP-DIGEST, e.g. quickstart-s001200-3f9c0a7b12de"
)]
pub struct NotACheckpointId(pub String);

const DIGEST_LEN: usize = 12;

impl CheckpointId {
    /// `weights_digest` is the blake3 of the weights file in hexadecimal; its first twelve digits are kept.
    /// Characters of `run` other than letters, digits, `.`, `_` and `-` become `_`.
    pub fn new(
        run: &str,
        step: u64,
        weights_digest: &str,
    ) -> Result<CheckpointId, NotACheckpointId> {
        let digest = weights_digest.get(..DIGEST_LEN).unwrap_or_default();
        if !is_hex(digest) {
            return Err(NotACheckpointId(weights_digest.to_owned()));
        }
        let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
        let mut run: String = run.chars().map(|c| if allowed(c) { c } else { '_' }).collect();
        if run.is_empty() || run.starts_with('.') {
            run.insert(0, '_');
        }
        Ok(CheckpointId { run, step, digest: digest.to_owned() })
    }

    pub fn run(&self) -> &str {
        &self.run
    }

    /// Training steps that made the weights.
    pub fn step(&self) -> u64 {
        self.step
    }

    /// Twelve hexadecimal digits.
    pub fn digest(&self) -> &str {
        &self.digest
    }
}

fn is_hex(text: &str) -> bool {
    text.len() == DIGEST_LEN && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

impl fmt::Display for CheckpointId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-s{:06}-{}", self.run, self.step, self.digest)
    }
}

impl FromStr for CheckpointId {
    type Err = NotACheckpointId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = || {
            let (rest, digest) = text.rsplit_once('-')?;
            let (run, step) = rest.rsplit_once("-s")?;
            let step = step.parse().ok()?;
            CheckpointId::new(run, step, digest).ok()
        };
        // Only what prints back the same is an id: it names a folder.
        parts().filter(|id| id.to_string() == text).ok_or(NotACheckpointId(text.to_owned()))
    }
}

impl TryFrom<String> for CheckpointId {
    type Error = NotACheckpointId;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<CheckpointId> for String {
    fn from(id: CheckpointId) -> String {
        id.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_read_back_and_sort_by_step() {
        let digest = "3f9c0a7b12de99887766";
        let older = CheckpointId::new("my run-s1", 9, digest).unwrap();
        let newer = CheckpointId::new("a", 1_234_567, digest).unwrap();
        assert_eq!(older.to_string(), "my_run-s1-s000009-3f9c0a7b12de");
        for id in [&older, &newer] {
            assert_eq!(id.to_string().parse::<CheckpointId>().unwrap(), *id);
        }
        assert!(older < newer);
    }

    #[test]
    fn a_folder_name_cannot_be_smuggled_in() {
        for text in ["", "a", "a-s1-3f9c0a7b12de", "../x-s000001-3f9c0a7b12de", "a-s000001-xyz"] {
            assert!(text.parse::<CheckpointId>().is_err(), "{text}");
        }
    }
}
