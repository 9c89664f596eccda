//! `muster check`: rules and beliefs against independent references.

mod beliefs;

use anyhow::Context;
use beliefs::BeliefArgs;
use clap::{Args, Subcommand};
use run::Exit;
use std::fs::File;
use std::path::{Path, PathBuf};

/// Check rules and beliefs against what is known or can be enumerated.
#[derive(Args)]
pub struct CheckArgs {
    #[command(subcommand)]
    command: CheckCommand,
}

#[derive(Subcommand)]
enum CheckCommand {
    WarChest(WarChestArgs),
}

/// War Chest: its rules with --games, its beliefs with --beliefs.
///
/// With --games: replay recorded games and compare legal actions, states and perft at every ply; one JSON object a
/// line, plain or gzip, in the form that crates/warchest/src/check/referee_games.rs describes.
///
/// With --beliefs: compare exact-uniform and labelled-uniform, as rational numbers, with all histories of mini games;
/// look for the truth in the support at every ply of games under all options; and test in uniform games whether the
/// truth lies where exact-uniform says (ks_p), and whether equal weights are found out (ks_p_control).
///
/// Exit code 3 where anything differs.
#[derive(Args)]
struct WarChestArgs {
    /// The recorded games.
    #[arg(long, value_name = "FILE.jsonl.gz", required_unless_present = "beliefs")]
    games: Option<PathBuf>,
    #[command(flatten)]
    beliefs: BeliefArgs,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub fn run(args: &CheckArgs) -> anyhow::Result<Exit> {
    let CheckCommand::WarChest(args) = &args.command;
    match &args.games {
        Some(games) => referee_games(games, args.json),
        None => beliefs::run(&args.beliefs, args.json),
    }
}

fn referee_games(games: &Path, is_json: bool) -> anyhow::Result<Exit> {
    let place = || format!("{}", games.display());
    let file = File::open(games).with_context(place)?;
    let report = catalog::war_chest_check::referee_games(file).with_context(place)?;
    if is_json {
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
