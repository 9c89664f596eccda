//! `muster audit export RUN DIR`: a run's audit shards, opened, as plain Parquet for tools that know nothing of ours.

use super::run_shards::{KeyArgs, RunShards};
use anyhow::{Context, ensure};
use clap::Args;
use record::ShardManifest;
use record::container::{check_digest, check_header};
use run::exit::Usage;
use run::files::{sync_folder, write_private};
use run::{Exit, RunFolder};
use serde::Serialize;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Write a run's audit shards as plain Parquet, for DuckDB or pandas.
///
/// DIR appears whole or not at all, readable by its owner alone: it holds the truth of every game in plain text.
/// docs/formats.md has queries. A shard that cannot be opened or read is named and left out; exit code 3.
#[derive(Args, Debug)]
pub struct ExportArgs {
    /// Run folder.
    run: PathBuf,
    /// New or empty folder, outside of what training may read.
    dir: PathBuf,
    #[command(flatten)]
    key: KeyArgs,
    /// One JSON object on standard output.
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize, Default)]
struct ExportReport {
    shards: u64,
    games: u64,
    rows: u64,
    bytes: u64,
    /// Shards that were left out, and why.
    unreadable: Vec<String>,
}

/// Entry point of the command.
pub fn run(args: &ExportArgs) -> anyhow::Result<Exit> {
    let shards = RunShards::open(&args.run, &args.key)?;
    let parent = check_place(&shards.folder, &args.dir)?;
    let draft = tempfile::Builder::new()
        .prefix(".muster-export-")
        .permissions(fs::Permissions::from_mode(0o700))
        .tempdir_in(&parent)
        .with_context(|| format!("folder beside {}", args.dir.display()))?;
    let report = write_all(&shards, draft.path())?;
    ensure!(
        report.shards > 0 || report.unreadable.is_empty(),
        "no shard can be exported: {}",
        report.unreadable.join("; ")
    );
    // An empty folder of that name is replaced; anything else makes the rename fail.
    fs::rename(draft.path(), &args.dir)
        .with_context(|| format!("{} cannot be made", args.dir.display()))?;
    let _ = draft.keep();
    sync_folder(&parent).with_context(|| parent.display().to_string())?;
    if args.json {
        println!("{}", serde_json::to_string(&report)?);
    } else {
        println!(
            "{} shards, {} games, {} rows in {}",
            report.shards,
            report.games,
            report.rows,
            args.dir.display()
        );
    }
    for fault in &report.unreadable {
        eprintln!("{fault}");
    }
    Ok(if report.unreadable.is_empty() { Exit::Done } else { Exit::Problems })
}

/// Refuses a folder that holds something, and one that training may read. Gives the folder it will lie in.
fn check_place(folder: &RunFolder, dir: &Path) -> anyhow::Result<PathBuf> {
    let shown = dir.display();
    let is_free = match fs::read_dir(dir) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    };
    if !is_free {
        let text = format!("{shown} exists and is no empty folder; name a new one");
        return Err(Usage(text).into());
    }
    let Some(name) = dir.file_name() else {
        return Err(Usage(format!("{shown} has no name; name a new folder")).into());
    };
    let parent = match dir.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let parent = fs::canonicalize(parent)
        .with_context(|| format!("{}: make this folder first", parent.display()))?;
    let place = parent.join(name);
    let stored = folder.config().stores.training.as_deref();
    let open_to_training = [
        folder.training_dir(),
        folder.checkpoints_dir(),
        folder.logs_dir(),
        folder.retrained_dir(),
        PathBuf::from(stored.and_then(|url| url.strip_prefix("file://")).unwrap_or_default()),
    ];
    for open in open_to_training.iter().filter_map(|path| fs::canonicalize(path).ok()) {
        if place.starts_with(&open) {
            let text = format!(
                "{shown} lies in {}, which the trainer may read; the truth must not lie there: name \
                 a folder elsewhere",
                open.display()
            );
            return Err(Usage(text).into());
        }
    }
    Ok(parent)
}

fn write_all(shards: &RunShards, draft: &Path) -> anyhow::Result<ExportReport> {
    let mut report = ExportReport::default();
    for manifest in &shards.shards.audit {
        match open(shards, manifest) {
            Ok(plain) => {
                let path = draft.join(format!("{}.parquet", manifest.shard));
                write_private(&path, &plain).with_context(|| path.display().to_string())?;
                report.shards += 1;
                report.games += manifest.games;
                report.rows += manifest.rows;
                report.bytes += plain.len() as u64;
            }
            Err(fault) => {
                report.unreadable.push(format!("audit shard {}: {fault:#}", manifest.shard));
            }
        }
    }
    Ok(report)
}

/// The shard's Parquet file, checked as far as its own footer goes.
fn open(shards: &RunShards, manifest: &ShardManifest) -> anyhow::Result<Vec<u8>> {
    let sealed = shards.fetch(manifest).map_err(anyhow::Error::msg)?;
    check_digest(manifest, &sealed)?;
    let plain = shards.identity.open(&manifest.shard, &sealed)?;
    let header = record::container::read_header(&manifest.shard, &plain.clone().into())?;
    check_header(manifest, &header)?;
    Ok(plain)
}
