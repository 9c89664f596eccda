//! `muster audit leaks`: becomes `muster-leaks`, which is built apart, because it is the one program that is given
//! the state of a truth.

use anyhow::{Context, bail};
use clap::Args;
use run::Exit;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;

const BINARY: &str = "muster-leaks";

/// Show that every planted leak is caught, and that the real program has no difference.
///
/// Starts `muster-leaks`. Exit codes: 0 every leak is caught and the real program has no difference, 3 otherwise.
#[derive(Args, Debug)]
pub struct LeaksArgs {
    /// Pairs of truths through which the real program is compared [default: 100000].
    #[arg(long)]
    pairs: Option<u64>,
    /// Pairs for each planted leak, at most [default: 20000].
    #[arg(long)]
    leak_pairs: Option<u64>,
    /// List the leaks and the tests that are meant for them.
    #[arg(long)]
    list: bool,
    /// Examine this leak alone and say what was found where.
    #[arg(long, value_name = "NAME")]
    leak: Option<String>,
    /// Print one JSON object on standard output.
    #[arg(long)]
    json: bool,
    /// Where muster-leaks lies, if not beside this program.
    #[arg(long, value_name = "PATH")]
    binary: Option<PathBuf>,
}

impl LeaksArgs {
    /// The same for `muster-leaks`.
    fn passed_on(&self) -> Vec<OsString> {
        let mut rest: Vec<OsString> = Vec::new();
        let pairs = [("--pairs", self.pairs), ("--leak-pairs", self.leak_pairs)];
        for (flag, value) in pairs.into_iter().filter_map(|(flag, value)| Some((flag, value?))) {
            rest.extend([flag.into(), value.to_string().into()]);
        }
        if let Some(name) = &self.leak {
            rest.extend(["--leak".into(), name.into()]);
        }
        let flags = [("--list", self.list), ("--json", self.json)];
        rest.extend(flags.into_iter().filter(|(_, is_set)| *is_set).map(|(flag, _)| flag.into()));
        rest
    }
}

/// Entry point of the command: returns only if `muster-leaks` cannot be started.
pub fn run(args: &LeaksArgs) -> anyhow::Result<Exit> {
    let own = std::env::current_exe().context("cannot find where this program lies")?;
    let path = args.binary.clone().unwrap_or_else(|| own.with_file_name(BINARY));
    if !path.is_file() {
        bail!(
            "{} is missing: in a checkout run\n  cargo build --release --locked --manifest-path \
             leaks/Cargo.toml\nand give the {BINARY} that it makes in the release folder of cargo's target \
             folder: muster audit leaks --binary PATH",
            path.display()
        );
    }
    let error = Command::new(&path).args(args.passed_on()).exec();
    Err(error).with_context(|| format!("cannot start {}", path.display()))
}
