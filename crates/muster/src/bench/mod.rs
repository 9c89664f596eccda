//! `muster bench`: rules are measured here; what needs a network, a search or shards, by the binary that has them.

mod solvers;

use crate::games;
use crate::hand_over::{TRAINER, WORKER, hand_over};
use anyhow::Context;
use catalog::GameVisitor;
use clap::{Args, Subcommand};
use game::bench::{BeliefSpeed, RandomPlay, belief_speed, random_play};
use game::evaluate::UniformEvaluator;
use game::{Belief, Contradiction, PipelineGame};
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
    Belief(BeliefArgs),
    Cfr(solvers::CfrArgs),
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

/// A belief on one core, carried through games of random play that prefers control and attacks.
#[derive(Args)]
struct BeliefArgs {
    /// A game's name.
    #[arg(long, default_value = "war-chest")]
    game: String,
    /// An option of the game, e.g. --rule belief=exact-uniform. May be given more than once.
    #[arg(long = "rule", value_name = "KEY=VALUE")]
    rules: Vec<String>,
    /// How many positions, at least; each ply is one for each seat.
    #[arg(long, default_value_t = 100_000)]
    positions: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
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
        BenchCommand::Belief(args) => belief(args),
        BenchCommand::Cfr(args) => solvers::run(args),
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

struct CarryBelief {
    n_positions: usize,
    seed: u64,
}

impl GameVisitor for CarryBelief {
    type Output = (String, Result<BeliefSpeed, Contradiction>);

    fn visit<G: PipelineGame, B: Belief<G>>(self, rules: G, belief: B) -> Self::Output {
        (
            belief.name(),
            belief_speed(&rules, &belief, &mut UniformEvaluator, self.n_positions, self.seed),
        )
    }
}

/// Exits with 3 when a true configuration had no weight.
fn belief(args: &BeliefArgs) -> anyhow::Result<Exit> {
    let options = games::options(&args.rules)?;
    let visitor = CarryBelief { n_positions: args.positions, seed: args.seed };
    let (name, speed) = catalog::visit(&args.game, &options, visitor)
        .with_context(|| format!("game {}", args.game))?;
    let speed = speed.with_context(|| format!("belief {name}"))?;
    let level = crate::doctor::built_for();
    if args.json {
        let object = json!({
            "belief": name,
            "update_us_median": speed.update_us_median,
            "update_us_p999": speed.update_us_p999,
            "samples_per_s": speed.samples_per_s.round(),
            "support_median": speed.support_median,
            "support_p99": speed.support_p99,
            "support_max": speed.support_max,
            "truth_missing": speed.truth_missing,
            "positions": speed.positions,
            "evals_per_update": speed.evals_per_update,
            "game": args.game,
            "built_for": level,
        });
        println!("{object}");
    } else {
        println!(
            "{} with {name}: an update takes {:.2} us (median), {:.1} us (99.9 %); {:.0} worlds a \
             second; support {} (median), {} (99 %), {} (most); {} of {} positions without the \
             truth; one core, built for {level}",
            args.game,
            speed.update_us_median,
            speed.update_us_p999,
            speed.samples_per_s,
            speed.support_median,
            speed.support_p99,
            speed.support_max,
            speed.truth_missing,
            speed.positions
        );
    }
    Ok(if speed.truth_missing == 0 { Exit::Done } else { Exit::Problems })
}
