//! What came out of a match.

use super::game::{MatchedGame, seat_of_a};
use crate::player::forfeit::Fault;
use game::{Notation, PipelineGame};
use serde::Serialize;
use stats::{EloEstimate, GameResult, PairCounts, Sprt};
use std::collections::{BTreeMap, HashSet};

/// The sequential test's hypotheses and error rates.
#[derive(clap::Args, Debug, Clone, Copy)]
pub struct SprtArgs {
    /// The Elo difference (normalised) that `reject` stands for.
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    pub elo0: f64,
    /// The Elo difference (normalised) that `accept` stands for.
    #[arg(long, default_value_t = 20.0, allow_negative_numbers = true)]
    pub elo1: f64,
    /// Chance to accept where elo0 holds.
    #[arg(long, default_value_t = 0.05)]
    pub alpha: f64,
    /// Chance to reject where elo1 holds.
    #[arg(long, default_value_t = 0.05)]
    pub beta: f64,
}

/// `muster arena --json`. Counts are games, from A's view; wins + draws + losses + truncated = 2 · pairs.
#[derive(Serialize, Clone, Debug)]
pub struct MatchReport {
    pub a: String,
    pub b: String,
    pub pairs: u64,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    /// Stopped by the cap of the game: no result, half a point, never called a draw.
    pub truncated: u64,
    /// (wins + (draws + truncated) / 2) / games.
    pub score: f64,
    /// A's Elo less B's with its 95 % interval, from pair scores.
    #[serde(flatten)]
    pub elo: EloEstimate,
    /// Log-likelihood ratio of elo1 to elo0 over pairs.
    pub llr: f64,
    /// accept, reject or undecided.
    pub decision: &'static str,
    /// How many games differ in set-up or plies from every other.
    pub distinct_games: u64,
    /// Pairs that gave A 0, ½, 1, 1½ and 2 points.
    pub pair_counts: [u64; 5],
    pub plies_mean: f64,
    /// Games that a program lost by a fault; they are among the wins and losses.
    pub forfeits: Vec<ForfeitCount>,
    pub seed: u64,
    pub numerics: String,
}

/// Games that one player forfeited for one kind of fault.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct ForfeitCount {
    /// a or b.
    pub player: &'static str,
    pub fault: Fault,
    pub games: u64,
    /// The first of these games, and what happened in it.
    pub first_game: u64,
    pub reason: String,
}

impl MatchReport {
    pub fn new<G: PipelineGame>(
        rules: &G,
        names: [String; 2],
        games: &[MatchedGame<G>],
        sprt: &Sprt,
        seed: u64,
        numerics: String,
    ) -> MatchReport {
        let count = |result| games.iter().filter(|game| game.result() == result).count() as u64;
        let counts = pair_counts(games);
        let n_plies: usize = games.iter().map(|game| game.plies.len()).sum();
        let [a, b] = names;
        MatchReport {
            a,
            b,
            pairs: counts.n_pairs(),
            wins: count(GameResult::Win),
            draws: count(GameResult::Draw),
            losses: count(GameResult::Loss),
            truncated: count(GameResult::Truncated),
            score: counts.score(),
            elo: EloEstimate::from_pairs(&counts),
            llr: sprt.llr(&counts),
            decision: sprt.decide(&counts).name(),
            distinct_games: distinct(rules, games),
            pair_counts: counts.0,
            plies_mean: n_plies as f64 / games.len().max(1) as f64,
            forfeits: forfeits(games),
            seed,
            numerics,
        }
    }

    /// For a person.
    pub fn text(&self) -> String {
        let mut text = format!(
            "{} against {}\n{} wins, {} draws, {} losses, {} truncated in {} games ({} distinct), score {:.3}\n\
             Elo {:+.0} (95 %: {:+.0} to {:+.0}); LLR {:.2}: {}",
            self.a,
            self.b,
            self.wins,
            self.draws,
            self.losses,
            self.truncated,
            2 * self.pairs,
            self.distinct_games,
            self.score,
            self.elo.elo,
            self.elo.elo_low,
            self.elo.elo_high,
            self.llr,
            self.decision
        );
        for ForfeitCount { player, fault, games, first_game, reason } in &self.forfeits {
            text += &format!(
                "\n{games} games forfeited by {player} ({}), the first game {first_game}: {reason}",
                fault.name()
            );
        }
        text
    }
}

/// By player and fault.
fn forfeits<G: PipelineGame>(games: &[MatchedGame<G>]) -> Vec<ForfeitCount> {
    let mut counts: BTreeMap<(&'static str, Fault), ForfeitCount> = BTreeMap::new();
    for game in games {
        let Some((seat, forfeit)) = &game.forfeit else { continue };
        let player = if *seat == seat_of_a(game.number) { "a" } else { "b" };
        let count = counts.entry((player, forfeit.fault)).or_insert_with(|| ForfeitCount {
            player,
            fault: forfeit.fault,
            games: 0,
            first_game: game.number,
            reason: forfeit.reason.clone(),
        });
        count.games += 1;
    }
    counts.into_values().collect()
}

/// Games lie in the order of their numbers, so that pairs are neighbours.
pub fn pair_counts<G: PipelineGame>(games: &[MatchedGame<G>]) -> PairCounts {
    let mut counts = PairCounts::default();
    for pair in games.chunks_exact(2) {
        counts.add(pair[0].result(), pair[1].result());
    }
    counts
}

fn distinct<G: Notation + PipelineGame>(rules: &G, games: &[MatchedGame<G>]) -> u64 {
    let texts: HashSet<_> =
        games.iter().map(|game| (rules.setup_text(&game.setup), &game.plies)).collect();
    texts.len() as u64
}
