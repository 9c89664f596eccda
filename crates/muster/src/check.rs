//! `muster check`: rules against independent references.

use anyhow::Context;
use clap::{Args, Subcommand};
use run::Exit;
use std::fs::File;
use std::path::PathBuf;

/// Check rules against games that an independent referee played.
#[derive(Args)]
pub struct CheckArgs {
    #[command(subcommand)]
    command: CheckCommand,
}

#[derive(Subcommand)]
enum CheckCommand {
    WarChest(WarChestArgs),
}

/// War Chest: replay recorded games and compare legal actions, states and perft at every ply.
///
/// One JSON object a line, plain or gzip; crates/warchest/src/check.rs describes the form. Exit code 3 where
/// anything differs.
#[derive(Args)]
struct WarChestArgs {
    /// The recorded games.
    #[arg(long, value_name = "FILE.jsonl.gz")]
    games: PathBuf,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub fn run(args: &CheckArgs) -> anyhow::Result<Exit> {
    let CheckCommand::WarChest(args) = &args.command;
    let place = || format!("{}", args.games.display());
    let file = File::open(&args.games).with_context(place)?;
    let report = catalog::war_chest_check::referee_games(file).with_context(place)?;
    if args.json {
        println!("{}", serde_json::to_string(&report)?);
    } else {
        println!(
            "{} games, {} plies: {} legal, {} state and {} perft mismatches",
            report.games,
            report.plies,
            report.legal_mismatches,
            report.state_mismatches,
            report.perft_mismatches
        );
    }
    if let Some(first) = &report.first_mismatch {
        eprintln!("first mismatch: {first}");
    }
    Ok(if report.is_clean() { Exit::Done } else { Exit::Problems })
}
