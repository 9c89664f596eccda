//! `muster audit show RUN [GAME]`: a run's games, and one position of one game as a seat or nobody saw it.

use super::again::SearchAgain;
use super::run_shards::{KeyArgs, RunShards};
use anyhow::{Context, ensure};
use audit::rederive::legal_by_index;
use audit::{GameRecord, Replay, SearchRow, SearchTask, Searcher, replay};
use catalog::GameVisitor;
use clap::{Args, ValueEnum};
use game::{Belief, PipelineGame, Seat};
use run::{Exit, RunFolder};
use serde::Serialize;
use std::fmt::Write;
use std::path::PathBuf;

/// List a run's games, or draw one position of a game.
#[derive(Args, Debug)]
pub struct ShowArgs {
    /// Run folder.
    run: PathBuf,
    /// A game's id, or the beginning of one. Left out: all games are listed.
    game: Option<String>,
    /// Whose view is drawn. A seat's shows what it knew at that ply and nothing more: neither the game's end nor
    /// what comes next.
    #[arg(long, value_enum, default_value_t = View::Truth, requires = "game")]
    seat: View,
    /// Plies played before the drawn position, chance included; left out: the end of the game.
    #[arg(long, requires = "game")]
    ply: Option<usize>,
    /// Also print what the search at this ply did: worlds, N and Q.
    #[arg(long, requires = "game")]
    search: bool,
    /// One JSON object on standard output (the list of games).
    #[arg(long, conflicts_with = "game")]
    json: bool,
    #[command(flatten)]
    key: KeyArgs,
}

/// Whose view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum View {
    White,
    Black,
    Truth,
}

impl View {
    fn seat(self) -> Option<Seat> {
        match self {
            View::White => Some(Seat::FIRST),
            View::Black => Some(Seat::SECOND),
            View::Truth => None,
        }
    }
}

/// Entry point of the command.
pub fn run(args: ShowArgs) -> anyhow::Result<Exit> {
    let shards = RunShards::open(&args.run, &args.key)?;
    let config = shards.folder.config().clone();
    let shown = catalog::visit(&config.run.game, &config.rules, ShowVisitor { args, shards })??;
    print!("{}", shown.text);
    for fault in &shown.faults {
        eprintln!("{fault:#}");
    }
    Ok(if shown.faults.is_empty() { Exit::Done } else { Exit::Problems })
}

/// What is printed.
struct Shown {
    text: String,
    /// Shards that could not be read.
    faults: Vec<anyhow::Error>,
}

struct ShowVisitor {
    args: ShowArgs,
    shards: RunShards,
}

impl GameVisitor for ShowVisitor {
    type Output = anyhow::Result<Shown>;

    fn visit<G: PipelineGame, B: Belief<G>>(self, rules: G, belief: B) -> Self::Output {
        let fingerprint = rules.fingerprint();
        self.shards.folder.expect_identity(&fingerprint.to_string(), &rules.fingerprint_text())?;
        let Some(text) = &self.args.game else {
            let mut games = Vec::new();
            let faults = self.shards.each_audit(fingerprint, |manifest, shard| {
                games.extend(shard.games.iter().map(|record| Listed::of(&manifest.shard, record)));
            });
            return Ok(Shown { text: list(&games, &faults, self.args.json), faults });
        };
        let (manifest, record) = self.shards.find_game(text, fingerprint)?;
        let replayed = replay(&rules, &record)
            .with_context(|| format!("game {} does not replay", record.game))?;
        let ply = self.args.ply.unwrap_or(replayed.plies.len());
        let n_plies = replayed.plies.len();
        ensure!(
            ply <= n_plies,
            "game {} has {n_plies} plies; give --ply 0 to {n_plies}",
            record.game
        );
        let from = (&self.shards.folder, &*manifest.numerics);
        let worlds = sampled_worlds(&rules, &belief, from, &record, &replayed, ply)?;
        let picture = Picture { rules: &rules, record: &record, replayed: &replayed, ply, worlds };
        let text = picture.text(self.args.seat, self.args.search);
        Ok(Shown { text, faults: Vec::new() })
    }
}

/// One line of the list.
#[derive(Serialize)]
struct Listed {
    game: String,
    shard: String,
    plies: usize,
    searched: usize,
    result: String,
    players: Vec<String>,
}

impl Listed {
    fn of(shard: &str, record: &GameRecord) -> Listed {
        Listed {
            game: record.game.to_string(),
            shard: shard.to_owned(),
            plies: record.plies.len(),
            searched: record.plies.iter().filter(|ply| ply.search.is_some()).count(),
            result: result_text(record),
            players: record.setup.players.clone(),
        }
    }
}

fn result_text(record: &GameRecord) -> String {
    match record.setup.utilities.as_deref() {
        None => "truncated".to_owned(),
        Some([white, black]) if white > black => "white won".to_owned(),
        Some([white, black]) if white < black => "black won".to_owned(),
        Some(_) => "drawn".to_owned(),
    }
}

