//! `muster audit probe RUN`: whether written rows tell more of the opponent's hidden part than its exact posterior.

mod control;
mod game;

use self::game::{ProbeGame, ProbedGame};
use crate::player::Player;
use crate::setting::{Setting, SettingArgs};
use ::game::{Belief, DealSecret, Evaluator, PipelineGame, RunSeed, Stream};
use anyhow::{Context, ensure};
use audit::probe::{Interval, ProbeOutcome, ProbeRow, examine, probe_rows, with_a_tenth_of_a_bit};
use catalog::GameVisitor;
use clap::Args;
use net::{EvaluatorOptions, NetEvaluator};
use record::TrainingRow;
use run::player_name::{CheckpointRef, Which};
use run::{Exit, PlayerName};
use search::SearchParams;
use serde::Serialize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

/// Probe written rows by statistics, for what equality cannot show.
///
/// Plays games of the run's last checkpoint against an opponent that chooses uniformly among its legal actions, which
/// is what the belief exact-uniform assumes: there the exact posterior is the best that anybody can know, and a
/// classifier that sees all columns of the written rows must not beat it. Two controls show that it would: rows of a
/// search that grows its tree in the truth, and rows with one more column that carries a tenth of a bit. Exit code 3
/// when the rows tell too much, or when a control is not caught by both probes.
#[derive(Args, Debug)]
pub struct ProbeArgs {
    /// Run folder.
    run: PathBuf,
    /// Games to play; rows of one game hang together, so that intervals narrow with games.
    #[arg(long, default_value_t = 400, value_parser = clap::value_parser!(u64).range(8..))]
    games: u64,
    /// Simulations a decision; left out, as many as the run's own search.
    #[arg(long, value_parser = clap::value_parser!(u32).range(2..=65_535))]
    sims: Option<u32>,
    /// Of the games, the searches and the fits.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; 0 means one a core.
    #[arg(long, default_value_t = 0)]
    threads: u32,
    /// One JSON object on standard output.
    #[arg(long)]
    json: bool,
}

/// What the probe found.
#[derive(Serialize, Clone, Debug)]
pub struct ProbeReport {
    /// Rows that leave something to guess, and games they are of.
    pub rows: usize,
    pub games: u64,
    pub auc: f64,
    pub auc_low: f64,
    pub auc_high: f64,
    /// Nats a row.
    pub log_loss_probe: f64,
    pub log_loss_posterior: f64,
    pub gain: f64,
    pub gain_low: f64,
    pub gain_high: f64,
    /// Of two.
    pub controls_detected: usize,
    pub controls: Vec<ControlReport>,
}

/// One kind of rows that must be caught.
#[derive(Serialize, Clone, Debug)]
pub struct ControlReport {
    pub name: &'static str,
    pub auc_low: f64,
    pub auc_high: f64,
    pub gain_low: f64,
    pub gain_high: f64,
    pub detected: bool,
}

impl ProbeReport {
    pub fn is_clean(&self) -> bool {
        self.gain_low <= 0.0 && self.auc_low <= 0.5 && self.controls_detected == self.controls.len()
    }

    fn of(rows: &[ProbeRow], grown: &[ProbeRow], games: u64, seed: u64) -> ProbeReport {
        let ProbeOutcome { log_loss_probe, log_loss_posterior, gain, auc } = examine(rows, seed);
        let bit = with_a_tenth_of_a_bit(rows, seed);
        let controls: Vec<ControlReport> = [("truth-grown-tree", grown), ("tenth-of-a-bit", &bit)]
            .map(|(name, rows)| ControlReport::of(name, examine(rows, seed)))
            .into();
        let Interval { value: gain, low: gain_low, high: gain_high } = gain;
        let Interval { value: auc, low: auc_low, high: auc_high } = auc;
        ProbeReport {
            rows: rows.len(),
            games,
            auc,
            auc_low,
            auc_high,
            log_loss_probe,
            log_loss_posterior,
            gain,
            gain_low,
            gain_high,
            controls_detected: controls.iter().filter(|control| control.detected).count(),
            controls,
        }
    }
}

