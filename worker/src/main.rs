//! `muster-worker`: the role that plays.

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Plays games: self-play for a run, matches between players, a person's games; and looks at what was played.
///
/// `muster` hands whole commands over to this binary.
#[derive(Parser, Debug)]
#[command(name = "muster-worker", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Arena(Box<worker::arena::ArenaArgs>),
    Audit(worker::audit::AuditArgs),
    Auditor(worker::auditor::AuditorArgs),
    Run(worker::selfplay::command::RunArgs),
    Bench(worker::bench::BenchArgs),
    Doctor(worker::doctor::DoctorArgs),
    Play(worker::play::PlayArgs),
    Player(worker::player_protocol::PlayerArgs),
    Replay(worker::replay::ReplayArgs),
    Search(worker::search_cmd::SearchArgs),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    run::logging::init();
    run::exit::main(|| match cli.command {
        Command::Arena(args) => worker::arena::run(*args),
        Command::Audit(args) => worker::audit::run(args),
        Command::Auditor(args) => worker::auditor::command::run(&args).map(|()| run::Exit::Done),
        Command::Run(args) => worker::selfplay::command::run(args).map(|()| run::Exit::Done),
        Command::Bench(args) => worker::bench::run(args).map(|()| run::Exit::Done),
        Command::Doctor(args) => worker::doctor::run(&args),
        Command::Play(args) => worker::play::run(args),
        Command::Player(args) => worker::player_protocol::run(args),
        Command::Search(args) => worker::search_cmd::run(args),
        Command::Replay(args) => worker::replay::run(args),
    })
}