fn list(games: &[Listed], faults: &[anyhow::Error], as_json: bool) -> String {
    if as_json {
        let faults: Vec<String> = faults.iter().map(|fault| format!("{fault:#}")).collect();
        return format!("{}\n", serde_json::json!({ "games": games, "unreadable": faults }));
    }
    let mut out =
        format!("{:<32}  {:>5}  {:>8}  {:<9}  players\n", "game", "plies", "searched", "result");
    for game in games {
        let mut players = game.players.clone();
        players.dedup();
        let _ = writeln!(
            out,
            "{:<32}  {:>5}  {:>8}  {:<9}  {}",
            game.game,
            game.plies,
            game.searched,
            game.result,
            players.join(" against ")
        );
    }
    let _ = writeln!(out, "{} games", games.len());
    if !faults.is_empty() {
        let _ = writeln!(out, "{} shards could not be read", faults.len());
    }
    out
}

struct Picture<'a, G: PipelineGame> {
    rules: &'a G,
    record: &'a GameRecord,
    replayed: &'a Replay<G>,
    ply: usize,
    /// What the search at `ply` sampled.
    worlds: Vec<String>,
}

impl<G: PipelineGame> Picture<'_, G> {
    fn text(&self, view: View, with_search: bool) -> String {
        let state = self.replayed.before(self.ply);
        let (game, ply, n_plies) = (self.record.game, self.ply, self.replayed.plies.len());
        let mut out = String::new();
        match view.seat() {
            None => {
                let result = result_text(self.record);
                let _ = writeln!(out, "game {game}, ply {ply} of {n_plies}, {result}");
                out.push_str(&self.rules.draw_state(state));
                if let Some(&action) = self.replayed.plies.get(ply) {
                    let _ = writeln!(out, "next: {}", self.rules.action_text(action));
                }
            }
            // How long the game is, how it ends and what comes next are not known to a seat yet.
            Some(seat) if ply < n_plies => {
                let _ = writeln!(out, "game {game}, ply {ply}");
                out.push_str(&self.rules.draw_now(&self.rules.now(state, seat)));
            }
            Some(seat) => {
                let result = result_text(self.record);
                let _ = writeln!(out, "game {game}, ply {ply}, over: {result}");
                out.push_str(&self.rules.draw_now(&self.rules.now(state, seat)));
            }
        }
        if with_search {
            self.add_search(&mut out, view);
        }
        out
    }

    fn add_search(&self, out: &mut String, view: View) {
        let row = self.record.plies.get(self.ply);
        let Some((seat, search)) = row.and_then(|row| Some((row.seat?, row.search.as_ref()?)))
        else {
            out.push_str("no search decided this ply\n");
            return;
        };
        let seat = Seat::new(seat);
        if view.seat().is_some_and(|viewer| viewer != seat) {
            out.push_str("the other seat decided this ply: its search is hidden from this one\n");
            return;
        }
        let state = self.replayed.before(self.ply);
        let legal = legal_by_index(self.rules, &self.replayed.setup, state, seat);
        let names = legal.iter().map(|(_, action)| self.rules.action_text(*action)).collect();
        add_search_table(out, search, names);
        for (idx, position) in self.worlds.iter().enumerate() {
            let _ = writeln!(out, "  world {idx}: {position}");
        }
    }
}

/// The worlds that the search at `ply` sampled, sampled again from its recorded seed: complete positions in the
/// game's notation. None where no search decided, or where it used another belief than this build's.
fn sampled_worlds<G: PipelineGame, B: Belief<G>>(
    rules: &G,
    belief: &B,
    (folder, numerics): (&RunFolder, &str),
    record: &GameRecord,
    replayed: &Replay<G>,
    ply: usize,
) -> anyhow::Result<Vec<String>> {
    let row = record.plies.get(ply);
    let Some((seat, search)) = row.and_then(|row| Some((row.seat?, row.search.as_ref()?))) else {
        return Ok(Vec::new());
    };
    if search.belief != belief.name() {
        return Ok(Vec::new());
    }
    let seat = Seat::new(seat);
    let observation = replayed.observation(rules, seat, ply);
    let task = SearchTask { record, ply, seat, observation };
    let mut again = SearchAgain::new(rules.clone(), belief.clone(), folder, numerics, 1);
    let sampled = again.sample(&[task]).remove(0).map_err(anyhow::Error::msg)?;
    Ok(sampled.worlds.iter().map(|state| rules.position_text(state)).collect())
}

fn add_search_table(out: &mut String, search: &SearchRow, names: Vec<String>) {
    let simulations: u32 = search.worlds.iter().map(|world| world.simulations).sum();
    let _ = writeln!(
        out,
        "search: {simulations} simulations over {} worlds of {} (seed {}), root value {:+.3}",
        search.worlds.len(),
        search.belief,
        search.belief_seed,
        search.root_value
    );
    let width = names.iter().map(String::len).max().unwrap_or(0).max(6);
    let _ = write!(out, "  {:<width$}  {:>6}", "action", "merged");
    for idx in 0..search.worlds.len() {
        let _ = write!(out, "  {:>14}", format!("world {idx}: N Q"));
    }
    out.push('\n');
    for (action_idx, name) in names.into_iter().enumerate() {
        let chosen = if action_idx == usize::from(search.chosen_idx) { '*' } else { ' ' };
        let merged = search.visits.get(action_idx).copied().unwrap_or(0);
        let _ = write!(out, "{chosen} {name:<width$}  {merged:>6}");
        for world in &search.worlds {
            let n = world.n.get(action_idx).copied().unwrap_or(0);
            let q = world.q.get(action_idx).copied().unwrap_or(0.0);
            let _ = write!(out, "  {n:>6} {q:>+7.3}");
        }
        out.push('\n');
    }
}
