//! `muster arena --ladder RUN`: an Elo table of all checkpoints of a run.

use super::game::MatchSeeds;
use super::pool::{MatchPlan, play_match};
use super::report::pair_counts;
use super::{ArenaArgs, ladder_svg, threads};
use crate::player::Mind;
use crate::player::{Player, play_params};
use crate::setting::Setting;
use anyhow::{Context, ensure};
use catalog::GameVisitor;
use game::{Belief, PipelineGame};
use net::Checkpoint;
use run::exit::Usage;
use run::files::write_atomic;
use run::player_name::SearchOptions;
use run::{CheckpointId, Exit, Progress, RunFolder};
use serde::Serialize;
use stats::{Encounter, GameResult, Rating, fit_ladder};
use std::path::PathBuf;

/// Pairs of one encounter where `--pairs` is not given.
const PAIRS: u32 = 8;

/// `--json`.
#[derive(Serialize)]
struct LadderReport {
    run: String,
    /// By step. The first one's Elo is 0 by definition; intervals are relative to it.
    checkpoints: Vec<Rung>,
    encounters: Vec<Met>,
    pairs: u64,
    seed: u64,
    numerics: String,
    /// The table as a figure.
    svg: PathBuf,
}

#[derive(Serialize)]
pub struct Rung {
    pub checkpoint: String,
    pub step: u64,
    #[serde(flatten)]
    pub rating: Rating,
}

/// Games between two checkpoints, from the first one's view.
#[derive(Serialize)]
struct Met {
    a: String,
    b: String,
    wins: u64,
    draws: u64,
    losses: u64,
    truncated: u64,
}

pub struct Ladder<'a> {
    pub args: &'a ArenaArgs,
    pub setting: &'a Setting,
}

impl GameVisitor for Ladder<'_> {
    type Output = anyhow::Result<Exit>;

    fn visit<G: PipelineGame, B: Belief<G>>(self, rules: G, belief: B) -> Self::Output {
        let run = self.setting.run.as_ref().context("a ladder needs a run folder")?;
        let ids = run.checkpoints()?;
        let problem = "a ladder needs at least two checkpoints";
        ensure!(ids.len() > 1, Usage(format!("run {} has {}: {problem}", run.name(), ids.len())));
        let players = load(&rules, self.setting, run, &ids)?;
        let options =
            self.args.evaluation.options(&players.iter().collect::<Vec<_>>(), self.setting)?;
        let n_pairs = u64::from(self.args.pairs.unwrap_or(PAIRS));
        let seed = self.args.seed.unwrap_or(1);
        let meetings = meetings(players.len());
        let n_games = 2 * n_pairs * meetings.len() as u64;
        let progress = Progress::new("ladder", Some(n_games), "games");
        let (mut met, mut encounters) = (Vec::new(), Vec::new());
        for (meeting_idx, &(a, b)) in meetings.iter().enumerate() {
            let plan = MatchPlan {
                players: &[players[a].clone(), players[b].clone()],
                // Every encounter has deals of its own.
                seeds: MatchSeeds::new(seed.wrapping_add(1000 * meeting_idx as u64)),
                n_games: 2 * n_pairs,
                evaluator: options,
                n_threads: threads(self.args.threads),
            };
            let games = play_match(&rules, &belief, &plan, &progress)?;
            let count = |result| games.iter().filter(|g| g.result() == result).count() as u64;
            let n = games.len() as f64;
            encounters.push(Encounter {
                a,
                b,
                points: n * pair_counts(&games).score(),
                n_games: n,
            });
            met.push(Met {
                a: players[a].name.clone(),
                b: players[b].name.clone(),
                wins: count(GameResult::Win),
                draws: count(GameResult::Draw),
                losses: count(GameResult::Loss),
                truncated: count(GameResult::Truncated),
            });
        }
        progress.finish();
        let ratings = fit_ladder(players.len(), &encounters);
        let checkpoints: Vec<Rung> = ids
            .iter()
            .zip(ratings)
            .map(|(id, rating)| Rung { checkpoint: id.to_string(), step: id.step(), rating })
            .collect();
        let report = LadderReport {
            run: run.name(),
            svg: self.args.out.clone().unwrap_or_else(|| run.matches_dir()).join("ladder.svg"),
            pairs: n_pairs,
            seed,
            numerics: net::numerics(options.precision, options.batch_size),
            checkpoints,
            encounters: met,
        };
        keep(&report)?;
        match self.args.json {
            true => println!("{}", serde_json::to_string(&report)?),
            false => println!("{}\nfigure: {}", table(&report.checkpoints), report.svg.display()),
        }
        Ok(Exit::Done)
    }
}

fn load<G: PipelineGame>(
    rules: &G,
    setting: &Setting,
    run: &RunFolder,
    ids: &[CheckpointId],
) -> anyhow::Result<Vec<Player>> {
    let params = play_params(&SearchOptions::default(), setting)?;
    let text = rules.fingerprint_text();
    ids.iter()
        .map(|id| {
            let network = Box::new(Checkpoint::load(&run.checkpoint_dir(id), Some(&text))?.network);
            Ok(Player { name: id.to_string(), mind: Mind::Search { params, network } })
        })
        .collect()
}

/// Who meets whom: everyone where there are few, else each the checkpoints 1, 2, 4, … before it, and the first.
fn meetings(n_players: usize) -> Vec<(usize, usize)> {
    let is_met = |later: usize, earlier: usize| {
        n_players <= 5 || (later - earlier).is_power_of_two() || earlier == 0
    };
    (0..n_players)
        .flat_map(|later| (0..later).map(move |earlier| (later, earlier)))
        .filter(|&(later, earlier)| is_met(later, earlier))
        .collect()
}

fn keep(report: &LadderReport) -> anyhow::Result<()> {
    let folder = report.svg.parent().context("the figure lies in a folder")?;
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let json = serde_json::to_string_pretty(report)?;
    let files = [
        (report.svg.clone(), ladder_svg::figure(&report.checkpoints)),
        (folder.join("ladder.json"), json),
        (folder.join("ladder.txt"), table(&report.checkpoints) + "\n"),
    ];
    for (path, text) in files {
        write_atomic(&path, text.as_bytes()).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

fn table(rungs: &[Rung]) -> String {
    let mut lines = vec![format!(
        "{:>8} {:>6} {:>15} {:>13}  checkpoint",
        "step", "Elo", "95 %", "points/games"
    )];
    for Rung { checkpoint, step, rating } in rungs {
        let interval = format!("{:+.0} … {:+.0}", rating.elo_low, rating.elo_high);
        let points = format!("{}/{}", rating.points, rating.games);
        lines.push(format!(
            "{step:>8} {:>+6.0} {interval:>15} {points:>13}  {checkpoint}",
            rating.elo
        ));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_checkpoint_is_joined_to_the_first() {
        for n in 2..40 {
            let meetings = meetings(n);
            assert!((1..n).all(|later| meetings.contains(&(later, 0))));
            assert!((1..n).all(|later| meetings.contains(&(later, later - 1))));
            assert!(meetings.len() < n * 8, "{n}: {}", meetings.len());
        }
        assert_eq!(meetings(4).len(), 6);
    }
}
