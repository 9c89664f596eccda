//! `muster-coordinator`: the one process that decides. It may be killed at any time; started again, it goes on where its
//! last commit was.
#![deny(clippy::unwrap_used, clippy::expect_used)]

use anyhow::Context;
use clap::Parser;
use coordinator::server::Server;
use coordinator::stop::{Phase, Stop};
use run::{Exit, RunFolder};
use std::path::PathBuf;
use std::process::ExitCode;
use tokio::signal::unix::{SignalKind, signal};

/// Lease jobs, accept shards, register checkpoints.
///
/// The run folder must exist: `muster coordinator` and `muster up` create it from a configuration. Ctrl-C or SIGTERM
/// stops leasing, waits up to 20 seconds for what is out, and ends; a second one ends at once.
#[derive(Parser)]
#[command(name = "muster-coordinator", version)]
struct Args {
    /// Run folder.
    #[arg(long)]
    run: PathBuf,
    /// HOST:PORT to listen at, instead of the configuration's. Port 0 takes a free one; the file `endpoint` in the run
    /// folder says which.
    #[arg(long)]
    listen: Option<String>,
    /// Allow an address that other machines can reach. There is no encryption and no password: only in a network where
    /// everyone is trusted.
    #[arg(long)]
    insecure: bool,
}

fn main() -> ExitCode {
    let args = Args::parse();
    run::exit::main(|| {
        run::logging::init();
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .context("runtime")?;
        let served = runtime.block_on(serve(&args));
        // Whatever still waits for a client that went away ends with the process.
        runtime.shutdown_background();
        served.map(|()| Exit::Done)
    })
}

async fn serve(args: &Args) -> anyhow::Result<()> {
    let folder = RunFolder::open(&args.run)?;
    let listen = args.listen.as_deref().unwrap_or(&folder.config().coordinator.listen);
    let server = Server::open(&folder, listen, args.insecure).await?;
    tokio::spawn(stop_on_signals(server.stop()));
    server.serve().await
}

async fn stop_on_signals(stop: Stop) {
    let (Ok(mut interrupt), Ok(mut terminate)) =
        (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    else {
        tracing::error!("signals cannot be caught; end this process by `muster` or by SIGKILL");
        return;
    };
    for phase in [Phase::Stopping, Phase::Ending] {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        stop.advance(phase);
    }
}
