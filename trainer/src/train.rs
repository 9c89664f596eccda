//! `muster train`: retrain a network from the shards of a run that exist. No coordinator, no audit folder; nothing
//! is registered.

use crate::TrainableGame;
use crate::confine::{confine, open_run};
use crate::generation::{self, Plan, Provenance};
use crate::learner::Learner;
use crate::loader::load_all;
use crate::rows::Decoder;
use crate::settings::Settings;
use crate::window::{Window, newest};
use crate::{metrics, plot};
use anyhow::{Context, bail};
use catalog::GameVisitor;
use game::{Belief, PipelineGame};
use net::{AdamW, Checkpoint, Network, NetworkShape};
use record::{ShardKind, read_accepted};
use run::exit::Usage;
use run::{Exit, Openings, Progress, RunConfig, RunFolder, ValidConfig};
use serde::Serialize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Retrain a network from the shards of a run.
#[derive(clap::Args, Debug, Clone)]
pub struct TrainArgs {
    /// The run folder. Its audit folder may be missing.
    #[arg(long, value_name = "FOLDER")]
    pub run: PathBuf,
    /// Training steps, one batch each.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub steps: u64,
    /// Folder of the new checkpoint; new, or empty. Default: RUN/retrained/ID.
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// Another configuration for `network` and `training`; the rules stay those of the run.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Change one value of the configuration, e.g. `training.learning_rate=0.0005`.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub sets: Vec<String>,
    /// Go on from this checkpoint and its optimizer instead of from random weights.
    #[arg(long, value_name = "FOLDER")]
    pub from: Option<PathBuf>,
    /// Print one JSON object on standard output.
    #[arg(long)]
    pub json: bool,
}

/// What `--json` prints. Losses are weighted means: `first` and `last` over the same training rows before the
/// first step and after the last, `held_out` over whole games that training never saw.
#[derive(Clone, Debug, Serialize)]
pub struct TrainReport {
    /// Rows that training drew from.
    pub rows: u64,
    pub held_out_rows: u64,
    pub steps: u64,
    pub policy_loss_first: f64,
    pub policy_loss_last: f64,
    /// Entropy of the visit shares: what the policy losses cannot fall below.
    pub target_entropy: f64,
    /// `null` where no row has a result.
    pub value_loss_first: Option<f64>,
    pub value_loss_last: Option<f64>,
    /// `null` where no game was kept out.
    pub held_out_policy_loss: Option<f64>,
    pub held_out_value_loss: Option<f64>,
    /// Folder of the new checkpoint.
    pub checkpoint: String,
    pub id: String,
    pub plot: String,
    pub rows_per_s: f64,
}

/// The command.
pub fn run(args: &TrainArgs) -> anyhow::Result<Exit> {
    let folder = open_run(&args.run)?;
    let config = config_of(args, &folder)?;
    let write = match &args.out {
        Some(out) => make_out(out)?,
        None => {
            let retrained = folder.retrained_dir();
            std::fs::create_dir_all(&retrained).with_context(|| retrained.display().to_string())?;
            retrained
        }
    };
    let read = args.from.clone().into_iter().collect();
    confine(&folder, Openings { read, write: vec![write], ..Openings::default() })?;
    let (game, rules) = (folder.config().run.game.clone(), folder.config().rules.clone());
    let visitor = TrainVisitor { args, folder: &folder, config: &config };
    let report = catalog::visit(&game, &rules, visitor).context("run.toml")??;
    if args.json {
        println!("{}", serde_json::to_string(&report)?);
    } else {
        print_report(&report);
    }
    Ok(Exit::Done)
}

/// The folder that `--out` names. It is made now: its parent may be closed later.
fn make_out(out: &Path) -> anyhow::Result<PathBuf> {
    let is_free = match std::fs::read_dir(out) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    };
    if !is_free {
        let text = format!("--out {} exists; name a folder that does not", out.display());
        return Err(Usage(text).into());
    }
    std::fs::create_dir_all(out).with_context(|| format!("--out {}", out.display()))?;
    Ok(out.to_owned())
}

