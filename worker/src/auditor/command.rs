//! `muster auditor`: takes part in a run until the run drains or a signal comes.

use super::service::{Service, serve};
use super::verification::Verifications;
use crate::audit::run_shards::KeyArgs;
use crate::drain::{drain_on_signal, drained};
use crate::link::{Address, Link, process_id};
use crate::selfplay::command::n_threads;
use anyhow::Context;
use catalog::GameVisitor;
use clap::Args;
use game::{Belief, PipelineGame};
use run::{RunConfig, RunFolder};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Verify a run's shards while it goes on: derive every row again from the truth, report a verdict per shard.
///
/// With `audit.admission = "required"` training reads only what was verified, and the first difference stops the
/// run from growing. The auditor needs the run folder with its audit root, the key that opens it, and the run's
/// auditor token. It may be killed at any time: its lease runs out and the shard is verified again.
#[derive(Args, Debug)]
pub struct AuditorArgs {
    /// Address of the run's coordinator, HOST:PORT.
    #[arg(long, required_unless_present = "run", conflicts_with = "run")]
    coordinator: Option<String>,
    /// Run folder on this machine; the coordinator's address is read from its `endpoint` file.
    #[arg(long)]
    run: Option<PathBuf>,
    /// File with the run's auditor token. Default: audit/auditor.token of the run folder.
    #[arg(long, value_name = "FILE")]
    token: Option<PathBuf>,
    #[command(flatten)]
    key: KeyArgs,
    /// Threads that verify; 0 means one a core.
    #[arg(long, default_value_t = 1)]
    threads: u32,
    /// Seconds to wait for a coordinator that does not answer at the start.
    #[arg(long, default_value_t = 20)]
    patience_s: u64,
}

/// Entry point of the command.
pub fn run(args: &AuditorArgs) -> anyhow::Result<()> {
    net::use_one_thread();
    // The only pool: a second one cannot be set in the same process.
    let _ = rayon::ThreadPoolBuilder::new().num_threads(n_threads(args.threads)).build_global();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .context("async runtime")?;
    runtime.block_on(take_part(args))
}

async fn take_part(args: &AuditorArgs) -> anyhow::Result<()> {
    let address = match (&args.coordinator, &args.run) {
        (Some(address), _) => Address::Fixed(address.clone()),
        (None, Some(run)) => Address::EndpointFile(run.join("endpoint")),
        (None, None) => anyhow::bail!("give --coordinator HOST:PORT or --run RUN"),
    };
    let drain = Arc::new(AtomicBool::new(false));
    drain_on_signal(Arc::clone(&drain))?;
    let id = process_id("auditor");
    let unproven = Link::new(address.clone(), id.clone());
    let description = tokio::select! {
        description = unproven.describe_run(Duration::from_secs(args.patience_s)) => description?,
        () = drained(&drain) => return Ok(()),
    };
    let config =
        RunConfig::parse(&description.config_toml, "of the run", &[])?.validate("of the run")?;
    let folder = RunFolder::open(Path::new(&description.root))
        .context("the auditor needs the run folder: it reads both roots and the checkpoints")?;
    let token_path = args.token.clone().unwrap_or_else(|| folder.auditor_token_path());
    let token = std::fs::read_to_string(&token_path).with_context(|| {
        format!(
            "auditor token {}: give --token FILE with the run's audit/auditor.token",
            token_path.display()
        )
    })?;
    let identity = args.key.read(&folder)?;
    let link = Arc::new(Link::new(address, id).with_auditor_token(&token)?);
    tracing::info!(run = description.run, auditor = link.id(), "joined");
    let n_threads = n_threads(args.threads);
    let visitor = TakePart { link, folder, identity, drain, n_threads };
    catalog::visit(&config.run.game, &config.rules, visitor)??.await
}

struct TakePart {
    link: Arc<Link>,
    folder: RunFolder,
    identity: audit::Identity,
    drain: Arc<AtomicBool>,
    n_threads: usize,
}

type Verifying = std::pin::Pin<Box<dyn Future<Output = anyhow::Result<()>>>>;

impl GameVisitor for TakePart {
    type Output = anyhow::Result<Verifying>;

    fn visit<G: PipelineGame, B: Belief<G>>(self, rules: G, belief: B) -> Self::Output {
        self.folder.expect_identity(&rules.fingerprint().to_string(), &rules.fingerprint_text())?;
        let verifications =
            Verifications::open(rules, belief, &self.folder, self.identity, self.n_threads)?;
        let service = Service { link: self.link, drain: self.drain };
        Ok(Box::pin(serve(service, verifications)))
    }
}
