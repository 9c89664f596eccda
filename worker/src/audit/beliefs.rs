//! `muster audit beliefs RUN`: how well each belief foretells what the opponent really held, on recorded games.

use super::run_shards::{KeyArgs, RunShards};
use crate::checkpoint::run_evaluator;
use anyhow::{Context, ensure};
use audit::{GameRecord, Replay, replay};
use catalog::GameVisitor;
use clap::Args;
use game::{Belief, Observation, PipelineGame, Seat, Turn};
use net::NetEvaluator;
use run::{Exit, RunFolder};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Compare beliefs on a run's recorded games.
///
/// At every decision each belief is asked how likely it found what the opponent really held; the mean of the
/// logarithms is its score, in nats, higher is better. The exponent of policy-posterior is fitted on every other game
/// and all beliefs are compared on the rest. In self-play the opponent is a search, so that no belief here is the true
/// posterior.
#[derive(Args, Debug)]
pub struct BeliefsArgs {
    /// Run folder.
    run: PathBuf,
    #[command(flatten)]
    key: KeyArgs,
    /// Recorded games to use, the latest first.
    #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u32).range(2..))]
    games: u32,
    /// Threads; 0 means one a core.
    #[arg(long, default_value_t = 0)]
    threads: u32,
    /// One JSON object on standard output.
    #[arg(long)]
    json: bool,
}

/// What the comparison found.
#[derive(Serialize, Clone, Debug)]
struct BeliefsReport {
    fitted_games: usize,
    held_out_games: usize,
    /// Decisions in the held-out games.
    positions: u64,
    /// Mean log of what a belief gave to the truth, in nats, on the held-out games.
    log_scores: BTreeMap<String, f64>,
    /// The exponent with the best score on the fitted games, and that score of each that was tried.
    exponent: f64,
    exponents: Vec<(f64, f64)>,
    /// Of policy-posterior: evaluations an update asks for, and how long it takes with them, in microseconds.
    evals_per_update: f64,
    update_us_mean: f64,
    update_us_p999: f64,
}

/// What one belief scored in one game.
#[derive(Clone, Default, Debug)]
struct Scored {
    positions: u64,
    log_sum: f64,
    updates: u64,
    evals: u64,
    times: Vec<Duration>,
}

const POLICY: &str = "policy-posterior";
const EXPONENTS: [f64; 8] = [0.0, 0.2, 0.35, 0.5, 0.75, 1.0, 1.5, 2.0];

/// Entry point of the command.
pub fn run(args: &BeliefsArgs) -> anyhow::Result<Exit> {
    let shards = RunShards::open(&args.run, &args.key)?;
    let config = shards.folder.config().clone();
    let names = catalog::beliefs(&config.run.game)?;
    let games = catalog::visit(
        &config.run.game,
        &config.rules,
        ReadGames { shards: &shards, n: args.games },
    )??;
    ensure!(games.len() >= 2, "the run has {} recorded games: two are needed", games.len());
    let n_threads = crate::selfplay::command::n_threads(args.threads);
    let score = |name: &str, exponent: f64| -> anyhow::Result<Vec<Scored>> {
        let mut options = config.rules.clone();
        options.insert("belief".to_owned(), name.into());
        if name == POLICY {
            options.insert("belief_exponent".to_owned(), exponent.into());
        }
        let visitor = ScoreGames { games: &games, folder: &shards.folder, n_threads };
        catalog::visit(&config.run.game, &options, visitor)?
    };
    let mut by_name = BTreeMap::new();
    for name in names.iter().filter(|name| **name != POLICY) {
        eprintln!("beliefs: {name}");
        by_name.insert((*name).to_owned(), score(name, 0.0)?);
    }
    let mut tried = Vec::new();
    for exponent in EXPONENTS.iter().filter(|_| names.contains(&POLICY)) {
        eprintln!("beliefs: {POLICY}, exponent {exponent}");
        tried.push((*exponent, score(POLICY, *exponent)?));
    }
    let report = BeliefsReport::of(by_name, tried);
    if args.json {
        println!("{}", serde_json::to_string(&report)?);
    } else {
        print!("{}", text(&report));
    }
    Ok(Exit::Done)
}

impl BeliefsReport {
    fn of(by_name: BTreeMap<String, Vec<Scored>>, tried: Vec<(f64, Vec<Scored>)>) -> BeliefsReport {
        let n_games = by_name.values().map(Vec::len).max().unwrap_or(0);
        let exponents: Vec<(f64, f64)> =
            tried.iter().map(|(exponent, games)| (*exponent, mean(games, 0))).collect();
        let best = tried.iter().max_by(|a, b| mean(&a.1, 0).total_cmp(&mean(&b.1, 0)));
        let mut log_scores: BTreeMap<String, f64> =
            by_name.iter().map(|(name, games)| (name.clone(), mean(games, 1))).collect();
        let mut cost = Scored::default();
        if let Some((_, games)) = best {
            log_scores.insert(POLICY.to_owned(), mean(games, 1));
        }
        // The first exponent meets an empty cache; the others find most of its evaluations there.
        for game in tried.first().iter().flat_map(|(_, games)| games) {
            cost.updates += game.updates;
            cost.evals += game.evals;
            cost.times.extend(&game.times);
        }
        cost.times.sort_unstable();
        let micros = |time: Duration| time.as_nanos() as f64 / 1000.0;
        let n_updates = cost.updates.max(1) as f64;
        let held_out = by_name
            .values()
            .next()
            .map_or(0, |games| games.iter().skip(1).step_by(2).map(|game| game.positions).sum());
        BeliefsReport {
            fitted_games: n_games.div_ceil(2),
            held_out_games: n_games / 2,
            positions: held_out,
            log_scores,
            exponent: best.map_or(0.0, |(exponent, _)| *exponent),
            exponents,
            evals_per_update: cost.evals as f64 / n_updates,
            update_us_mean: micros(cost.times.iter().sum()) / n_updates,
            update_us_p999: micros(
                cost.times
                    .get(cost.times.len().saturating_sub(1) * 999 / 1000)
                    .copied()
                    .unwrap_or_default(),
            ),
        }
    }
}

