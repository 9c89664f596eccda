//! `muster-worker run`: takes part in a run until the run drains or a signal comes.

use super::service::{Service, serve};
use super::shards::ShardContext;
use super::thread::ThreadPlan;
use crate::checkpoint::CheckpointSource;
use crate::drain::{drain_on_signal, drained};
use crate::link::{Address, Link, process_id};
use crate::store::Stores;
use anyhow::Context;
use catalog::GameVisitor;
use clap::Args;
use game::{Belief, PipelineGame};
use net::EvaluatorOptions;
use proto::v1::RunDescription;
use run::config::SelfplaySection;
use run::{RunConfig, Store, ValidConfig};
use search::SearchParams;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Play games for a run: lease jobs, write shards, hand them in.
///
/// The worker may be killed at any time: its leases run out and its jobs are played again. SIGTERM or Ctrl-C
/// drains it: ended games are handed in, the rest goes back to the coordinator.
#[derive(Args, Debug)]
pub struct RunArgs {
    /// Address of the run's coordinator, HOST:PORT.
    #[arg(long, required_unless_present = "run", conflicts_with = "run")]
    coordinator: Option<String>,
    /// Run folder on this machine; the coordinator's address is read from its `endpoint` file.
    #[arg(long)]
    run: Option<PathBuf>,
    /// Play threads; 0 means one a core. Overrules the run's `selfplay.threads`.
    #[arg(long)]
    threads: Option<u32>,
    /// Seconds to wait for a coordinator that does not answer at the start.
    #[arg(long, default_value_t = 20)]
    patience_s: u64,
}

/// Entry point of the command.
pub fn run(args: RunArgs) -> anyhow::Result<()> {
    net::use_one_thread();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .context("async runtime")?;
    runtime.block_on(take_part(args))
}

async fn take_part(args: RunArgs) -> anyhow::Result<()> {
    let address = match (&args.coordinator, &args.run) {
        (Some(address), _) => Address::Fixed(address.clone()),
        (None, Some(run)) => Address::EndpointFile(run.join("endpoint")),
        (None, None) => anyhow::bail!("give --coordinator HOST:PORT or --run RUN"),
    };
    let drain = Arc::new(AtomicBool::new(false));
    drain_on_signal(Arc::clone(&drain))?;
    let link = Arc::new(Link::new(address, process_id("worker")));
    let description = tokio::select! {
        description = link.describe_run(Duration::from_secs(args.patience_s)) => description?,
        () = drained(&drain) => return Ok(()),
    };
    let config =
        RunConfig::parse(&description.config_toml, "of the run", &[])?.validate("of the run")?;
    tracing::info!(run = description.run, worker = link.id(), "joined");
    let visitor = TakePart { args, link, description, config: config.clone(), drain };
    let playing = catalog::visit(&config.run.game, &config.rules, visitor)??;
    playing.await
}

struct TakePart {
    args: RunArgs,
    link: Arc<Link>,
    description: RunDescription,
    config: ValidConfig,
    drain: Arc<AtomicBool>,
}

type Playing = std::pin::Pin<Box<dyn Future<Output = anyhow::Result<()>>>>;

impl GameVisitor for TakePart {
    type Output = anyhow::Result<Playing>;

    fn visit<G: PipelineGame, B: Belief<G>>(self, rules: G, belief: B) -> Self::Output {
        let root = PathBuf::from(&self.description.root);
        let selfplay = &self.config.selfplay;
        let params: SearchParams =
            self.config.search.clone().try_into().context("[search] of the run")?;
        params.check().context("[search] of the run")?;
        let evaluator = EvaluatorOptions {
            batch_size: selfplay.batch as usize,
            precision: crate::precision::choose(selfplay.precision, &rules, &self.config)?,
            cache_entries: selfplay.eval_cache as usize,
        };
        let shards = ShardContext {
            spool: make_spool(&root)?,
            auditor: auditor(&self.config)?,
            belief: belief.name(),
            options: toml::to_string(&self.config.rules).context("[rules] as text")?,
            numerics: net::numerics(evaluator.precision, evaluator.batch_size),
        };
        let checkpoints = CheckpointSource::new(root.clone(), &rules.fingerprint_text());
        let n_threads = n_threads(self.args.threads.unwrap_or(selfplay.threads));
        let plans = (0..n_threads)
            .map(|thread_idx| ThreadPlan {
                rules: rules.clone(),
                belief: belief.clone(),
                thread_idx,
                games_in_flight: games_in_flight(selfplay, &params),
                evaluator,
                checkpoints: checkpoints.clone(),
                shards: shards.clone(),
            })
            .collect();
        let service = Service {
            link: self.link,
            fingerprint: rules.fingerprint(),
            prior_shaping: selfplay.prior_shaping,
            stores: open_stores(&self.config, &root)?,
            drain: self.drain,
        };
        Ok(Box::pin(serve(service, plans)))
    }
}

/// The key that audit shards are sealed to.
fn auditor(config: &ValidConfig) -> anyhow::Result<audit::Recipient> {
    let text = config.audit.recipient.as_deref().context(
        "the run's configuration names no audit.recipient: it was made by a build that did not seal \
         audit shards; go on with that build, or start another run",
    )?;
    Ok(text.parse()?)
}

pub(crate) fn n_threads(wanted: u32) -> usize {
    match wanted {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        n => n as usize,
    }
}

/// ceil((evaluators + 1) · batch / leaves per search step), with one evaluator a thread: one batch of games is
/// being searched while another is being evaluated.
pub(crate) fn games_in_flight(selfplay: &SelfplaySection, params: &SearchParams) -> usize {
    if selfplay.games_in_flight > 0 {
        return selfplay.games_in_flight as usize;
    }
    (2 * selfplay.batch).div_ceil(params.worlds * params.leaves_per_step) as usize
}

/// A folder for shards that are not handed in yet. Left-overs of killed workers are worth nothing: their leases
/// have run out or will.
fn make_spool(root: &Path) -> anyhow::Result<PathBuf> {
    let spool = root.join("audit").join("spool");
    std::fs::create_dir_all(&spool).with_context(|| format!("spool folder {}", spool.display()))?;
    Ok(spool)
}

fn open_stores(config: &ValidConfig, root: &Path) -> anyhow::Result<Stores> {
    Ok(Stores {
        training: Store::open(config.stores.training.as_deref(), &root.join("training"))?,
        audit: Store::open(config.stores.audit.as_deref(), &root.join("audit"))?,
    })
}
