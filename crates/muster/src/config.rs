//! `muster config check|print`: a configuration with every part of it read by the crate that uses it.

use crate::games;
use anyhow::Context;
use clap::{Args, Subcommand};
use run::{Exit, RunConfig, ValidConfig};
use search::SearchParams;
use std::path::{Path, PathBuf};

/// Check a configuration, or print it with every default filled in.
#[derive(Args)]
pub struct ConfigArgs {
    #[command(subcommand)]
    command: ConfigCommand,
}

#[derive(Subcommand)]
enum ConfigCommand {
    /// Read a configuration as a run would and say whether it can be used.
    Check(FileArgs),
    /// Print the resolved configuration: every key, defaults included.
    Print(FileArgs),
}

#[derive(Args)]
struct FileArgs {
    /// The file, e.g. configs/quickstart.toml.
    file: PathBuf,
    /// Override one value, e.g. --set selfplay.batch=32. May be given more than once.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    overrides: Vec<String>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub fn run(args: &ConfigArgs) -> anyhow::Result<Exit> {
    match &args.command {
        ConfigCommand::Check(args) => {
            let config = load(&args.file, &args.overrides)?;
            let identity = games::identity(&config.run.game, &config.rules)?;
            if args.json {
                let object = serde_json::json!({
                    "file": args.file,
                    "game": config.run.game,
                    "fingerprint": identity.fingerprint,
                    "ok": true,
                });
                println!("{object}");
            } else {
                println!(
                    "{}: ok, {} {}",
                    args.file.display(),
                    config.run.game,
                    identity.fingerprint
                );
            }
        }
        ConfigCommand::Print(args) => {
            let config = load(&args.file, &args.overrides)?;
            if args.json {
                println!("{}", serde_json::to_string(&config)?);
            } else {
                print!("{}", config.to_toml());
            }
        }
    }
    Ok(Exit::Done)
}

/// Reads a configuration with the parts that `run` cannot check: rules options and search parameters.
pub fn load(file: &Path, overrides: &[String]) -> anyhow::Result<ValidConfig> {
    let config = RunConfig::load_valid(file, overrides)?;
    let place = || format!("config {}", file.display());
    search_params(&config).with_context(place)?;
    games::identity(&config.run.game, &config.rules)
        .map_err(|error| run::exit::Usage(format!("[rules]: {error:#}")))
        .with_context(place)?;
    Ok(config)
}

fn search_params(config: &ValidConfig) -> Result<SearchParams, run::exit::Usage> {
    let usage = |error: &dyn std::fmt::Display| {
        run::exit::Usage(format!(
            "[search]: {}; configs/README.md lists every key",
            error.to_string().trim_end()
        ))
    };
    let params: SearchParams =
        config.search.clone().try_into().map_err(|error: toml::de::Error| usage(&error))?;
    params.check().map_err(|error| usage(&error))?;
    Ok(params)
}
