//! `muster`: the front door. It reads the command line, does what needs no network weights, starts and watches the
//! role binaries, and hands everything else over to the binary beside its own. It never holds a game's truth.

mod bench;
mod check;
mod config;
mod coordinator;
mod doctor;
mod games;
mod hand_over;
mod perft;
mod solve;
mod status;
mod up;

use clap::{Args, Parser, Subcommand};
use run::Exit;
use std::ffi::OsString;
use std::process::ExitCode;

/// Self-play training for games with hidden information.
///
/// Four jobs, each by one command:
///   launch    muster up --config configs/quickstart.toml --run runs/x
///   retrain   muster train --run runs/x --steps 500
///   audit     muster audit verify runs/x
///   evaluate  muster arena runs/x@last random --pairs 40
///
/// `muster COMMAND --help` says more. With --json a command prints exactly one object on standard output. Exit
/// codes: 0 done, 1 failed, 2 usage, 3 a check found problems, 75 try again.
#[derive(Parser)]
#[command(name = "muster", version, verbatim_doc_comment)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Up(up::UpArgs),
    Coordinator(coordinator::CoordinatorArgs),
    /// Join a run: play games for a coordinator.
    #[command(disable_help_flag = true)]
    Worker(Rest),
    /// Join a run: train on its shards and publish checkpoints.
    #[command(disable_help_flag = true)]
    Trainer(Rest),
    /// Join a run: verify its shards.
    #[command(disable_help_flag = true)]
    Auditor(Rest),
    Status(status::StatusArgs),
    /// Retrain a network from shards that exist; no coordinator, no audit folder.
    #[command(disable_help_flag = true)]
    Train(Rest),
    /// Look at the truth of recorded games, or prove every training row against it.
    #[command(disable_help_flag = true)]
    Audit(Rest),
    /// Play two players head to head, or a ladder of a run's checkpoints.
    #[command(disable_help_flag = true)]
    Arena(Rest),
    /// Play against any player in the terminal.
    #[command(disable_help_flag = true)]
    Play(Rest),
    /// Any player as a process on a line protocol.
    #[command(disable_help_flag = true)]
    Player(Rest),
    /// Search one position and print worlds, visits and values.
    #[command(disable_help_flag = true)]
    Search(Rest),
    /// Play one recorded game again, bit for bit.
    #[command(disable_help_flag = true)]
    Replay(Rest),
    Solve(solve::SolveArgs),
    Bench(bench::BenchArgs),
    Perft(perft::PerftArgs),
    Check(check::CheckArgs),
    Games(games::GamesArgs),
    Config(config::ConfigArgs),
    Doctor(doctor::DoctorArgs),
}

/// Arguments that another binary reads.
#[derive(Args)]
struct Rest {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGS")]
    rest: Vec<OsString>,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    run::exit::main(|| dispatch(cli.command))
}

fn dispatch(command: Command) -> anyhow::Result<Exit> {
    use hand_over::{TRAINER, WORKER, hand_over};
    match command {
        Command::Up(args) => up::run(&args),
        Command::Coordinator(args) => coordinator::run(&args),
        Command::Worker(args) => hand_over(WORKER, &["run"], &args.rest),
        Command::Trainer(args) => hand_over(TRAINER, &["run"], &args.rest),
        Command::Auditor(args) => hand_over(WORKER, &["auditor"], &args.rest),
        Command::Status(args) => status::run(&args),
        Command::Train(args) => hand_over(TRAINER, &["train"], &args.rest),
        Command::Audit(args) => hand_over(WORKER, &["audit"], &args.rest),
        Command::Arena(args) => hand_over(WORKER, &["arena"], &args.rest),
        Command::Play(args) => hand_over(WORKER, &["play"], &args.rest),
        Command::Player(args) => hand_over(WORKER, &["player"], &args.rest),
        Command::Search(args) => hand_over(WORKER, &["search"], &args.rest),
        Command::Replay(args) => hand_over(WORKER, &["replay"], &args.rest),
        Command::Solve(args) => solve::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Perft(args) => perft::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Games(args) => games::run(&args),
        Command::Config(args) => config::run(&args),
        Command::Doctor(args) => doctor::run(&args),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }

    #[test]
    fn what_another_binary_reads_passes_through_untouched() {
        let words = ["muster", "arena", "a@last", "--help", "--pairs", "3", "--", "-x"];
        let Command::Arena(args) = Cli::parse_from(words).command else { panic!("not arena") };
        assert_eq!(args.rest, ["a@last", "--help", "--pairs", "3", "--", "-x"]);
        let words = ["muster", "train", "--help"];
        let Command::Train(args) = Cli::parse_from(words).command else { panic!("not train") };
        assert_eq!(args.rest, ["--help"]);
    }
}
