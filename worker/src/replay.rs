//! `muster replay RUN GAME`: one game again, with its searches, bit for bit under equal numerics (RP1).

use crate::audit::again::SearchAgain;
use crate::audit::run_shards::{KeyArgs, RunShards};
use anyhow::Context;
use audit::two_worlds::differing_parts;
use audit::{SearchTask, Searcher, replay};
use catalog::GameVisitor;
use clap::Args;
use game::{Belief, PipelineGame, Seat};
use run::Exit;
use serde::Serialize;
use std::path::PathBuf;

/// Play one recorded game again, with its searches, and compare every bit with the record.
///
/// Equal bits are promised for equal numerics only (torch version, device, precision, kernel level, batch shape);
/// under others the game is replayed and its searches are compared for information. Exit code 3 when something
/// differs that should not.
#[derive(Args, Debug)]
pub struct ReplayArgs {
    /// Run folder.
    run: PathBuf,
    /// The game's id, or the beginning of it; `muster audit show RUN` lists them.
    game: String,
    /// Threads; 0 means one a core.
    #[arg(long, default_value_t = 0)]
    threads: u32,
    #[command(flatten)]
    key: KeyArgs,
    /// One JSON object on standard output.
    #[arg(long)]
    json: bool,
}

/// What a replay found.
#[derive(Serialize)]
struct Outcome {
    game: String,
    plies: usize,
    searches: usize,
    /// Searches that gave every recorded bit again.
    equal: usize,
    /// Whether equal bits are promised here.
    numerics_equal: bool,
    numerics: String,
    recorded_numerics: String,
    differences: Vec<String>,
}

/// Entry point of the command.
pub fn run(args: ReplayArgs) -> anyhow::Result<Exit> {
    let shards = RunShards::open(&args.run, &args.key)?;
    let config = shards.folder.config().clone();
    let as_json = args.json;
    let visitor = ReplayVisitor { args, shards };
    let outcome = catalog::visit(&config.run.game, &config.rules, visitor)??;
    for difference in &outcome.differences {
        eprintln!("{difference}");
    }
    if !outcome.numerics_equal {
        eprintln!(
            "numerics differ: recorded {:?}, here {:?}; equal bits are not promised",
            outcome.recorded_numerics, outcome.numerics
        );
    }
    if as_json {
        println!("{}", serde_json::to_string(&outcome)?);
    } else {
        println!(
            "game {}: {} plies replayed, {} of {} searches equal bit for bit",
            outcome.game, outcome.plies, outcome.equal, outcome.searches
        );
    }
    let is_wrong = outcome.numerics_equal && !outcome.differences.is_empty();
    Ok(if is_wrong { Exit::Problems } else { Exit::Done })
}

struct ReplayVisitor {
    args: ReplayArgs,
    shards: RunShards,
}

impl GameVisitor for ReplayVisitor {
    type Output = anyhow::Result<Outcome>;

    fn visit<G: PipelineGame, B: Belief<G>>(self, rules: G, belief: B) -> Self::Output {
        let fingerprint = rules.fingerprint();
        let folder = &self.shards.folder;
        folder.expect_identity(&fingerprint.to_string(), &rules.fingerprint_text())?;
        let (manifest, record) = self.shards.find_game(&self.args.game, fingerprint)?;
        let replayed = replay(&rules, &record)
            .with_context(|| format!("game {} does not replay", record.game))?;
        let n_threads = crate::selfplay::command::n_threads(self.args.threads);
        let mut searcher =
            SearchAgain::new(rules.clone(), belief, folder, &manifest.numerics, n_threads);
        let tasks: Vec<SearchTask<'_, G>> = record
            .plies
            .iter()
            .enumerate()
            .filter(|(_, row)| row.search.is_some())
            .filter_map(|(ply, row)| {
                let seat = Seat::new(row.seat?);
                let observation = replayed.observation(&rules, seat, ply);
                Some(SearchTask { record: &record, ply, seat, observation })
            })
            .collect();
        let mut differences = Vec::new();
        let mut n_equal = 0;
        for (task, answer) in tasks.iter().zip(searcher.search(&tasks)) {
            let ply = task.ply;
            let recorded = record.plies[ply].search.as_ref();
            let parts = match (&answer, recorded) {
                (Ok(again), Some(recorded)) => differing_parts(again, recorded).join(", "),
                (Err(reason), _) => reason.clone(),
                (Ok(_), None) => "no search is recorded".to_owned(),
            };
            if parts.is_empty() {
                n_equal += 1;
            } else {
                differences.push(format!("ply {ply}: {parts}"));
            }
        }
        Ok(Outcome {
            game: record.game.to_string(),
            plies: replayed.plies.len(),
            searches: tasks.len(),
            equal: n_equal,
            numerics_equal: searcher.repeats(&manifest.numerics),
            numerics: searcher.numerics().to_owned(),
            recorded_numerics: manifest.numerics.clone(),
            differences,
        })
    }
}
