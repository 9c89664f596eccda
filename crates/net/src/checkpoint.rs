//! A checkpoint on disk: `weights.safetensors`, `optimizer.safetensors`, `checkpoint.toml`. It never changes.

use crate::tensors::{self, TensorFileError};
use crate::{AdamW, AdamWParams, Architecture, Network, NetworkError, NetworkShape};
use game::Fingerprint;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

pub const WEIGHTS_FILE: &str = "weights.safetensors";
pub const OPTIMIZER_FILE: &str = "optimizer.safetensors";
pub const HEADER_FILE: &str = "checkpoint.toml";

/// The version of the folder's form.
const FORMAT: u32 = 1;

/// What its author says of a checkpoint; the rest of the header is found when it is saved.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CheckpointFacts {
    /// The run that made it.
    pub run: String,
    /// Training steps that made the weights, all generations together.
    pub step: u64,
    /// 0 for random weights.
    pub generation: u32,
    /// The checkpoint that training started from; none for random weights.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// The game's name in the catalogue.
    pub game: String,
    /// The canonical text of rules, features and actions; its blake3 is the fingerprint.
    pub fingerprint_text: String,
    /// Torch version, device, precision, kernel level, threads and batch shape of the training.
    pub numerics: String,
    pub window: WindowSummary,
    /// The seed of random weights.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

/// Which rows training drew from.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct WindowSummary {
    pub shards: u64,
    pub rows: u64,
    pub games: u64,
    /// Rows kept out of training.
    pub held_out_rows: u64,
    /// Place in the run's order of the last shard that was there to be drawn from, counted from 1; 0 for none.
    pub last_sequence: u64,
}

/// `checkpoint.toml`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CheckpointHeader {
    pub format: u32,
    pub id: String,
    /// blake3 of the canonical text, 64 hexadecimal digits.
    pub fingerprint: String,
    /// blake3 of `weights.safetensors`.
    pub weights_digest: String,
    /// blake3 of `optimizer.safetensors`; none where there is no such file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub optimizer_digest: Option<String>,
    #[serde(flatten)]
    pub facts: CheckpointFacts,
    pub architecture: Architecture,
    pub shape: NetworkShape,
    /// The optimizer's numbers, where its state is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub optimizer: Option<OptimizerHeader>,
}

/// What of the optimizer is no tensor.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct OptimizerHeader {
    pub updates: u64,
    #[serde(flatten)]
    pub params: AdamWParams,
}

/// A checkpoint that was read and verified.
pub struct Checkpoint {
    pub folder: PathBuf,
    pub header: CheckpointHeader,
    pub network: Network,
}

/// Why a checkpoint cannot be read or written. Each names the file and what to do.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    #[error(
        "checkpoint {folder}: {file} cannot be read: {source}; give the folder of a checkpoint"
    )]
    Missing { folder: PathBuf, file: &'static str, source: std::io::Error },
    #[error("checkpoint {folder}: cannot be written: {source}; free the place and try again")]
    Write { folder: PathBuf, source: std::io::Error },
    #[error("checkpoint {folder}: checkpoint.toml {reason}; use another checkpoint")]
    Header { folder: PathBuf, reason: String },
    #[error(
        "checkpoint {folder}: {file} is damaged: digest {found}, checkpoint.toml says {expected}; \
         use another checkpoint or copy it again"
    )]
    Digest { folder: PathBuf, file: &'static str, expected: String, found: String },
    #[error("checkpoint {folder}: {file}: {reason}; use another checkpoint")]
    Tensors { folder: PathBuf, file: &'static str, reason: TensorFileError },
    #[error(
        "checkpoint {folder} was made with another fingerprint: {found}, expected {expected}; use a checkpoint \
         of these rules, features and actions\n--- the checkpoint's ---\n{found_text}\n--- expected ---\n\
         {expected_text}"
    )]
    Fingerprint {
        folder: PathBuf,
        found: String,
        expected: String,
        found_text: String,
        expected_text: String,
    },
    #[error("checkpoint {folder}: {source}; use another checkpoint")]
    Network { folder: PathBuf, source: NetworkError },
    #[error(
        "checkpoint {folder} exists with other weights; it never changes: choose another place"
    )]
    Exists { folder: PathBuf },
    #[error("checkpoint {folder}: its weights are not finite and are not kept")]
    NotFinite { folder: PathBuf },
}