impl ControlReport {
    fn of(name: &'static str, found: ProbeOutcome) -> ControlReport {
        ControlReport {
            name,
            auc_low: found.auc.low,
            auc_high: found.auc.high,
            gain_low: found.gain.low,
            gain_high: found.gain.high,
            detected: found.is_caught_by_both(),
        }
    }
}

/// Entry point of the command.
pub fn run(args: &ProbeArgs) -> anyhow::Result<Exit> {
    let player = PlayerName::Checkpoint {
        checkpoint: CheckpointRef::OfRun(args.run.clone(), Which::Last),
        options: Default::default(),
    };
    let of_run = SettingArgs { game: String::new(), run: Some(args.run.clone()) };
    let setting = Setting::find(&of_run, &[&player])?;
    let config = setting.config().context("the run has no configuration")?.clone();
    let mut options = config.rules.clone();
    options.insert("belief".to_owned(), "exact-uniform".into());
    let visitor = ProbeVisitor { args, setting: &setting, player: &player };
    let report = catalog::visit(&config.run.game, &options, visitor)??;
    if args.json {
        println!("{}", serde_json::to_string(&report)?);
    } else {
        print!("{}", text(&report));
    }
    Ok(if report.is_clean() { Exit::Done } else { Exit::Problems })
}

struct ProbeVisitor<'a> {
    args: &'a ProbeArgs,
    setting: &'a Setting,
    player: &'a PlayerName,
}

impl GameVisitor for ProbeVisitor<'_> {
    type Output = anyhow::Result<ProbeReport>;

    fn visit<G: PipelineGame, B: Belief<G>>(self, rules: G, belief: B) -> Self::Output {
        let config = self.setting.config().context("the run has no configuration")?;
        let player = Player::load(self.player, &rules, self.setting)?;
        let network = player.network().context("the run has no checkpoint")?;
        let mut params: SearchParams = config.search.clone().try_into().context("[search]")?;
        params.prior_shaping = 0.0;
        params.simulations = self.args.sims.unwrap_or(params.simulations);
        params.check().context("[search]")?;
        let options = EvaluatorOptions {
            batch_size: config.selfplay.batch as usize,
            precision: crate::precision::choose(config.selfplay.precision, &rules, config)?,
            cache_entries: config.selfplay.eval_cache as usize,
        };
        let plan = Plan {
            rules: &rules,
            belief: &belief,
            params,
            games: self.args.games,
            seed: self.args.seed,
        };
        let n_threads = crate::selfplay::command::n_threads(self.args.threads);
        let evaluators = (0..n_threads)
            .map(|_| NetEvaluator::new(rules.clone(), network, options))
            .collect::<Result<Vec<_>, _>>()?;
        plan.probe(evaluators, &|done, of| eprintln!("probe: {done} of {of} games"))
    }
}

/// What is played and how.
pub struct Plan<'a, G: PipelineGame, B: Belief<G>> {
    pub rules: &'a G,
    /// The one that assumes an opponent which chooses uniformly.
    pub belief: &'a B,
    pub params: SearchParams,
    pub games: u64,
    pub seed: u64,
}

/// Games that a thread has on the board at a time.
const SIDE_BY_SIDE: usize = 24;