/// Moves a checkpoint's files up into `out`, its header last: without one a folder is no checkpoint.
fn move_up(draft: &Path, out: &Path) -> anyhow::Result<()> {
    const HEADER: &str = "checkpoint.toml";
    let files = || -> std::io::Result<()> {
        for entry in std::fs::read_dir(draft)? {
            let name = entry?.file_name();
            if name != HEADER {
                std::fs::rename(draft.join(&name), out.join(&name))?;
            }
        }
        std::fs::rename(draft.join(HEADER), out.join(HEADER))?;
        std::fs::remove_dir(draft)?;
        run::files::sync_folder(out)
    };
    files().with_context(|| format!("--out {}", out.display()))
}

fn config_of(args: &TrainArgs, folder: &RunFolder) -> anyhow::Result<ValidConfig> {
    Ok(match &args.config {
        Some(path) => RunConfig::load_valid(path, &args.sets)?,
        None => {
            let place = args.run.join("run.toml").display().to_string();
            RunConfig::parse(&folder.config().to_toml(), &place, &args.sets)?.validate(&place)?
        }
    })
}

fn print_report(report: &TrainReport) {
    let number = |loss: Option<f64>| loss.map_or_else(|| "-".to_owned(), |l| format!("{l:.4}"));
    println!("{} steps over {} rows ({:.0} rows/s)", report.steps, report.rows, report.rows_per_s);
    println!(
        "policy loss {:.4} -> {:.4} (targets' entropy {:.4}), held out {}",
        report.policy_loss_first,
        report.policy_loss_last,
        report.target_entropy,
        number(report.held_out_policy_loss)
    );
    println!(
        "value loss {} -> {}, held out {}",
        number(report.value_loss_first),
        number(report.value_loss_last),
        number(report.held_out_value_loss)
    );
    println!("checkpoint {}", report.checkpoint);
    println!("plot {}", report.plot);
}

struct TrainVisitor<'a> {
    args: &'a TrainArgs,
    folder: &'a RunFolder,
    config: &'a ValidConfig,
}

impl GameVisitor for TrainVisitor<'_> {
    type Output = anyhow::Result<TrainReport>;

    fn visit<G: PipelineGame, B: Belief<G>>(self, rules: G, _: B) -> Self::Output {
        retrain(rules, self.args, self.folder, &Settings::of(self.config))
    }
}

/// Trains on the newest accepted rows of a run and writes the checkpoint.
pub fn retrain<G: TrainableGame>(
    rules: G,
    args: &TrainArgs,
    folder: &RunFolder,
    settings: &Settings,
) -> anyhow::Result<TrainReport> {
    folder.expect_identity(&rules.fingerprint().to_string(), &rules.fingerprint_text())?;
    if let Some(out) = &args.out {
        make_out(out)?;
    }
    net::use_threads(settings.threads);
    net::golden::check(net::Precision::Float32)?;
    let started = Start::of(args.from.as_deref(), &rules, settings)?;
    let (window, last_sequence) = load_window(folder, rules.clone(), settings)?;

    let mut learner = started.learner;
    let plan = Plan {
        window: &window,
        order_name: format!("retrain from step {}", learner.step_count()),
        steps: args.steps,
        first_step: 0,
    };
    let progress = Progress::new("train", Some(args.steps), "steps");
    let clock = std::time::Instant::now();
    let trained = generation::train(&rules, settings, &mut learner, &plan, |step| {
        progress.remark(format!("policy loss {:.3}", step.policy_loss));
        progress.inc(1);
        ControlFlow::Continue(())
    })?;
    let rows_per_s = (args.steps * settings.batch as u64) as f64 / clock.elapsed().as_secs_f64();
    progress.finish();

    let provenance = Provenance {
        run: &folder.name(),
        game: &folder.config().run.game,
        generation: started.generation,
        parent: started.parent,
        seed: started.seed,
        window: generation::window_summary(&window, &trained.split, last_sequence),
    };
    let svg = plot::loss_svg(&trained.steps, &format!("{}: {} steps", folder.name(), args.steps))?;
    let extra = vec![
        ("loss.svg", svg.into_bytes()),
        ("metrics.jsonl", metrics::to_json_lines(&trained.steps).into_bytes()),
    ];
    let draft = args.out.as_ref().map(|out| out.join(".draft"));
    let place = |id: &str| draft.clone().unwrap_or_else(|| folder.retrained_dir().join(id));
    let mut checkpoint = generation::save(&rules, settings, &learner, provenance, extra, place)?;
    if let (Some(draft), Some(out)) = (&draft, &args.out) {
        move_up(draft, out)?;
        checkpoint.folder.clone_from(out);
    }
    Ok(TrainReport {
        rows: trained.split.train.len() as u64,
        held_out_rows: trained.split.held_out.len() as u64,
        steps: args.steps,
        policy_loss_first: trained.first.policy,
        policy_loss_last: trained.last.policy,
        target_entropy: trained.last.target_entropy,
        value_loss_first: trained.first.value,
        value_loss_last: trained.last.value,
        held_out_policy_loss: trained.held_out.map(|losses| losses.policy),
        held_out_value_loss: trained.held_out.and_then(|losses| losses.value),
        plot: checkpoint.folder.join("loss.svg").display().to_string(),
        checkpoint: checkpoint.folder.display().to_string(),
        id: checkpoint.header.id,
        rows_per_s,
    })
}

