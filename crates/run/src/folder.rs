//! The run folder: everything one run leaves behind, in one place.
//!
//! | path | what | written by |
//! |---|---|---|
//! | `run.toml` | resolved config, digest of the deal secret, fingerprint, build, numerics | whoever creates the run |
//! | `coordinator.sqlite`, `endpoint` | the coordinator's state; where it listens | coordinator |
//! | `training/` | shards and `accepted.jsonl` | workers; coordinator |
//! | `audit/` | sealed shards of the full truth, and the deal secret | workers; whoever creates the run |
//! | `audit.key` | opens the audit shards; absent where the configuration named a recipient | whoever creates the run |
//! | `checkpoints/ID/` | weights, optimizer state, header | trainer |
//! | `matches/`, `logs/`, `retrained/`, `summary.json` | games of matches, logs, networks made by `train` | as named |

use crate::CheckpointId;
use crate::audit_key::AuditKey;
use crate::config::{ConfigError, RunConfig, ValidConfig};
use crate::files::{sync_folder, write_atomic, write_private};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

const FORMAT: &str = "muster-run 1";
const RUN_FILE: &str = "run.toml";
const AUDIT_KEY_FILE: &str = "audit.key";
/// The last line of a whole `run.toml`. Half of one can read as a smaller configuration with more defaults.
const RUN_FILE_END: &str = "# end of run.toml\n";
const SUBFOLDERS: [&str; 5] = ["training", "audit", "checkpoints", "matches", "logs"];

/// What is known of a run when it is created, beside its configuration.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunFacts {
    /// Fingerprint of rules, features and action table: 64 hexadecimal digits.
    pub fingerprint: String,
    /// The text behind it, so that a difference can be shown.
    #[serde(default)]
    pub fingerprint_text: String,
    /// The build that created the run.
    pub build: String,
    /// What evaluations' bits depend on, as the first worker measured it; empty where no worker was asked.
    #[serde(default)]
    pub numerics: String,
}

/// `run.toml`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RunFile {
    format: String,
    /// Tells whether two runs share a deal secret; says nothing about it.
    deal_secret_digest: String,
    facts: RunFacts,
    config: RunConfig,
}

/// An opened run folder. Paths are as given, not made absolute.
#[derive(Clone, Debug)]
pub struct RunFolder {
    root: PathBuf,
    config: ValidConfig,
    facts: RunFacts,
    deal_secret_digest: String,
}