impl<G: PipelineGame, B: Belief<G>> Plan<'_, G, B> {
    /// Plays with one thread an evaluator; `progress` is told how many games are done of how many.
    pub fn probe<E: Evaluator<G> + Send>(
        &self,
        evaluators: Vec<E>,
        progress: &(dyn Fn(u64, u64) + Sync),
    ) -> anyhow::Result<ProbeReport> {
        let next = AtomicU64::new(0);
        let n_done = AtomicU64::new(0);
        let done = || {
            let done = n_done.fetch_add(1, Ordering::Relaxed) + 1;
            if done.is_multiple_of(50) || done == self.games {
                progress(done, self.games);
            }
        };
        let found: Vec<anyhow::Result<Vec<Probed>>> = std::thread::scope(|scope| {
            let threads: Vec<_> = evaluators
                .into_iter()
                .map(|mut evaluator| {
                    let (next, done) = (&next, &done);
                    scope.spawn(move || {
                        net::use_one_thread();
                        self.play(&mut evaluator, next, done)
                    })
                })
                .collect();
            let lost = || Err(anyhow::anyhow!("a thread that played panicked"));
            threads.into_iter().map(|it| it.join().unwrap_or_else(|_| lost())).collect()
        });
        let mut games = found.into_iter().collect::<anyhow::Result<Vec<_>>>()?.concat();
        games.sort_by_key(|game| game.number);
        let rows: Vec<ProbeRow> = games.iter().flat_map(|game| game.rows.clone()).collect();
        let grown: Vec<ProbeRow> = games.iter().flat_map(|game| game.grown.clone()).collect();
        ensure!(
            rows.len() >= 100,
            "only {} rows leave anything to guess: play more --games",
            rows.len()
        );
        Ok(ProbeReport::of(&rows, &grown, self.games, self.seed))
    }

    fn play(
        &self,
        evaluator: &mut impl Evaluator<G>,
        next: &AtomicU64,
        done: &dyn Fn(),
    ) -> anyhow::Result<Vec<Probed>> {
        let mut probed = Vec::new();
        let mut playing: Vec<ProbeGame<'_, G, B>> = Vec::new();
        loop {
            while playing.len() < SIDE_BY_SIDE {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= self.games {
                    break;
                }
                playing.push(ProbeGame::deal(self, number));
            }
            if playing.is_empty() {
                return Ok(probed);
            }
            let mut requests = Vec::new();
            let mut asked = Vec::with_capacity(playing.len());
            for game in &mut playing {
                asked.push(game.advance(&mut requests)?);
            }
            let mut answers = evaluator.evaluate(&requests).into_iter();
            for (game, n_asked) in playing.iter_mut().zip(&asked) {
                let mine: Vec<_> = answers.by_ref().take(*n_asked).collect();
                game.apply(&mine);
            }
            let mut still = Vec::new();
            for (game, n_asked) in playing.drain(..).zip(asked) {
                if n_asked > 0 {
                    still.push(game);
                } else {
                    probed.push(self.probed(&game.finish()?, evaluator)?);
                    done();
                }
            }
            playing = still;
        }
    }

    fn probed(
        &self,
        game: &ProbedGame<G>,
        evaluator: &mut impl Evaluator<G>,
    ) -> anyhow::Result<Probed> {
        let mut rows = |rows: &[TrainingRow]| {
            let placed: Vec<(usize, &TrainingRow)> = rows.iter().enumerate().collect();
            let mut stream = Stream::from_seed(self.seed ^ game.number.rotate_left(32));
            probe_rows(self.rules, self.belief, evaluator, &placed, &game.replay, &mut stream)
        };
        Ok(Probed { number: game.number, rows: rows(&game.rows)?, grown: rows(&game.grown)? })
    }

    fn secret(&self) -> DealSecret {
        let mut hasher = blake3::Hasher::new();
        hasher.update(b"muster probe deals");
        hasher.update(&self.seed.to_le_bytes());
        DealSecret(*hasher.finalize().as_bytes())
    }

    fn search_seed(&self) -> RunSeed {
        RunSeed(self.seed)
    }
}

#[derive(Clone)]
struct Probed {
    number: u64,
    rows: Vec<ProbeRow>,
    /// The same decisions, by the control's search.
    grown: Vec<ProbeRow>,
}

fn text(report: &ProbeReport) -> String {
    let mut out = format!(
        "rows                {} of {} games\n\
         log-loss            {:.4} nats by the posterior, {:.4} by the probe: gain {:+.5} \
         [{:+.5}, {:+.5}]\n\
         true or drawn       AUC {:.4} [{:.4}, {:.4}]\n",
        report.rows,
        report.games,
        report.log_loss_posterior,
        report.log_loss_probe,
        report.gain,
        report.gain_low,
        report.gain_high,
        report.auc,
        report.auc_low,
        report.auc_high
    );
    for it in &report.controls {
        let verdict = if it.detected { "caught by both" } else { "NOT caught by both" };
        out += &format!(
            "control {:<18} gain [{:+.5}, {:+.5}], AUC [{:.4}, {:.4}]: {verdict}\n",
            it.name, it.gain_low, it.gain_high, it.auc_low, it.auc_high
        );
    }
    out
}
