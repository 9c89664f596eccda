//! `muster perft`: how many action sequences of each length begin in a position.

use crate::games;
use anyhow::Context;
use catalog::GameVisitor;
use clap::Args;
use game::perft::{divide, perft};
use game::{Belief, PipelineGame, Stream};
use run::{Exit, Progress};
use serde_json::{Value, json};

/// Count the action sequences of each length from a position; chance outcomes count once each.
#[derive(Args)]
pub struct PerftArgs {
    /// A game's name.
    #[arg(default_value = "war-chest")]
    game: String,
    /// An option of the game, e.g. --rule pool=ranked. May be given more than once.
    #[arg(long = "rule", value_name = "KEY=VALUE")]
    rules: Vec<String>,
    /// The position as text. Without it, a random deal.
    #[arg(long, conflicts_with = "seed")]
    position: Option<String>,
    /// Seed of the random deal.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Longest sequences to count.
    #[arg(long, default_value_t = 4)]
    depth: u32,
    /// Split the count of the full depth by first action.
    #[arg(long)]
    divide: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

struct Perft<'a>(&'a PerftArgs);

impl GameVisitor for Perft<'_> {
    type Output = anyhow::Result<Value>;

    fn visit<G: PipelineGame, B: Belief<G>>(self, rules: G, _: B) -> anyhow::Result<Value> {
        let args = self.0;
        let mut state = match &args.position {
            Some(text) => {
                rules.parse_position(text).map_err(|error| run::exit::Usage(error.to_string()))?
            }
            None => rules.initial(&rules.deal(&mut Stream::from_seed(args.seed))),
        };
        let progress = Progress::new("perft", Some(u64::from(args.depth)), "depths");
        let mut counts = Vec::new();
        for depth in 1..=args.depth {
            counts.push(perft(&rules, &mut state, depth));
            progress.inc(1);
        }
        progress.finish();
        let mut found = json!({
            "game": args.game,
            "position": rules.position_text(&state),
            "counts": counts,
        });
        if args.divide && args.depth > 0 {
            let parts: Vec<Value> = divide(&rules, &mut state, args.depth)
                .into_iter()
                .map(|(action, count)| json!({ "action": rules.action_text(action), "count": count }))
                .collect();
            found["divide"] = parts.into();
        }
        Ok(found)
    }
}

pub fn run(args: &PerftArgs) -> anyhow::Result<Exit> {
    let options = games::options(&args.rules)?;
    let found = catalog::visit(&args.game, &options, Perft(args))
        .with_context(|| format!("game {}", args.game))??;
    if args.json {
        println!("{found}");
        return Ok(Exit::Done);
    }
    println!("{}", found["position"].as_str().unwrap_or_default());
    for (idx, count) in found["counts"].as_array().into_iter().flatten().enumerate() {
        println!("{:>3} {count:>16}", idx + 1);
    }
    for part in found["divide"].as_array().into_iter().flatten() {
        println!("{:>20} {}", part["count"], part["action"].as_str().unwrap_or_default());
    }
    Ok(Exit::Done)
}
