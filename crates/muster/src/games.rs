//! `muster games`: what the catalogue holds; and what else the front door asks of a game by name.

use anyhow::Context;
use catalog::GameVisitor;
use clap::Args;
use game::{Belief, PipelineGame};
use run::Exit;

/// List the games by the names that --game, configs and `muster solve` take.
#[derive(Args)]
pub struct GamesArgs {
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub fn run(args: &GamesArgs) -> anyhow::Result<Exit> {
    if args.json {
        let (games, solvable) = (catalog::names(), catalog::solvable_names());
        println!("{}", serde_json::json!({ "games": games, "solvable": solvable }));
    } else {
        catalog::names().iter().for_each(|name| println!("{name}"));
    }
    Ok(Exit::Done)
}

/// The fingerprint of a game with its options, and the text behind it.
pub struct Identity {
    pub fingerprint: String,
    pub text: String,
}

struct Identify;

impl GameVisitor for Identify {
    type Output = Identity;

    fn visit<G: PipelineGame, B: Belief<G>>(self, rules: G, _: B) -> Identity {
        Identity { fingerprint: rules.fingerprint().to_string(), text: rules.fingerprint_text() }
    }
}

/// Looks a game up and reads its options.
pub fn identity(name: &str, options: &toml::Table) -> anyhow::Result<Identity> {
    catalog::visit(name, options, Identify).with_context(|| format!("game {name}"))
}

/// `--rule key=value` pairs as the options table of a game.
pub fn options(pairs: &[String]) -> anyhow::Result<toml::Table> {
    let mut table = toml::Table::new();
    for pair in pairs {
        let (key, value) = pair
            .split_once('=')
            .ok_or_else(|| run::exit::Usage(format!("--rule {pair}: expected key=value")))?;
        let value = match toml::from_str::<toml::Table>(&format!("v = {value}")) {
            Ok(mut parsed) if parsed.len() == 1 => parsed.remove("v").context("value")?,
            _ => toml::Value::String(value.to_owned()),
        };
        table.insert(key.to_owned(), value);
    }
    Ok(table)
}