/// The mean score of every other game, the first at `from`.
fn mean(games: &[Scored], from: usize) -> f64 {
    let some = || games.iter().skip(from).step_by(2);
    let n: u64 = some().map(|game| game.positions).sum();
    some().map(|game| game.log_sum).sum::<f64>() / n.max(1) as f64
}

struct ReadGames<'a> {
    shards: &'a RunShards,
    n: u32,
}

impl GameVisitor for ReadGames<'_> {
    type Output = anyhow::Result<Vec<GameRecord>>;

    fn visit<G: PipelineGame, B: Belief<G>>(self, rules: G, _: B) -> Self::Output {
        let fingerprint = rules.fingerprint();
        self.shards.folder.expect_identity(&fingerprint.to_string(), &rules.fingerprint_text())?;
        let mut games = Vec::new();
        for manifest in self.shards.shards.audit.iter().rev() {
            if games.len() >= self.n as usize {
                break;
            }
            games.extend(self.shards.read_audit(manifest, fingerprint)?.games);
        }
        games.truncate(self.n as usize);
        Ok(games)
    }
}

struct ScoreGames<'a> {
    games: &'a [GameRecord],
    folder: &'a RunFolder,
    n_threads: usize,
}

impl GameVisitor for ScoreGames<'_> {
    type Output = anyhow::Result<Vec<Scored>>;

    fn visit<G: PipelineGame, B: Belief<G>>(self, rules: G, belief: B) -> Self::Output {
        let each = self.games.len().div_ceil(self.n_threads);
        let (rules, belief, folder) = (&rules, &belief, self.folder);
        let scored: Vec<anyhow::Result<Vec<Scored>>> = std::thread::scope(|scope| {
            let threads: Vec<_> = self
                .games
                .chunks(each)
                .map(|games| scope.spawn(move || score_games(rules, belief, folder, games)))
                .collect();
            let lost = || Err(anyhow::anyhow!("a thread panicked"));
            threads.into_iter().map(|it| it.join().unwrap_or_else(|_| lost())).collect()
        });
        Ok(scored.into_iter().collect::<anyhow::Result<Vec<_>>>()?.concat())
    }
}

fn score_games<G: PipelineGame, B: Belief<G>>(
    rules: &G,
    belief: &B,
    folder: &RunFolder,
    games: &[GameRecord],
) -> anyhow::Result<Vec<Scored>> {
    net::use_one_thread();
    let mut evaluators: BTreeMap<String, NetEvaluator<G>> = BTreeMap::new();
    let mut scored = Vec::with_capacity(games.len());
    for record in games {
        let replayed = replay(rules, record)
            .with_context(|| format!("game {} does not replay", record.game))?;
        let player = record.setup.players.first().context("the record names no player")?;
        if !evaluators.contains_key(player) {
            evaluators.insert(player.clone(), run_evaluator(rules, folder, player)?);
        }
        let evaluator = evaluators.get_mut(player).context("it was just made")?;
        scored.push(score_game(rules, belief, &replayed, evaluator)?);
    }
    Ok(scored)
}

/// Both seats' beliefs, carried through one game.
fn score_game<G: PipelineGame, B: Belief<G>>(
    rules: &G,
    belief: &B,
    replayed: &Replay<G>,
    evaluator: &mut NetEvaluator<G>,
) -> anyhow::Result<Scored> {
    let mut scored = Scored::default();
    for seat in Seat::BOTH {
        let mut observation = Observation::begin(seat, rules.now(&replayed.states[0], seat));
        let mut posterior = belief.prior(rules, &observation);
        for (ply, &action) in replayed.plies.iter().enumerate() {
            let state = replayed.before(ply);
            let started = Instant::now();
            scored.evals +=
                belief.catch_up_with(rules, &mut posterior, &observation, evaluator)? as u64;
            scored.times.push(started.elapsed());
            scored.updates += 1;
            if rules.turn(state) == Turn::Seat(seat) {
                scored.positions += 1;
                scored.log_sum += belief.log_weight(rules, &posterior, seat, state);
            }
            let event = rules.event(state, action, seat);
            observation.extend(event, rules.now(&replayed.states[ply + 1], seat));
        }
    }
    Ok(scored)
}

fn text(report: &BeliefsReport) -> String {
    let mut out = format!(
        "{} decisions of {} held-out games; mean log of what the belief gave to the truth, nats\n",
        report.positions, report.held_out_games
    );
    for (name, score) in &report.log_scores {
        out += &format!("  {name:<24} {score:+.4}\n");
    }
    out += &format!(
        "exponent of {POLICY}, fitted on {} games: {}\n",
        report.fitted_games, report.exponent
    );
    for (exponent, score) in &report.exponents {
        out += &format!("  {exponent:<24} {score:+.4}\n");
    }
    out += &format!(
        "{POLICY}: {:.1} evaluations an update, {:.0} us on average, {:.0} us at 99.9 %\n",
        report.evals_per_update, report.update_us_mean, report.update_us_p999
    );
    out
}
