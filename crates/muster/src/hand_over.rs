//! Other binaries of the same build: found beside this one, and started in its place.

use anyhow::{Context, bail};
use run::Exit;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;

pub const COORDINATOR: &str = "muster-coordinator";
pub const WORKER: &str = "muster-worker";
pub const TRAINER: &str = "muster-trainer";

/// The binary of that name beside this one.
pub fn beside(name: &str) -> anyhow::Result<PathBuf> {
    let own = std::env::current_exe().context("cannot find where this program lies")?;
    let path = own.with_file_name(name);
    if !path.is_file() {
        bail!(
            "{} is missing: it belongs beside {}; run scripts/setup.sh, which builds both",
            path.display(),
            own.display()
        );
    }
    Ok(path)
}

/// Becomes the other binary, so that input, signals and exit code are its own. Returns only if that fails.
pub fn hand_over(name: &str, leading: &[&str], rest: &[OsString]) -> anyhow::Result<Exit> {
    let path = beside(name)?;
    let error = Command::new(&path).args(leading).args(rest).exec();
    Err(error).with_context(|| format!("cannot start {}", path.display()))
}
