//! `muster-trainer run`: the trainer as a role of a run.

use crate::TrainableGame;
use crate::board::Board;
use crate::confine::{confine, open_run};
use crate::cycle::{Cycle, Place, Publisher, first_checkpoint, load_registered};
use crate::line::Line;
use crate::settings::Settings;
use crate::train::training_root;
use anyhow::{Context, bail};
use catalog::GameVisitor;
use game::{Belief, PipelineGame};
use net::Checkpoint;
use proto::v1;
use record::{ShardKind, ShardManifest};
use run::exit::TryAgain;
use run::{Confinement, Exit, Openings, RunFolder};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::{Handle, Runtime};
use tokio::signal::unix::{SignalKind, signal};

/// Join a run: train on its accepted shards and publish checkpoints.
#[derive(clap::Args, Debug, Clone)]
pub struct ServiceArgs {
    /// HOST:PORT of the run's coordinator. Default: what the run folder's `endpoint` says.
    #[arg(long, value_name = "ADDRESS")]
    pub coordinator: Option<String>,
    /// The run folder. Its audit folder may be missing.
    #[arg(long, value_name = "FOLDER")]
    pub run: PathBuf,
}

/// How long to wait for a coordinator at the start.
const PATIENCE: Duration = Duration::from_secs(60);
const REPORT_EVERY: Duration = Duration::from_secs(2);

/// The command.
pub fn run(args: &ServiceArgs) -> anyhow::Result<Exit> {
    let folder = open_run(&args.run)?;
    let _lock = folder.lock("trainer")?;
    let address = match (&args.coordinator, folder.endpoint()?) {
        (Some(address), _) => address.clone(),
        (None, Some(address)) => address,
        (None, None) => {
            let text = format!(
                "no coordinator has listened for {} yet; start it, or give --coordinator HOST:PORT",
                args.run.display()
            );
            return Err(TryAgain(text).into());
        }
    };
    let confinement = confine(&folder, Openings::default())?;
    let (game, options) = (folder.config().run.game.clone(), folder.config().rules.clone());
    let visitor = ServiceVisitor { folder: &folder, address, confinement };
    catalog::visit(&game, &options, visitor).context("run.toml")??;
    Ok(Exit::Done)
}

struct ServiceVisitor<'a> {
    folder: &'a RunFolder,
    address: String,
    confinement: Confinement,
}

impl GameVisitor for ServiceVisitor<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: PipelineGame, B: Belief<G>>(self, rules: G, _: B) -> Self::Output {
        serve(&rules, self.folder, &self.address, &self.confinement)
    }
}

/// Trains for the run at `address` until it ends or a signal comes. `confinement` is only told.
pub fn serve<G: TrainableGame>(
    rules: &G,
    folder: &RunFolder,
    address: &str,
    confinement: &Confinement,
) -> anyhow::Result<()> {
    folder.expect_identity(&rules.fingerprint().to_string(), &rules.fingerprint_text())?;
    let settings = Settings::of(folder.config());
    net::use_threads(settings.threads);
    net::golden::check(net::Precision::Float32)?;
    let runtime = Runtime::new().context("cannot start the network threads")?;
    let _entered = runtime.enter();
    let board = Arc::new(Board::default());
    runtime.spawn(stop_on_signal(board.clone()));
    let line = Line::new(address)?;
    let description = runtime.block_on(line.describe_run(PATIENCE))?;
    check_run(&description, rules, folder)?;
    let place = Place {
        run: description.run.clone(),
        game: folder.config().run.game.clone(),
        training_root: training_root(folder)?,
        checkpoints: folder.checkpoints_dir(),
    };
    tracing::info!(
        run = %description.run,
        numerics = %settings.numerics(),
        architecture = %settings.architecture,
        "trainer joined"
    );
    let publisher =
        Registrar { line: line.clone(), handle: runtime.handle().clone(), board: board.clone() };
    let newest = match &description.checkpoint {
        Some(named) => load_registered(rules, folder.root(), named)?,
        None => {
            let first = first_checkpoint(rules, &settings, &place)?;
            publisher.publish(&first)?;
            tracing::info!(checkpoint = %first.header.id, "first checkpoint published");
            first
        }
    };
    board.update_report(|report| {
        report.role = "trainer".to_owned();
        report.id = process_id();
        report.rate_unit = "rows/s".to_owned();
        report.confinement = confinement.to_string();
    });
    runtime.spawn(watch(line.clone(), board.clone()));
    runtime.spawn(report(line, board.clone()));
    let result = Cycle::new(rules.clone(), settings, place, &board, newest).run(&publisher);
    if let Some(why) = board.why_stopped() {
        tracing::info!(%why, "trainer ends");
    }
    runtime.shutdown_background();
    result
}

