//! What the trainer's process may open: the training root, checkpoints, logs and the system's libraries. Not the
//! audit root, the key that opens it, or the coordinator's store, even where the system's permissions would let it.

use anyhow::{Context, bail};
use run::confine::system;
use run::exit::Usage;
use run::{Confinement, Exit, FolderError, Openings, RunFolder};
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};

/// Opens the run folder to train on. Says so when it is given an audit root instead.
pub fn open_run(root: &Path) -> anyhow::Result<RunFolder> {
    match RunFolder::open(root) {
        Ok(folder) => {
            check_training_root(&folder)?;
            Ok(folder)
        }
        Err(FolderError::Foreign(_)) if is_audit_root(root) => Err(is_audit_error(root).into()),
        Err(error) => Err(error.into()),
    }
}

/// Refuses a run whose training root is its audit root, lies in it or holds it (IB4).
fn check_training_root(folder: &RunFolder) -> anyhow::Result<()> {
    let root = crate::train::training_root(folder)?;
    let place = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let training = place(&root);
    for audit in audit_roots(folder).iter().map(|audit| place(audit)) {
        if training.starts_with(&audit) || audit.starts_with(&training) {
            return Err(is_audit_error(&root).into());
        }
    }
    if is_audit_root(&root) {
        return Err(is_audit_error(&root).into());
    }
    Ok(())
}

/// What only an audit root holds.
fn is_audit_root(root: &Path) -> bool {
    let lists_audit = || {
        let text = fs::read_to_string(root.join("accepted.jsonl")).unwrap_or_default();
        text.lines().next().is_some_and(|line| line.contains(r#""kind":"audit""#))
    };
    root.join("deal-secret").exists() || lists_audit()
}

fn is_audit_error(root: &Path) -> Usage {
    Usage(format!(
        "{} is an audit root: it holds the truth of the games, which training may not read; give the \
         run folder, whose training/ holds what it may",
        root.display()
    ))
}

fn audit_roots(folder: &RunFolder) -> Vec<PathBuf> {
    let stored = folder.config().stores.audit.as_deref();
    let elsewhere = stored.and_then(|url| url.strip_prefix("file://")).map(PathBuf::from);
    std::iter::once(folder.audit_dir()).chain(elsewhere).collect()
}

/// Everything of a run that is closed to its trainer.
pub fn closed(folder: &RunFolder) -> Vec<PathBuf> {
    let store = folder.sqlite_path();
    let beside = |suffix: &str| {
        let mut path = store.clone().into_os_string();
        path.push(suffix);
        PathBuf::from(path)
    };
    let mut closed = audit_roots(folder);
    closed.extend([folder.audit_key_path(), beside("-wal"), beside("-shm")]);
    closed.push(store);
    closed
}

/// Confines this process to what training needs, and to what `also` names. Before its second thread.
pub fn confine(folder: &RunFolder, also: Openings) -> anyhow::Result<Confinement> {
    let mut openings = system();
    openings.read.extend(also.read);
    openings.read.push(folder.root().join("run.toml"));
    openings.read.push(crate::train::training_root(folder)?);
    openings.read.push(folder.training_dir());
    openings.write.extend(also.write);
    openings.write.extend([folder.checkpoints_dir(), folder.logs_dir()]);
    openings.closed = closed(folder);
    let confinement = run::confine::confine(&openings)?;
    if confinement.is_confined() {
        tracing::info!(%confinement, "confined");
    } else {
        tracing::warn!(
            %confinement,
            "the audit root is closed to the trainer by the system's permissions alone: give it another user"
        );
    }
    Ok(confinement)
}

/// Show what the trainer's process can open of a run, by trying.
///
/// Confines itself as the trainer does, then tries to open the audit root, the audit key and the coordinator's
/// store, and the training root. Exit code 3 when it could open something of the first.
#[derive(clap::Args, Debug, Clone)]
pub struct ConfinementArgs {
    /// The run folder.
    #[arg(long, value_name = "FOLDER")]
    run: PathBuf,
    /// Print one JSON object on standard output.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Tried {
    confinement: String,
    /// Of what must stay closed: paths that opened all the same.
    open: Vec<PathBuf>,
    /// Of what must stay closed: paths that did not.
    closed: Vec<PathBuf>,
}

/// The command.
pub fn run(args: &ConfinementArgs) -> anyhow::Result<Exit> {
    let folder = open_run(&args.run)?;
    let mut paths = Vec::new();
    for path in closed(&folder).into_iter().filter(|path| path.exists()) {
        list(&path, &mut paths).with_context(|| path.display().to_string())?;
    }
    let confinement = confine(&folder, Openings::default())?;
    let (open, closed): (Vec<_>, Vec<_>) = paths.into_iter().partition(|path| opens(path));
    if let Some(path) = needed(&folder)?.into_iter().find(|path| !opens(path)) {
        bail!("{} does not open, and training needs it", path.display());
    }
    let tried = Tried { confinement: confinement.to_string(), open, closed };
    if args.json {
        println!("{}", serde_json::to_string(&tried)?);
    } else {
        println!("confinement {}", tried.confinement);
        println!("{} paths stay closed", tried.closed.len());
    }
    for path in &tried.open {
        eprintln!("{} opens", path.display());
    }
    Ok(if tried.open.is_empty() { Exit::Done } else { Exit::Problems })
}

/// A path and all below it.
fn list(path: &Path, into: &mut Vec<PathBuf>) -> std::io::Result<()> {
    into.push(path.to_owned());
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            list(&entry?.path(), into)?;
        }
    }
    Ok(())
}

fn opens(path: &Path) -> bool {
    match fs::metadata(path) {
        Ok(meta) if meta.is_dir() => fs::read_dir(path).is_ok(),
        _ => fs::File::open(path).is_ok() || fs::File::options().append(true).open(path).is_ok(),
    }
}

fn needed(folder: &RunFolder) -> anyhow::Result<Vec<PathBuf>> {
    let training = crate::train::training_root(folder)?;
    let all =
        [training, folder.checkpoints_dir(), folder.logs_dir(), folder.root().join("run.toml")];
    Ok(all.into_iter().filter(|path| path.exists()).collect())
}
