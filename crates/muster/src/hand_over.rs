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

/// What every process that evaluates a network is started with, unless the environment says otherwise: without it the
/// linear algebra below libtorch may give a row another last digit by its place in memory (seen on AMD processors).
pub fn same_bits() -> (&'static str, OsString) {
    const KEY: &str = "MKL_CBWR";
    (KEY, std::env::var_os(KEY).unwrap_or_else(|| "AVX2,STRICT".into()))
}

/// Becomes the other binary, so that input, signals and exit code are its own. Returns only if that fails.
pub fn hand_over(name: &str, leading: &[&str], rest: &[OsString]) -> anyhow::Result<Exit> {
    let path = beside(name)?;
    let (key, value) = same_bits();
    let error = Command::new(&path).args(leading).args(rest).env(key, value).exec();
    Err(error).with_context(|| format!("cannot start {}", path.display()))
}
