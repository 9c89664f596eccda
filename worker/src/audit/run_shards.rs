//! A run's accepted shards, fetched from its two roots and opened with the auditor's key.

use anyhow::{Context, bail, ensure};
use audit::{AuditShard, GameRecord, Identity, Recipient, Shards};
use clap::Args;
use game::Fingerprint;
use record::accepted::Accepted;
use record::{ShardKind, ShardManifest, read_accepted};
use run::{RunFolder, Store};
use std::path::{Path, PathBuf};

/// The key that opens a run's audit shards.
#[derive(Args, Clone, Debug, Default)]
pub struct KeyArgs {
    /// File with the key that the run's audit shards are sealed to. Default: RUN/audit.key.
    #[arg(long, value_name = "FILE")]
    pub key: Option<PathBuf>,
}

impl KeyArgs {
    /// Reads the run's key; refuses another run's.
    pub fn read(&self, folder: &RunFolder) -> anyhow::Result<Identity> {
        let recipient = folder.config().audit.recipient.as_deref().with_context(|| {
            format!(
                "run {} names no audit.recipient: it was made by a build that did not seal audit \
                 shards; use that build",
                folder.root().display()
            )
        })?;
        let recipient: Recipient = recipient.parse().context("audit.recipient in run.toml")?;
        let path = self.key.clone().unwrap_or_else(|| folder.audit_key_path());
        Ok(Identity::read_for(&path, &recipient)?)
    }
}

/// One run, opened for an audit.
pub struct RunShards {
    pub folder: RunFolder,
    pub identity: Identity,
    pub shards: Shards,
    roots: Roots,
}

/// A run's two roots, to be read. Not to be used on a thread that drives an async runtime.
pub struct Roots {
    training: Store,
    audit: Store,
    runtime: tokio::runtime::Runtime,
}

impl Roots {
    pub fn open(folder: &RunFolder) -> anyhow::Result<Roots> {
        let stores = &folder.config().stores;
        let training = Store::open(stores.training.as_deref(), &folder.training_dir())?;
        let audit = Store::open(stores.audit.as_deref(), &folder.audit_dir())?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .context("async runtime")?;
        Ok(Roots { training, audit, runtime })
    }

    /// A shard's bytes, from the root of its kind.
    pub fn fetch(&self, manifest: &ShardManifest) -> Result<Vec<u8>, String> {
        let store = match manifest.kind {
            ShardKind::Training => &self.training,
            ShardKind::Audit => &self.audit,
        };
        self.runtime.block_on(store.get(&manifest.key)).map_err(|error| error.to_string())
    }
}

impl RunShards {
    /// Opens a run folder with its audit root and key. Lists what the coordinator accepted; reads no shard.
    pub fn open(root: &Path, key: &KeyArgs) -> anyhow::Result<RunShards> {
        let folder = RunFolder::open(root)?;
        let audit_dir = folder.audit_dir();
        ensure!(
            audit_dir.is_dir(),
            "run {} has no audit folder here: audits need it; copy it back or name another run",
            root.display()
        );
        let identity = key.read(&folder)?;
        let roots = Roots::open(&folder)?;
        let shards = Shards {
            training: accepted(&folder.accepted_path(), ShardKind::Training)?,
            audit: accepted(&audit_dir.join("accepted.jsonl"), ShardKind::Audit)?,
        };
        Ok(RunShards { folder, identity, shards, roots })
    }

    /// Leaves out the audit shards of what has not entered the window, where verification decides about that: their
    /// training shards are not listed. Gives how many that were.
    pub fn keep_window(&mut self) -> usize {
        if self.folder.config().audit.admission == run::config::Admission::None {
            return 0;
        }
        let key = |it: &ShardManifest| (it.job.clone(), it.attempt, it.epoch);
        let listed: std::collections::BTreeSet<_> = self.shards.training.iter().map(key).collect();
        let before = self.shards.audit.len();
        self.shards.audit.retain(|it| listed.contains(&key(it)));
        before - self.shards.audit.len()
    }

    /// A shard's bytes, from the root of its kind.
    pub fn fetch(&self, manifest: &ShardManifest) -> Result<Vec<u8>, String> {
        self.roots.fetch(manifest)
    }

    /// Reads one audit shard, strictly. The error names the shard.
    pub fn read_audit(
        &self,
        manifest: &ShardManifest,
        fingerprint: Fingerprint,
    ) -> anyhow::Result<AuditShard> {
        let bytes = self.fetch(manifest).map_err(anyhow::Error::msg)?;
        audit::read_audit_of(manifest, &bytes, &self.identity, fingerprint)
            .with_context(|| format!("audit shard {}", manifest.shard))
    }

    /// Hands over every audit shard that can be read, one at a time, in the order of acceptance; gives an error for
    /// each of the others, naming it.
    pub fn each_audit<'s>(
        &'s self,
        fingerprint: Fingerprint,
        mut take: impl FnMut(&'s ShardManifest, AuditShard),
    ) -> Vec<anyhow::Error> {
        let mut faults = Vec::new();
        for manifest in &self.shards.audit {
            match self.read_audit(manifest, fingerprint) {
                Ok(shard) => take(manifest, shard),
                Err(fault) => faults.push(fault),
            }
        }
        faults
    }

    /// The game whose id begins with `text`. A damaged shard matters only where no other holds the game.
    pub fn find_game(
        &self,
        text: &str,
        fingerprint: Fingerprint,
    ) -> anyhow::Result<(&ShardManifest, GameRecord)> {
        let mut found = Vec::new();
        let faults = self.each_audit(fingerprint, |manifest, shard| {
            let of_that_name = |record: &GameRecord| record.game.to_string().starts_with(text);
            found.extend(shard.games.into_iter().filter(of_that_name).map(|it| (manifest, it)));
            // One more than is wanted says that it is not one.
            found.truncate(2);
        });
        if found.len() > 1 {
            bail!("more than one game's id begins with {text:?}; give more of it");
        }
        let found = found.pop();
        let root = self.folder.root().display();
        if let (None, Some(fault)) = (&found, faults.into_iter().next()) {
            let text =
                format!("game {text:?} of run {root} is in none of the shards that can be read");
            return Err(fault.context(text));
        }
        found.with_context(|| {
            format!("run {root} has no game {text:?}; `muster audit show {root}` lists its games")
        })
    }
}

fn accepted(path: &Path, kind: ShardKind) -> anyhow::Result<Vec<ShardManifest>> {
    if !path.exists() {
        bail!(
            "{} does not exist: the run has no accepted shard yet, or the list was lost (starting \
             the coordinator once writes it again)",
            path.display()
        );
    }
    let Accepted { manifests, torn } = read_accepted(path)?;
    if torn {
        tracing::warn!(path = %path.display(), "the last line is torn and is left out");
    }
    if let Some(other) = manifests.iter().find(|manifest| manifest.kind != kind) {
        bail!("{} lists shard {} of kind {:?}", path.display(), other.shard, other.kind);
    }
    Ok(manifests)
}