/// Why a folder cannot be used as a run.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    #[error(
        "{0} is no run folder: it does not exist; `muster up --config FILE --run {0}` creates it"
    )]
    Absent(PathBuf),
    #[error(
        "{0} is not a run folder: it holds files but no run.toml; name an empty or new folder, \
         or move these files away"
    )]
    Foreign(PathBuf),
    #[error(
        "{path} is not a whole run folder: {problem}; it was not finished or was damaged: \
         remove it if nothing in it matters, or restore it from a copy"
    )]
    HalfWritten { path: PathBuf, problem: String },
    #[error(
        "{path} was made for another game or build of it: its fingerprint is {found}, here it would be {expected}; \
         {differences}; use the configuration and the build ({build}) that made it, or start another run folder"
    )]
    OtherFingerprint {
        path: PathBuf,
        found: String,
        expected: String,
        differences: String,
        build: String,
    },
    #[error(
        "{0} is in use by another process ({1}); stop that one first, or name another run folder"
    )]
    Busy(PathBuf, &'static str),
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Config(#[from] ConfigError),
}

/// Held while a role owns a run folder; released when dropped or when the process ends.
#[derive(Debug)]
pub struct FolderLock {
    _file: File,
}

impl RunFolder {
    /// Creates the folder, or opens the run that is there after checking that it is the same game and that
    /// `config` changes only what a resume may change. Changed keys are stored.
    pub fn create_or_resume(
        root: &Path,
        config: &ValidConfig,
        facts: &RunFacts,
    ) -> Result<RunFolder, FolderError> {
        if is_empty_or_absent(root)? {
            return RunFolder::create(root, config, facts);
        }
        let mut folder = RunFolder::open(root)?;
        folder.expect_identity(&facts.fingerprint, &facts.fingerprint_text)?;
        config.may_resume(&folder.config, &root.join(RUN_FILE).display().to_string())?;
        let config = &config.with_recipient(folder.config.audit.recipient.clone());
        if config.to_toml() != folder.config.to_toml() {
            folder.config = config.clone();
            folder.write_run_file(root)?;
        }
        Ok(folder)
    }

    /// Creates a new run. The folder appears under its name only once everything in it is written.
    pub fn create(
        root: &Path,
        config: &ValidConfig,
        facts: &RunFacts,
    ) -> Result<RunFolder, FolderError> {
        if !is_empty_or_absent(root)? {
            return Err(FolderError::Foreign(root.to_owned()));
        }
        let parent = match root.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        fs::create_dir_all(parent).map_err(at(parent))?;
        let draft = tempfile::Builder::new()
            .prefix(".muster-new-run-")
            .tempdir_in(parent)
            .map_err(at(parent))?;
        for name in SUBFOLDERS {
            let path = draft.path().join(name);
            fs::create_dir(&path).map_err(at(&path))?;
        }
        let secret = match &config.run.deal_secret {
            Some(hex) => from_hex(hex).expect("a valid configuration's secret is 64 digits"),
            None => random_bytes().map_err(at(Path::new("/dev/urandom")))?,
        };
        let secret_path = secret_path(draft.path());
        write_private(&secret_path, to_hex(&secret).as_bytes()).map_err(at(&secret_path))?;
        let recipient = match config.audit.recipient {
            Some(_) => None,
            None => Some(make_audit_key(draft.path())?),
        };
        let folder = RunFolder {
            root: root.to_owned(),
            config: config.with_recipient(recipient),
            facts: facts.clone(),
            deal_secret_digest: secret_digest(&secret),
        };
        folder.write_run_file(draft.path())?;
        set_shared_permissions(draft.path()).map_err(at(draft.path()))?;
        let draft = draft.keep();
        // An empty folder of that name is replaced; anything else makes the rename fail.
        if let Err(source) = fs::rename(&draft, root) {
            let _ = fs::remove_dir_all(&draft);
            return Err(at(root)(source));
        }
        sync_folder(parent).map_err(at(parent))?;
        Ok(folder)
    }

    /// Opens a run that exists. Does not need the audit folder: a trainer has none.
    pub fn open(root: &Path) -> Result<RunFolder, FolderError> {
        if !root.is_dir() {
            return Err(FolderError::Absent(root.to_owned()));
        }
        let path = root.join(RUN_FILE);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(FolderError::Foreign(root.to_owned()));
            }
            Err(source) => return Err(FolderError::Io { path, source }),
        };
        let half_written =
            |problem: String| FolderError::HalfWritten { path: root.to_owned(), problem };
        if !text.ends_with(RUN_FILE_END) {
            return Err(half_written("run.toml does not end with its last line".to_owned()));
        }
        let file: RunFile = toml::from_str(&text)
            .map_err(|error| half_written(format!("run.toml does not read: {error}")))?;
        if file.format != FORMAT {
            return Err(half_written(format!(
                "run.toml has format {:?}, this build reads {FORMAT:?}",
                file.format
            )));
        }
        if let Some(missing) =
            SUBFOLDERS.iter().find(|name| **name != "audit" && !root.join(name).is_dir())
        {
            return Err(half_written(format!("its folder {missing}/ is missing")));
        }
        let config = file.config.validate(&path.display().to_string())?;
        Ok(RunFolder {
            root: root.to_owned(),
            config,
            facts: file.facts,
            deal_secret_digest: file.deal_secret_digest,
        })
    }

    /// Refuses the run if it was made with other rules, features or action numbers.
    pub fn expect_fingerprint(&self, expected: &str) -> Result<(), FolderError> {
        self.expect_identity(expected, "")
    }

    /// As [`RunFolder::expect_fingerprint`]; the text behind `expected` lets the error show what differs.
    pub fn expect_identity(&self, expected: &str, text: &str) -> Result<(), FolderError> {
        if self.facts.fingerprint == expected {
            return Ok(());
        }
        Err(FolderError::OtherFingerprint {
            path: self.root.clone(),
            found: self.facts.fingerprint.clone(),
            expected: expected.to_owned(),
            differences: differences(&self.facts.fingerprint_text, text),
            build: self.facts.build.clone(),
        })
    }

    /// Takes the folder for `role` (one process a role), or says that it is taken.
    pub fn lock(&self, role: &'static str) -> Result<FolderLock, FolderError> {
        let path = self.root.join(format!(".{role}.lock"));
        let file = File::create(&path).map_err(at(&path))?;
        match file.try_lock() {
            Ok(()) => Ok(FolderLock { _file: file }),
            Err(fs::TryLockError::WouldBlock) => Err(FolderError::Busy(self.root.clone(), role)),
            Err(fs::TryLockError::Error(source)) => Err(FolderError::Io { path, source }),
        }
    }

    /// The run's name: the last part of its path.
    pub fn name(&self) -> String {
        let full = fs::canonicalize(&self.root).unwrap_or_else(|_| self.root.clone());
        full.file_name()
            .map_or_else(|| "run".to_owned(), |name| name.to_string_lossy().into_owned())
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    pub fn config(&self) -> &ValidConfig {
        &self.config
    }

    pub fn facts(&self) -> &RunFacts {
        &self.facts
    }

    /// Public: equal for runs with the same deal secret.
    pub fn deal_secret_digest(&self) -> &str {
        &self.deal_secret_digest
    }

    /// The 32 bytes that deals derive from. Only the coordinator and audit tools ask for them.
    pub fn deal_secret(&self) -> Result<[u8; 32], FolderError> {
        let path = secret_path(&self.root);
        let text = fs::read_to_string(&path).map_err(at(&path))?;
        let problem = |problem: &str| FolderError::HalfWritten {
            path: self.root.clone(),
            problem: format!("{}: {problem}", path.display()),
        };
        let secret = from_hex(text.trim()).ok_or_else(|| problem("not 64 hexadecimal digits"))?;
        if secret_digest(&secret) != self.deal_secret_digest {
            return Err(problem("not the secret whose digest run.toml holds"));
        }
        Ok(secret)
    }

    /// The auditor's credential, 64 hexadecimal digits, drawn when it is first asked for. Only the coordinator and the
    /// auditor ask for it.
    pub fn auditor_token(&self) -> Result<String, FolderError> {
        let path = self.auditor_token_path();
        if !path.exists() {
            let drawn = random_bytes().map_err(at(Path::new("/dev/urandom")))?;
            // A temporary file is its owner's alone, and so is what it becomes.
            write_atomic(&path, to_hex(&drawn).as_bytes()).map_err(at(&path))?;
        }
        let text = fs::read_to_string(&path).map_err(at(&path))?;
        let token = text.trim();
        if from_hex(token).is_none() {
            return Err(FolderError::HalfWritten {
                path: self.root.clone(),
                problem: format!("{} does not hold 64 hexadecimal digits", path.display()),
            });
        }
        Ok(token.to_owned())
    }

    /// Beside the truth, which training cannot reach.
    pub fn auditor_token_path(&self) -> PathBuf {
        self.audit_dir().join("auditor.token")
    }

    pub fn sqlite_path(&self) -> PathBuf {
        self.root.join("coordinator.sqlite")
    }

    pub fn training_dir(&self) -> PathBuf {
        self.root.join("training")
    }

    /// One line of JSON for every accepted training shard.
    pub fn accepted_path(&self) -> PathBuf {
        self.training_dir().join("accepted.jsonl")
    }

    pub fn audit_dir(&self) -> PathBuf {
        self.root.join("audit")
    }

    /// The private half of the key that audit shards are sealed to. It may be kept elsewhere.
    pub fn audit_key_path(&self) -> PathBuf {
        self.root.join(AUDIT_KEY_FILE)
    }

    pub fn checkpoints_dir(&self) -> PathBuf {
        self.root.join("checkpoints")
    }

    pub fn checkpoint_dir(&self, id: &CheckpointId) -> PathBuf {
        self.checkpoints_dir().join(id.to_string())
    }

    pub fn matches_dir(&self) -> PathBuf {
        self.root.join("matches")
    }

    pub fn logs_dir(&self) -> PathBuf {
        self.root.join("logs")
    }

    /// Networks made by `muster train`, which registers nothing.
    pub fn retrained_dir(&self) -> PathBuf {
        self.root.join("retrained")
    }

    pub fn summary_path(&self) -> PathBuf {
        self.root.join("summary.json")
    }

    /// Whole checkpoints of the run, oldest first.
    pub fn checkpoints(&self) -> Result<Vec<CheckpointId>, FolderError> {
        let dir = self.checkpoints_dir();
        let mut ids = Vec::new();
        for entry in fs::read_dir(&dir).map_err(at(&dir))? {
            let entry = entry.map_err(at(&dir))?;
            let name = entry.file_name();
            let Ok(id) = name.to_string_lossy().parse::<CheckpointId>() else { continue };
            if entry.path().join("checkpoint.toml").is_file() {
                ids.push(id);
            }
        }
        ids.sort();
        Ok(ids)
    }

    /// Says where the coordinator listens.
    pub fn write_endpoint(&self, address: &str) -> Result<(), FolderError> {
        let path = self.endpoint_path();
        write_atomic(&path, format!("{address}\n").as_bytes()).map_err(at(&path))
    }

    /// Where the run's coordinator listened last; `None` if it never did.
    pub fn endpoint(&self) -> Result<Option<String>, FolderError> {
        let path = self.endpoint_path();
        match fs::read_to_string(&path) {
            Ok(text) => Ok(Some(text.trim().to_owned()).filter(|text| !text.is_empty())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(FolderError::Io { path, source }),
        }
    }

    pub fn endpoint_path(&self) -> PathBuf {
        self.root.join("endpoint")
    }

    fn write_run_file(&self, root: &Path) -> Result<(), FolderError> {
        let mut config = self.config.config().clone();
        config.run.deal_secret = None;
        let file = RunFile {
            format: FORMAT.to_owned(),
            deal_secret_digest: self.deal_secret_digest.clone(),
            facts: self.facts.clone(),
            config,
        };
        let mut text = toml::to_string(&file).expect("a run file holds only what TOML can write");
        text.push_str(RUN_FILE_END);
        let path = root.join(RUN_FILE);
        write_atomic(&path, text.as_bytes()).map_err(at(&path))
    }
}

/// The lines that stand in one of two fingerprint texts only; the first few.
fn differences(run: &str, here: &str) -> String {
    const SHOWN: usize = 3;
    if run.is_empty() || here.is_empty() {
        return "`muster config check` with its configuration shows this build's".to_owned();
    }
    let only_in = |a: &str, b: &str| -> Vec<String> {
        let others: std::collections::BTreeSet<&str> = b.lines().collect();
        a.lines()
            .filter(|line| !others.contains(line))
            .take(SHOWN)
            .map(|l| format!("{l:?}"))
            .collect()
    };
    format!(
        "only the run has: {}; only this build has: {}",
        only_in(run, here).join(", "),
        only_in(here, run).join(", ")
    )
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> FolderError + use<> {
    let path = path.to_owned();
    move |source| FolderError::Io { path, source }
}

fn is_empty_or_absent(root: &Path) -> Result<bool, FolderError> {
    match fs::read_dir(root) {
        Ok(mut entries) => Ok(entries.next().is_none()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(source) => Err(FolderError::Io { path: root.to_owned(), source }),
    }
}

/// A temporary folder is private; a run folder is as readable as any other.
fn set_shared_permissions(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

fn secret_path(root: &Path) -> PathBuf {
    root.join("audit").join("deal-secret")
}

/// Writes the private half; gives the public one.
fn make_audit_key(root: &Path) -> Result<String, FolderError> {
    let path = root.join(AUDIT_KEY_FILE);
    let key = AuditKey::of(random_bytes().map_err(at(Path::new("/dev/urandom")))?);
    write_private(&path, key.file_text().as_bytes()).map_err(at(&path))?;
    Ok(key.recipient())
}

fn random_bytes() -> io::Result<[u8; 32]> {
    let mut bytes = [0; 32];
    io::Read::read_exact(&mut File::open("/dev/urandom")?, &mut bytes)?;
    Ok(bytes)
}

/// The same digest as the game crate's deal secret prints.
fn secret_digest(secret: &[u8; 32]) -> String {
    blake3::keyed_hash(secret, b"deal-secret-digest").to_hex().to_string()
}

fn to_hex(bytes: &[u8; 32]) -> String {
    blake3::Hash::from_bytes(*bytes).to_hex().to_string()
}

fn from_hex(text: &str) -> Option<[u8; 32]> {
    blake3::Hash::from_hex(text).ok().map(|hash| *hash.as_bytes())
}

#[cfg(test)]
mod tests;
