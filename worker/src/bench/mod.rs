//! `bench net` and `bench selfplay`: how fast evaluation is, and how much of it self-play uses.

mod net_speed;
mod selfplay_speed;

use anyhow::Context;
use clap::{Args, Subcommand};
use net::{Architecture, Precision};
use run::{RunConfig, ValidConfig};
use std::path::PathBuf;

/// Measure this machine. Figures are per second of wall time; close other programs first.
#[derive(Args, Debug)]
pub struct BenchArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Debug)]
enum What {
    /// Forward passes alone, one thread, for each precision.
    Net(CommonArgs),
    /// Self-play with random weights, and the ceiling: as many threads that only do forward passes.
    Selfplay(CommonArgs),
}

#[derive(Args, Debug)]
struct CommonArgs {
    /// Configuration whose network, batch and search are measured.
    #[arg(long, default_value = "configs/quickstart.toml")]
    config: PathBuf,
    /// Overrides, as in `muster up`.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    overrides: Vec<String>,
    /// Seconds of each measurement.
    #[arg(long, default_value_t = 10.0)]
    seconds: f64,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

impl CommonArgs {
    fn config(&self) -> anyhow::Result<ValidConfig> {
        Ok(RunConfig::load_valid(&self.config, &self.overrides)?)
    }
}

/// Entry point of the command.
pub fn run(args: BenchArgs) -> anyhow::Result<()> {
    net::use_one_thread();
    match args.what {
        What::Net(args) => net_speed::run(&args),
        What::Selfplay(args) => selfplay_speed::run(&args),
    }
}

fn architecture(config: &ValidConfig) -> anyhow::Result<Architecture> {
    config.network.to_table().try_into().context("[network]")
}

/// What figures depend on beside the machine: printed with each.
fn conditions(precision: Precision, batch: usize) -> String {
    net::numerics(precision, batch)
}
