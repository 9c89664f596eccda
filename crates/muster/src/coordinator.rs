//! `muster coordinator`: makes the run folder (the coordinator itself knows no game and could not fingerprint it),
//! then becomes the coordinator.

use crate::hand_over::{COORDINATOR, WORKER, beside, hand_over};
use crate::{config, games};
use anyhow::Context;
use clap::Args;
use run::{Exit, RunFacts, RunFolder, ValidConfig};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Start a run's coordinator: lease jobs, accept shards, register checkpoints.
///
/// The run folder is created from --config, or resumed. Workers and a trainer join with --coordinator HOST:PORT.
/// It may be killed at any time; started again, it goes on where its last commit was.
#[derive(Args)]
pub struct CoordinatorArgs {
    /// Run folder.
    #[arg(long)]
    run: PathBuf,
    /// Configuration of the run. Not needed to resume one.
    #[arg(long)]
    config: Option<PathBuf>,
    /// Override one value of the configuration. May be given more than once.
    #[arg(long = "set", value_name = "KEY=VALUE", requires = "config")]
    overrides: Vec<String>,
    /// HOST:PORT to listen on, instead of the configuration's.
    #[arg(long)]
    listen: Option<String>,
    /// Allow an address that other machines can reach. There is no encryption and no password yet: only on a
    /// network where everyone is trusted.
    #[arg(long)]
    insecure: bool,
}

pub fn run(args: &CoordinatorArgs) -> anyhow::Result<Exit> {
    match &args.config {
        Some(file) => {
            create_or_resume(&args.run, &config::load(file, &args.overrides)?)?;
        }
        None => {
            let folder = RunFolder::open(&args.run)?;
            expect_same_game(&folder)?;
        }
    }
    let mut words: Vec<OsString> = vec!["--run".into(), args.run.clone().into()];
    if let Some(listen) = &args.listen {
        words.extend(["--listen".into(), listen.into()]);
    }
    if args.insecure {
        words.push("--insecure".into());
    }
    hand_over(COORDINATOR, &[], &words)
}

/// The run folder for this configuration.
pub fn create_or_resume(root: &Path, config: &ValidConfig) -> anyhow::Result<RunFolder> {
    let identity = games::identity(&config.run.game, &config.rules)?;
    let facts = RunFacts {
        fingerprint: identity.fingerprint,
        fingerprint_text: identity.text,
        build: run::build_id().to_owned(),
        numerics: numerics(),
    };
    RunFolder::create_or_resume(root, config, &facts).context("run folder")
}

/// Refuses a run that this build would play by other rules.
pub fn expect_same_game(folder: &RunFolder) -> anyhow::Result<()> {
    let config = folder.config();
    let identity = games::identity(&config.run.game, &config.rules)?;
    folder.expect_identity(&identity.fingerprint, &identity.text)?;
    Ok(())
}

/// What the worker of this build says its numbers depend on; empty on a machine that has no worker.
fn numerics() -> String {
    let ask = || {
        let output = std::process::Command::new(beside(WORKER).ok()?)
            .args(["doctor", "--json"])
            .output()
            .ok()?;
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).ok()?;
        Some(answer.get("numerics")?.as_str()?.to_owned())
    };
    ask().unwrap_or_default()
}
