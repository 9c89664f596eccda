//! `muster bench cfr`: iterations a second of every regret minimizer on small games.

use crate::games;
use crate::solve::algorithm::Minimization;
use crate::solve::minimizer::Minimizer;
use crate::solve::report::grouped;
use anyhow::{Context, bail};
use catalog::SolverVisitor;
use cfr::information::Everything;
use cfr::sampling::{Exploration, Sampling};
use cfr::{CompileError, Rule, Tree, Updates, compile};
use clap::Args;
use game::{Fingerprinted, Hidden, Notation, Render, Rules};
use run::Exit;
use run::exit::Usage;
use serde_json::{Value, json};
use std::time::Instant;

/// Regret minimizers on one core: a row for each game and algorithm.
#[derive(Args)]
pub struct CfrArgs {
    /// Only these games, by their names here: kuhn, leduc, leduc:suits=isomorphic, liars-dice, goofspiel; or any other
    /// that `muster solve` takes.
    #[arg(long, value_delimiter = ',', value_name = "GAME[:KEY=VALUE]")]
    games: Vec<String>,
    /// Only these algorithms.
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    algorithms: Vec<String>,
    /// Seconds for each row, in ten parts. The fastest counts: whatever else the machine does only makes one slower.
    #[arg(long, default_value_t = 1.0)]
    seconds: f64,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// What is measured where nothing else is asked for.
const GAMES: [&str; 5] =
    ["kuhn", "leduc", "leduc:suits=isomorphic", "liars-dice", "goofspiel:cards=4"];
const MINIMIZATIONS: [Minimization; 8] = [
    full_tree(Rule::Vanilla),
    full_tree(Rule::Plus),
    full_tree(Rule::Linear),
    full_tree(Rule::DCFR),
    full_tree(Rule::PredictivePlus),
    Minimization::Sampled(Sampling::External),
    Minimization::Sampled(Sampling::Outcome(Exploration::USUAL)),
    Minimization::Sampled(Sampling::Chance),
];
const N_PARTS: usize = 10;
const BYTES_MAX: u64 = 8 << 30;

const fn full_tree(rule: Rule) -> Minimization {
    Minimization::FullTree { rule, updates: Updates::Alternating }
}

/// The algorithm's name without its parameters.
fn name(minimization: &Minimization) -> &'static str {
    match minimization {
        Minimization::FullTree { rule, .. } => rule.name(),
        Minimization::Sampled(sampling) => sampling.name(),
    }
}

pub fn run(args: &CfrArgs) -> anyhow::Result<Exit> {
    if !(args.seconds > 0.0 && args.seconds <= 3600.0) {
        bail!(Usage("--seconds: give a number from 0 to 3600".to_owned()));
    }
    let known: Vec<&str> = MINIMIZATIONS.iter().map(name).collect();
    if let Some(wrong) = args.algorithms.iter().find(|given| !known.contains(&given.as_str())) {
        bail!(Usage(format!("--algorithms {wrong}: there is {}", known.join(", "))));
    }
    let named: Vec<&str> = args.games.iter().map(String::as_str).collect();
    let games = if named.is_empty() { &GAMES[..] } else { &named };
    let mut rows = Vec::new();
    for game in games {
        let (name, rules) = game.split_once(':').unwrap_or((game, ""));
        let rules: Vec<String> =
            rules.split(';').filter(|rule| !rule.is_empty()).map(str::to_owned).collect();
        let options = games::options(&rules)?;
        let tree = catalog::visit_solvable(name, &options, LayOut)
            .map_err(|error| Usage(error.to_string()))?
            .with_context(|| (*game).to_owned())?;
        rows.extend(measure_game(args, name, &rules.join(", "), &tree));
    }
    if args.json {
        println!("{}", json!({ "rows": rows.iter().map(Row::json).collect::<Vec<_>>() }));
    } else {
        rows.iter().for_each(|row| println!("{}", row.text()));
        println!("one core, built for {}", crate::doctor::built_for());
    }
    Ok(Exit::Done)
}

struct LayOut;

impl SolverVisitor for LayOut {
    type Output = Result<Tree, CompileError>;

    fn visit<G>(self, rules: G) -> Self::Output
    where
        G: Hidden + Rules<Setup = ()> + Notation + Render + Fingerprinted,
    {
        compile(&rules, &(), &Everything, BYTES_MAX)
    }
}

struct Row {
    game: String,
    rule: String,
    algorithm: String,
    iterations_per_s: f64,
    iterations_per_s_median: f64,
    information_sets: usize,
    histories: usize,
    kernel: String,
}

fn measure_game(args: &CfrArgs, game: &str, rule: &str, tree: &Tree) -> Vec<Row> {
    let wanted = |minimization: &&Minimization| {
        args.algorithms.is_empty()
            || args.algorithms.iter().any(|given| given == name(minimization))
    };
    let measure = |minimization: &Minimization| {
        let mut minimizer = minimization.begin(tree, 1);
        let (iterations_per_s, iterations_per_s_median) = speed(minimizer.as_mut(), args.seconds);
        Row {
            game: game.to_owned(),
            rule: rule.to_owned(),
            algorithm: minimization.to_string(),
            iterations_per_s,
            iterations_per_s_median,
            information_sets: tree.information_sets().len(),
            histories: tree.n_nodes(),
            kernel: minimizer.kernel(),
        }
    };
    MINIMIZATIONS.iter().filter(wanted).map(measure).collect()
}

/// Iterations a second in the fastest and in the middle one of the parts.
fn speed(minimizer: &mut dyn Minimizer, seconds: f64) -> (f64, f64) {
    let part_s = seconds / N_PARTS as f64;
    // Warms the caches, and tells how many iterations a look at the clock is worth.
    let started = Instant::now();
    let mut n = 0u64;
    while n == 0 || started.elapsed().as_secs_f64() < part_s / 10.0 {
        minimizer.run(1);
        n += 1;
    }
    let batch = (n / 4).max(1);
    let mut speeds = [0.0; N_PARTS];
    for speed in &mut speeds {
        let started = Instant::now();
        let mut n = 0u64;
        while n == 0 || started.elapsed().as_secs_f64() < part_s {
            minimizer.run(batch);
            n += batch;
        }
        *speed = n as f64 / started.elapsed().as_secs_f64();
    }
    speeds.sort_by(f64::total_cmp);
    (speeds[N_PARTS - 1], speeds[N_PARTS / 2])
}

impl Row {
    fn json(&self) -> Value {
        json!({
            "game": self.game,
            "rule": self.rule,
            "algorithm": self.algorithm,
            "iterations_per_s": self.iterations_per_s.round(),
            "iterations_per_s_median": self.iterations_per_s_median.round(),
            "information_sets": self.information_sets,
            "histories": self.histories,
            "kernel": self.kernel,
            "level": crate::doctor::built_for(),
        })
    }

    fn text(&self) -> String {
        let game = match self.rule.as_str() {
            "" => self.game.clone(),
            rule => format!("{} ({rule})", self.game),
        };
        format!(
            "{game:<26} {:<16} {:>12} iterations a second, {}",
            self.algorithm,
            grouped(self.iterations_per_s as u64),
            self.kernel
        )
    }
}