/// Where training begins.
struct Start {
    learner: Learner,
    generation: u32,
    parent: Option<String>,
    seed: Option<u64>,
}

impl Start {
    fn of<G: TrainableGame>(
        from: Option<&Path>,
        rules: &G,
        settings: &Settings,
    ) -> anyhow::Result<Start> {
        let Some(from) = from else {
            let network =
                Network::random(settings.architecture, NetworkShape::of(rules), settings.seed)?;
            let optimizer = AdamW::new(settings.optimizer, network.parameters());
            let learner = Learner::new(network, optimizer, settings.value_weight, 0);
            return Ok(Start { learner, generation: 1, parent: None, seed: Some(settings.seed) });
        };
        let checkpoint = Checkpoint::load(from, Some(&rules.fingerprint_text()))?;
        let mut optimizer = checkpoint
            .load_optimizer()?
            .unwrap_or_else(|| AdamW::new(settings.optimizer, checkpoint.network.parameters()));
        optimizer.params = settings.optimizer;
        let header = checkpoint.header;
        let learner =
            Learner::new(checkpoint.network, optimizer, settings.value_weight, header.facts.step);
        Ok(Start {
            learner,
            generation: header.facts.generation + 1,
            parent: Some(header.id),
            seed: None,
        })
    }
}

/// The newest accepted rows of a run, and the place of the last shard in the run's order.
pub fn load_window<G: TrainableGame>(
    folder: &RunFolder,
    rules: G,
    settings: &Settings,
) -> anyhow::Result<(Window, u64)> {
    let accepted = read_accepted(&folder.accepted_path())?.manifests;
    if let Some(other) = accepted.iter().find(|manifest| manifest.kind != ShardKind::Training) {
        bail!(
            "{} lists shard {}, which is an audit shard: it holds the truth, which training may not \
             read (IB5); start the coordinator once, it writes the list again",
            folder.accepted_path().display(),
            other.shard
        );
    }
    let root = training_root(folder)?;
    let manifests: Vec<_> = newest(&accepted, settings.window_rows).iter().collect();
    let shards = load_all(&Decoder::new(rules), &root, &manifests)?;
    Ok((Window::new(shards, settings.window_rows), accepted.len() as u64))
}

/// Where the run's training shards lie.
pub fn training_root(folder: &RunFolder) -> anyhow::Result<PathBuf> {
    match &folder.config().stores.training {
        None => Ok(folder.training_dir()),
        Some(url) => url
            .strip_prefix("file://")
            .map(PathBuf::from)
            .with_context(|| format!("stores.training {url}: the trainer reads file:// only")),
    }
}
