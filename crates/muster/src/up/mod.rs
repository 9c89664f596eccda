//! `muster up`: coordinator, workers and trainer on this machine, watched until the run has what was asked for.

mod process;
mod screen;
mod summary;
mod supervise;

use crate::config;
use crate::coordinator::create_or_resume;
use crate::status::{failure, fetch};
use anyhow::{Context, bail};
use clap::Args;
use proto::v1::{ShutdownRequest, StatusResponse};
use run::{Exit, RunConfig, RunFolder, ValidConfig};
use rustix::process::{Signal, kill_process};
use screen::Screen;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use supervise::{Listening, Plan, Supervisor, orphans};

/// Start a run on this machine: coordinator, workers and trainer, with one line a process.
///
/// The same command resumes a run that was stopped, by Ctrl-C, a crash or a power cut. Ctrl-C hands finished games
/// in and ends within 30 seconds. A process that dies is started again. When the limit is reached, the last
/// checkpoint plays the arena, the audit is verified, and everything is written to RUN/summary.json.
#[derive(Args)]
pub struct UpArgs {
    /// Run folder; created if it is not there.
    #[arg(long)]
    run: PathBuf,
    /// Configuration, e.g. configs/quickstart.toml. Not needed to resume a run.
    #[arg(long)]
    config: Option<PathBuf>,
    /// Override one value of the configuration, e.g. --set selfplay.threads=4. May be given more than once.
    #[arg(long = "set", value_name = "KEY=VALUE", requires = "config")]
    overrides: Vec<String>,
    /// Stop after this many generations, counted from the beginning of the run. Stored with the run, as
    /// up.generations.
    #[arg(long)]
    generations: Option<u64>,
    /// Stop after this many hours from now.
    #[arg(long)]
    hours: Option<f64>,
    /// Worker processes. Stored with the run, as up.workers.
    #[arg(long)]
    workers: Option<u32>,
    /// HOST:PORT for the coordinator, instead of the configuration's.
    #[arg(long)]
    listen: Option<String>,
    /// Allow an address that other machines can reach. There is no encryption and no password yet: only on a
    /// network where everyone is trusted.
    #[arg(long)]
    insecure: bool,
    /// Do not play the arena and verify the audit at the end.
    #[arg(long)]
    no_evaluate: bool,
}

/// When to stop.
struct Limits {
    /// 0 means no limit.
    generations: u64,
    deadline: Option<Instant>,
}

/// Why the loop ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ended {
    /// The generations or the hours that were asked for.
    LimitReached,
    Interrupted,
}

/// How long a drain may take before processes are ended.
const DRAIN_MAX: Duration = Duration::from_secs(25);
const TICK: Duration = Duration::from_millis(500);

pub fn run(args: &UpArgs) -> anyhow::Result<Exit> {
    let folder = open(args)?;
    let limits = limits(args, folder.config())?;
    let _lock = folder.lock("up")?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .context("async runtime")?;
    let (ended, last) = runtime.block_on(watch(&folder, args, &limits))?;
    if let Some(failure) = failure(&last) {
        eprintln!("{failure}");
        return Ok(Exit::Problems);
    }
    match ended {
        Ended::Interrupted => {
            eprintln!("stopped; `muster up --run {}` goes on from here", args.run.display());
            Ok(Exit::Done)
        }
        Ended::LimitReached => {
            let evaluate = folder.config().up.evaluate && !args.no_evaluate;
            summary::finish(&folder, &last, evaluate)
        }
    }
}

/// The run folder, with what the command line says stored in its configuration: the coordinator reads it there.
fn open(args: &UpArgs) -> anyhow::Result<RunFolder> {
    let mut overrides = args.overrides.clone();
    overrides.extend(args.generations.map(|n| format!("up.generations={n}")));
    overrides.extend(args.workers.map(|n| format!("up.workers={n}")));
    let config = match &args.config {
        Some(file) => config::load(file, &overrides)?,
        None => {
            let folder = RunFolder::open(&args.run)?;
            let place = args.run.join("run.toml").display().to_string();
            RunConfig::parse(&folder.config().to_toml(), &place, &overrides)?.validate(&place)?
        }
    };
    create_or_resume(&args.run, &config)
}

fn limits(args: &UpArgs, config: &ValidConfig) -> anyhow::Result<Limits> {
    let deadline = match args.hours {
        None => None,
        Some(hours) if hours > 0.0 && hours <= 1e5 => {
            Some(Instant::now() + Duration::from_secs_f64(hours * 3_600.0))
        }
        Some(_) => return Err(run::exit::Usage("--hours: give a number above 0".into()).into()),
    };
    Ok(Limits { generations: config.up.generations, deadline })
}