fn check_run<G: TrainableGame>(
    description: &v1::RunDescription,
    rules: &G,
    folder: &RunFolder,
) -> anyhow::Result<()> {
    let own = rules.fingerprint().to_string();
    if !description.fingerprint.is_empty() && description.fingerprint != own {
        bail!(
            "run {} has fingerprint {}, this build of the game has {own}; use the build that made the run",
            description.run,
            description.fingerprint
        );
    }
    let canonical = |path: &std::path::Path| std::fs::canonicalize(path).ok();
    let theirs = canonical(std::path::Path::new(&description.root));
    if theirs.is_some() && theirs != canonical(folder.root()) {
        bail!(
            "the coordinator serves the run in {}, not {}; give the address of this run's coordinator",
            description.root,
            folder.root().display()
        );
    }
    Ok(())
}

/// Registers checkpoints with the coordinator.
struct Registrar {
    line: Line,
    handle: Handle,
    board: Arc<Board>,
}

impl Publisher for Registrar {
    fn publish(&self, checkpoint: &Checkpoint) -> anyhow::Result<()> {
        let header = &checkpoint.header;
        let message = v1::Checkpoint {
            id: header.id.clone(),
            generation: header.facts.generation,
            step: header.facts.step,
            digest: header.weights_digest.clone(),
            path: format!("checkpoints/{}", header.id),
            fingerprint: header.fingerprint.clone(),
            ..v1::Checkpoint::default()
        };
        match self.handle.block_on(self.line.register(message, || self.board.is_stopped())) {
            Ok(()) => Ok(()),
            Err(error) if error.is_transient() => {
                let text = format!(
                    "checkpoint {} is saved but not registered, the coordinator does not answer ({error}); \
                     start the trainer again",
                    header.id
                );
                Err(TryAgain(text).into())
            }
            Err(error) => {
                Err(error).with_context(|| format!("checkpoint {} was refused", header.id))
            }
        }
    }
}

async fn watch(line: Line, board: Arc<Board>) {
    line.watch_accepted(1, |shard| match ShardManifest::from_json(&shard.training_manifest) {
        Ok(manifest) if manifest.kind == ShardKind::Training => board.push_accepted(manifest),
        Ok(manifest) => {
            tracing::error!(shard = %manifest.shard, "an audit shard is offered for training (IB5)");
            board.stop("the coordinator's list of training shards names an audit shard");
        }
        Err(error) => {
            let sequence = shard.sequence;
            tracing::error!(sequence, %error, "accepted manifest does not read");
            board.stop("the coordinator's list of accepted shards does not read");
        }
    })
    .await;
}

async fn report(line: Line, board: Arc<Board>) {
    loop {
        // A coordinator that is away is no reason to stop: training goes on without it.
        if let Ok(answer) = line.report(board.report()).await
            && answer.drain
        {
            board.stop("the run ends");
        }
        tokio::time::sleep(REPORT_EVERY).await;
    }
}

async fn stop_on_signal(board: Arc<Board>) {
    let (Ok(mut interrupt), Ok(mut terminate)) =
        (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    else {
        tracing::warn!("signals cannot be handled; the trainer will end at once on one");
        return;
    };
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    board.stop("a signal asked for it");
}

/// A name for this start of this process.
fn process_id() -> String {
    let started = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |since| since.as_micros());
    format!("trainer-{}-{started:x}", std::process::id())
}
