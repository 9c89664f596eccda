//! `muster-trainer`: the trainer as a process, and the commands that need one.

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Trains networks on the rows of accepted shards.
#[derive(Parser)]
#[command(name = "muster-trainer", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(trainer::service::ServiceArgs),
    Train(trainer::train::TrainArgs),
    Confinement(trainer::confine::ConfinementArgs),
    /// Measure one part.
    #[command(subcommand)]
    Bench(Bench),
}

#[derive(Subcommand)]
enum Bench {
    Loader(trainer::bench::LoaderArgs),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    run::logging::init();
    run::exit::main(|| match cli.command {
        Command::Run(args) => trainer::service::run(&args),
        Command::Train(args) => trainer::train::run(&args),
        Command::Confinement(args) => trainer::confine::run(&args),
        Command::Bench(Bench::Loader(args)) => trainer::bench::run_loader(&args),
    })
}
