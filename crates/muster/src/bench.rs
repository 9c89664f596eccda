//! `muster bench`: rules are measured here; what needs a network, a search or shards, by the binary that has them.

use crate::games;
use crate::hand_over::{TRAINER, WORKER, hand_over};
use anyhow::Context;
use catalog::GameVisitor;
use clap::{Args, Subcommand};
use game::bench::{RandomPlay, random_play};
use game::{Belief, PipelineGame};
use run::Exit;
use serde_json::json;
use std::ffi::OsString;
use std::time::Duration;

/// Measure this machine.
#[derive(Args)]
pub struct BenchArgs {
    #[command(subcommand)]
    command: BenchCommand,
}

#[derive(Subcommand)]
enum BenchCommand {
    Engine(EngineArgs),
    /// Forward passes of the network.
    #[command(disable_help_flag = true)]
    Net(super::Rest),
    /// Self-play against the ceiling of its evaluator.
    #[command(disable_help_flag = true)]
    Selfplay(super::Rest),
    /// Shards to training batches.
    #[command(disable_help_flag = true)]
    Loader(super::Rest),
}

/// Rules on one core: uniform random play, draws included.
#[derive(Args)]
struct EngineArgs {
    /// A game's name.
    #[arg(long, default_value = "war-chest")]
    game: String,
    /// An option of the game, e.g. --rule pool=ranked. May be given more than once.
    #[arg(long = "rule", value_name = "KEY=VALUE")]
    rules: Vec<String>,
    /// Seconds to play.
    #[arg(long, default_value_t = 3.0)]
    seconds: f64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub fn run(args: &BenchArgs) -> anyhow::Result<Exit> {
    let rest = |rest: &super::Rest| -> Vec<OsString> { rest.rest.clone() };
    match &args.command {
        BenchCommand::Engine(args) => engine(args),
        BenchCommand::Net(args) => hand_over(WORKER, &["bench", "net"], &rest(args)),
        BenchCommand::Selfplay(args) => hand_over(WORKER, &["bench", "selfplay"], &rest(args)),
        BenchCommand::Loader(args) => hand_over(TRAINER, &["bench", "loader"], &rest(args)),
    }
}

struct PlayAtRandom {
    seconds: f64,
    seed: u64,
}

impl GameVisitor for PlayAtRandom {
    type Output = RandomPlay;

    fn visit<G: PipelineGame, B: Belief<G>>(self, rules: G, _: B) -> RandomPlay {
        random_play(&rules, Duration::from_secs_f64(self.seconds), self.seed)
    }
}

fn engine(args: &EngineArgs) -> anyhow::Result<Exit> {
    if !(args.seconds > 0.0 && args.seconds <= 86_400.0) {
        return Err(run::exit::Usage("--seconds: give a number from 0 to 86400".to_owned()).into());
    }
    let options = games::options(&args.rules)?;
    let visitor = PlayAtRandom { seconds: args.seconds, seed: args.seed };
    let played = catalog::visit(&args.game, &options, visitor)
        .with_context(|| format!("game {}", args.game))?;
    let level = crate::doctor::built_for();
    if args.json {
        let object = json!({
            "decisions_per_s": played.decisions_per_s().round(),
            "games_per_s": played.games_per_s().round(),
            "decisions": played.decisions,
            "games": played.games,
            "seconds": played.seconds,
            "game": args.game,
            "built_for": level,
        });
        println!("{object}");
    } else {
        println!(
            "{}: {:.0} decisions a second, {:.0} games a second, one core, built for {level}",
            args.game,
            played.decisions_per_s(),
            played.games_per_s()
        );
    }
    Ok(Exit::Done)
}