/// Starts everything, watches until a limit or a signal, and drains. Gives the last status seen.
async fn watch(
    folder: &RunFolder,
    args: &UpArgs,
    limits: &Limits,
) -> anyhow::Result<(Ended, StatusResponse)> {
    let mut signals = Signals::new()?;
    tokio::select! {
        ended = end_orphans(folder) => ended?,
        () = signals.any() => return Ok((Ended::Interrupted, StatusResponse::default())),
    }
    let workers = folder.config().up.workers;
    let listening = Listening { address: args.listen.as_deref(), is_insecure: args.insecure };
    let plan = Plan::of(folder, workers, &listening)?;
    let mut supervisor = Supervisor::start(plan, args.insecure).await?;
    let mut screen = Screen::new();
    let mut last: Option<StatusResponse> = None;
    let mut next_status = Instant::now();
    let mut is_failure_said = false;
    let ended = loop {
        tokio::select! {
            () = tokio::time::sleep(TICK) => {}
            () = signals.any() => break Ended::Interrupted,
        }
        supervisor.tick()?;
        if next_status <= Instant::now() {
            next_status = Instant::now() + Duration::from_secs(2);
            if let Ok(status) = fetch(supervisor.address()).await {
                last = Some(status);
            }
            screen.draw(&supervisor, last.as_ref());
        }
        if let Some(failure) = last.as_ref().and_then(failure)
            && !std::mem::replace(&mut is_failure_said, true)
        {
            screen.say(&failure);
        }
        if last.as_ref().is_some_and(|status| limits.are_reached(status)) {
            break Ended::LimitReached;
        }
    };
    screen.say(match ended {
        Ended::Interrupted => "stopping: handing in finished games (Ctrl-C again to end at once)",
        Ended::LimitReached => "the limit is reached: handing in finished games",
    });
    let drain = drain(&mut supervisor, &mut last, &mut screen);
    tokio::select! {
        drained = drain => drained?,
        () = signals.any() => {}
    }
    supervisor.end_all().await;
    screen.clear();
    match last {
        Some(last) => Ok((ended, last)),
        None if ended == Ended::Interrupted => Ok((ended, StatusResponse::default())),
        None => bail!("the coordinator never answered; look in {}", folder.logs_dir().display()),
    }
}

impl Limits {
    fn are_reached(&self, status: &StatusResponse) -> bool {
        let generation = status.checkpoint.as_ref().map_or(0, |checkpoint| checkpoint.generation);
        // What was played is verified to its end; after a failure there is no end to wait for.
        let is_verifying = status.audit.as_ref().is_some_and(|audit| {
            audit.admission == "required" && (audit.waiting > audit.parked || status.leases > 0)
        });
        let enough = self.generations > 0 && u64::from(generation) >= self.generations;
        (enough && !is_verifying)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// Asks the coordinator to end the run's work, and waits for the children.
async fn drain(
    supervisor: &mut Supervisor,
    last: &mut Option<StatusResponse>,
    screen: &mut Screen,
) -> anyhow::Result<()> {
    supervisor.stop_restarting();
    let deadline = Instant::now() + DRAIN_MAX;
    let why = "muster up is stopping".to_owned();
    // Workers and trainer first: the coordinator must be there to take what they hand in.
    if let Err(error) = shut_down(supervisor.address(), why.clone(), false).await {
        screen.say(&format!("the coordinator does not answer ({error:#}); ending the processes"));
        return Ok(());
    }
    supervisor.terminate_followers();
    while Instant::now() < deadline && supervisor.followers_alive() {
        tokio::time::sleep(TICK).await;
        supervisor.tick()?;
        screen.draw(supervisor, last.as_ref());
    }
    if let Ok(status) = fetch(supervisor.address()).await {
        *last = Some(status);
    }
    let _ = shut_down(supervisor.address(), why, true).await;
    while Instant::now() < deadline + Duration::from_secs(3) && supervisor.is_anyone_alive() {
        tokio::time::sleep(Duration::from_millis(100)).await;
        supervisor.tick()?;
    }
    Ok(())
}

async fn shut_down(address: &str, why: String, stop: bool) -> anyhow::Result<()> {
    let ask = async {
        let channel = proto::endpoint(address)?.connect().await.context("no connection")?;
        proto::client(channel)
            .shutdown(ShutdownRequest { why, stop })
            .await
            .map_err(proto::WireError::from)?;
        Ok::<_, anyhow::Error>(())
    };
    tokio::time::timeout(Duration::from_secs(5), ask).await.context("no answer within 5 s")?
}

/// A `muster up` that was killed leaves its children running. They are drained before new ones start: workers and
/// trainer first, then the coordinator, which takes what they hand in.
async fn end_orphans(folder: &RunFolder) -> anyhow::Result<()> {
    if orphans(folder).is_empty() {
        return Ok(());
    }
    eprintln!("processes of an earlier start of this run are still there: draining them");
    for is_coordinator in [false, true] {
        let of_this_kind = || {
            let found = orphans(folder).into_iter();
            found.filter(|orphan| orphan.is_coordinator == is_coordinator).collect::<Vec<_>>()
        };
        let signal_all = |signal| {
            for orphan in of_this_kind() {
                // It may have ended meanwhile.
                let _ = kill_process(orphan.pid, signal);
            }
        };
        signal_all(Signal::TERM);
        let deadline = Instant::now() + DRAIN_MAX;
        while Instant::now() < deadline && !of_this_kind().is_empty() {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        signal_all(Signal::KILL);
    }
    Ok(())
}

/// Ctrl-C and the polite end signal.
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

impl Signals {
    fn new() -> anyhow::Result<Signals> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Signals {
            interrupt: signal(SignalKind::interrupt()).context("signal handler")?,
            terminate: signal(SignalKind::terminate()).context("signal handler")?,
        })
    }

    async fn any(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}