impl Checkpoint {
    /// Reads and verifies a checkpoint. With `expected_text` (the canonical fingerprint text of the reader's
    /// game) another fingerprint is refused.
    pub fn load(folder: &Path, expected_text: Option<&str>) -> Result<Checkpoint, CheckpointError> {
        let header = CheckpointHeader::load(folder)?;
        if let Some(expected_text) = expected_text {
            header.check_fingerprint(folder, expected_text)?;
        }
        let bytes = verified(folder, WEIGHTS_FILE, &header.weights_digest)?;
        let specs = Network::specs_of(header.architecture, &header.shape)
            .map_err(|source| CheckpointError::Network { folder: folder.to_owned(), source })?;
        let wanted: Vec<_> =
            specs.iter().map(|spec| (spec.name.clone(), spec.size.clone())).collect();
        let parameters = tensors::decode(&bytes, &wanted).map_err(|reason| {
            CheckpointError::Tensors { folder: folder.to_owned(), file: WEIGHTS_FILE, reason }
        })?;
        let network =
            Network::from_parts(header.architecture, header.shape.clone(), specs, parameters);
        Ok(Checkpoint { folder: folder.to_owned(), header, network })
    }

    /// The optimizer's state; `None` where none was kept.
    pub fn load_optimizer(&self) -> Result<Option<AdamW>, CheckpointError> {
        let (Some(digest), Some(optimizer)) =
            (&self.header.optimizer_digest, &self.header.optimizer)
        else {
            return Ok(None);
        };
        let bytes = verified(&self.folder, OPTIMIZER_FILE, digest)?;
        let specs = self.network.specs();
        let wanted: Vec<_> = ["first", "second"]
            .iter()
            .flat_map(|moment| {
                specs.iter().map(move |s| (format!("{moment}.{}", s.name), s.size.clone()))
            })
            .collect();
        let mut first = tensors::decode(&bytes, &wanted).map_err(|reason| {
            CheckpointError::Tensors { folder: self.folder.clone(), file: OPTIMIZER_FILE, reason }
        })?;
        let second = first.split_off(specs.len());
        Ok(Some(AdamW::from_state(optimizer.params, optimizer.updates, first, second)))
    }

    /// Writes a checkpoint, all or nothing, with `extra` files (name and content) in its folder. `name` makes the
    /// id and the folder's path from the digest of the weights. A folder that is there already with the same
    /// weights is left as it is.
    pub fn save(
        network: &Network,
        optimizer: Option<&AdamW>,
        facts: CheckpointFacts,
        extra: Vec<(&'static str, Vec<u8>)>,
        name: impl FnOnce(&str) -> (String, PathBuf),
    ) -> Result<Checkpoint, CheckpointError> {
        let weights = tensors::encode(
            network.specs().iter().map(|spec| spec.name.clone()).zip(network.parameters()),
        );
        let weights_digest = blake3::hash(&weights).to_hex().to_string();
        let (id, folder) = name(&weights_digest);
        if !network.is_finite() {
            return Err(CheckpointError::NotFinite { folder });
        }
        if folder.exists() {
            let existing = CheckpointHeader::load(&folder)?;
            if existing.weights_digest != weights_digest {
                return Err(CheckpointError::Exists { folder });
            }
            return Ok(Checkpoint { folder, header: existing, network: network.clone() });
        }
        let moments = optimizer.map(|optimizer| encode_moments(network, optimizer));
        let header = CheckpointHeader {
            format: FORMAT,
            id,
            fingerprint: Fingerprint::of_text(&facts.fingerprint_text).to_string(),
            weights_digest,
            optimizer_digest: moments.as_deref().map(|m| blake3::hash(m).to_hex().to_string()),
            facts,
            architecture: network.architecture(),
            shape: network.shape().clone(),
            optimizer: optimizer
                .map(|o| OptimizerHeader { updates: o.step_count(), params: o.params }),
        };
        let text = toml::to_string(&header).map_err(|error| CheckpointError::Header {
            folder: folder.clone(),
            reason: error.to_string(),
        })?;
        let mut files = vec![(WEIGHTS_FILE, weights), (HEADER_FILE, text.into_bytes())];
        files.extend(moments.map(|moments| (OPTIMIZER_FILE, moments)));
        files.extend(extra);
        write_folder(&folder, &files)
            .map_err(|source| CheckpointError::Write { folder: folder.clone(), source })?;
        Ok(Checkpoint { folder, header, network: network.clone() })
    }
}

impl CheckpointHeader {
    /// Reads `checkpoint.toml` alone; nothing of the weights is verified.
    pub fn load(folder: &Path) -> Result<CheckpointHeader, CheckpointError> {
        let text = String::from_utf8_lossy(&read(folder, HEADER_FILE)?).into_owned();
        let fault = |reason: String| CheckpointError::Header { folder: folder.to_owned(), reason };
        let header: CheckpointHeader =
            toml::from_str(&text).map_err(|error| fault(format!("does not read: {error}")))?;
        if header.format != FORMAT {
            return Err(fault(format!("has format {}, this build reads {FORMAT}", header.format)));
        }
        let fingerprint = Fingerprint::of_text(&header.facts.fingerprint_text).to_string();
        if fingerprint != header.fingerprint {
            return Err(fault(format!(
                "contradicts itself: fingerprint {}, its text gives {fingerprint}",
                header.fingerprint
            )));
        }
        Ok(header)
    }

