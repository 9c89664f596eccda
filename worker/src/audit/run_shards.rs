//! A run's accepted shards, fetched from its two roots.

use anyhow::{Context, bail, ensure};
use audit::{AuditShard, GameRecord, Shards};
use game::Fingerprint;
use record::accepted::Accepted;
use record::{ReadError, ShardKind, ShardManifest, read_accepted};
use run::{RunFolder, Store};
use std::path::Path;

/// One run, opened for an audit.
pub struct RunShards {
    pub folder: RunFolder,
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
    /// Opens a run folder with its audit root. Lists what the coordinator accepted; reads no shard.
    pub fn open(root: &Path) -> anyhow::Result<RunShards> {
        let folder = RunFolder::open(root)?;
        let audit_dir = folder.audit_dir();
        ensure!(
            audit_dir.is_dir(),
            "run {} has no audit folder here: audits need it; copy it back or name another run",
            root.display()
        );
        let roots = Roots::open(&folder)?;
        let shards = Shards {
            training: accepted(&folder.accepted_path(), ShardKind::Training)?,
            audit: accepted(&audit_dir.join("accepted.jsonl"), ShardKind::Audit)?,
        };
        Ok(RunShards { folder, shards, roots })
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

    /// Reads one audit shard, strictly.
    pub fn read_audit(
        &self,
        manifest: &ShardManifest,
        fingerprint: Fingerprint,
    ) -> anyhow::Result<AuditShard> {
        let bytes = self.fetch(manifest).map_err(anyhow::Error::msg)?;
        let read = || -> Result<AuditShard, ReadError> {
            record::container::check_digest(manifest, &bytes)?;
            let shard = audit::read_audit(&manifest.shard, bytes.clone(), fingerprint)?;
            record::container::check_header(manifest, &shard.header)?;
            Ok(shard)
        };
        read().with_context(|| format!("audit shard {}", manifest.shard))
    }

    /// The game whose id begins with `text`.
    pub fn find_game(
        &self,
        text: &str,
        fingerprint: Fingerprint,
    ) -> anyhow::Result<(&ShardManifest, GameRecord)> {
        let mut found = None;
        for manifest in &self.shards.audit {
            for record in self.read_audit(manifest, fingerprint)?.games {
                if !record.game.to_string().starts_with(text) {
                    continue;
                }
                if found.is_some() {
                    bail!("more than one game's id begins with {text:?}; give more of it");
                }
                found = Some((manifest, record));
            }
        }
        let root = self.folder.root().display();
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
