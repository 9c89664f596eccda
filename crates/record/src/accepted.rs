//! `training/accepted.jsonl`: the manifest of every accepted training shard, one a line, in the order of
//! acceptance. What a trainer may read, and all it needs to read.

use crate::manifest::{ManifestError, ShardManifest};
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Why a list of accepted shards could not be read or extended.
#[derive(Debug, thiserror::Error)]
pub enum AcceptedError {
    #[error("{path}: {error}")]
    Io { path: PathBuf, error: std::io::Error },
    #[error("{path} line {line}: {error}; restore the list by starting the coordinator once")]
    Line { path: PathBuf, line: usize, error: ManifestError },
}

/// The accepted shards, and whether the file ends in the middle of a line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Accepted {
    pub manifests: Vec<ShardManifest>,
    /// The last line has no line break: a writer was stopped. It is left out; the coordinator writes it again.
    pub torn: bool,
}

/// Reads the list. A line that does not read is an error, except a last one without its line break.
pub fn read_accepted(path: &Path) -> Result<Accepted, AcceptedError> {
    let text = std::fs::read(path).map_err(|error| io(path, error))?;
    let complete_len = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let mut accepted = Accepted { manifests: Vec::new(), torn: complete_len < text.len() };
    for (idx, line) in text[..complete_len].split(|byte| *byte == b'\n').enumerate() {
        if line.is_empty() {
            continue;
        }
        let line_error =
            |error| AcceptedError::Line { path: path.to_owned(), line: idx + 1, error };
        let line = String::from_utf8_lossy(line);
        accepted.manifests.push(ShardManifest::from_json(&line).map_err(line_error)?);
    }
    Ok(accepted)
}

/// Appends one manifest and syncs. A torn last line is cut off first.
pub fn append_accepted(path: &Path, manifest: &ShardManifest) -> Result<(), AcceptedError> {
    let append = || -> std::io::Result<()> {
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        cut_torn_line(&mut file)?;
        let mut line = manifest.to_json();
        line.push('\n');
        file.write_all(line.as_bytes())?;
        file.sync_data()
    };
    append().map_err(|error| io(path, error))
}

fn cut_torn_line(file: &mut File) -> std::io::Result<()> {
    let len = file.metadata()?.len();
    if len == 0 {
        return Ok(());
    }
    let mut last = [0];
    file.seek(SeekFrom::Start(len - 1))?;
    file.read_exact(&mut last)?;
    if last[0] == b'\n' {
        return Ok(());
    }
    let mut text = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.read_to_end(&mut text)?;
    let complete_len = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    file.set_len(complete_len as u64)
}

fn io(path: &Path, error: std::io::Error) -> AcceptedError {
    AcceptedError::Io { path: path.to_owned(), error }
}