    fn check_fingerprint(&self, folder: &Path, expected_text: &str) -> Result<(), CheckpointError> {
        let expected = Fingerprint::of_text(expected_text).to_string();
        if self.fingerprint == expected {
            return Ok(());
        }
        Err(CheckpointError::Fingerprint {
            folder: folder.to_owned(),
            found: self.fingerprint.clone(),
            expected,
            found_text: self.facts.fingerprint_text.clone(),
            expected_text: expected_text.to_owned(),
        })
    }
}

fn encode_moments(network: &Network, optimizer: &AdamW) -> Vec<u8> {
    let (first, second) = optimizer.moments();
    let names = |moment: &'static str| {
        network.specs().iter().map(move |spec| format!("{moment}.{}", spec.name))
    };
    tensors::encode(names("first").zip(first).chain(names("second").zip(second)))
}

fn read(folder: &Path, file: &'static str) -> Result<Vec<u8>, CheckpointError> {
    std::fs::read(folder.join(file)).map_err(|source| CheckpointError::Missing {
        folder: folder.to_owned(),
        file,
        source,
    })
}

fn verified(folder: &Path, file: &'static str, expected: &str) -> Result<Vec<u8>, CheckpointError> {
    let bytes = read(folder, file)?;
    let found = blake3::hash(&bytes).to_hex().to_string();
    if found == expected {
        return Ok(bytes);
    }
    Err(CheckpointError::Digest {
        folder: folder.to_owned(),
        file,
        expected: expected.to_owned(),
        found,
    })
}

/// Temporary folder beside the place, files and folder synced, then one rename.
fn write_folder(folder: &Path, files: &[(&str, Vec<u8>)]) -> std::io::Result<()> {
    let parent = match folder.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    std::fs::create_dir_all(parent)?;
    let temporary = parent.join(format!(".{name}.{}.tmp", std::process::id()));
    let write = || -> std::io::Result<()> {
        if temporary.exists() {
            std::fs::remove_dir_all(&temporary)?;
        }
        std::fs::create_dir(&temporary)?;
        for (file, bytes) in files {
            let mut open = std::fs::File::create_new(temporary.join(file))?;
            std::io::Write::write_all(&mut open, bytes)?;
            open.sync_all()?;
        }
        sync_folder(&temporary)?;
        std::fs::rename(&temporary, folder)?;
        sync_folder(parent)
    };
    write().inspect_err(|_| {
        // What is left behind starts with a dot and is read by nobody.
        let _ = std::fs::remove_dir_all(&temporary);
    })
}

fn sync_folder(folder: &Path) -> std::io::Result<()> {
    std::fs::File::open(folder)?.sync_all()
}
