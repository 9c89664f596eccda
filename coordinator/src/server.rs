//! One coordinator at work: opens a run folder, listens, answers, ends.

use crate::accepted::AcceptedList;
use crate::caller::Credentials;
use crate::core::{Admission, Answer, Config, Core, Input};
use crate::keeper::{Clock, Keeper, KeeperError, Lists};
use crate::objects::Objects;
use crate::service::{RunInfo, Service};
use crate::stop::{GRACE, HARD_DEADLINE, Phase, Stop};
use crate::store::{Identity, Kind, SqliteStore, Store as _};
use anyhow::{Context, bail};
use proto::limits::MESSAGE_BYTES_MAX;
use proto::v1::coordinator_server::CoordinatorServer;
use run::{RunFolder, Store};
use std::net::SocketAddr;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;

/// How often time passes for the core when nobody asks anything.
const TICK: Duration = Duration::from_millis(500);

/// A coordinator that listens and is ready to serve.
pub struct Server {
    listener: TcpListener,
    service: Service,
    thread: JoinHandle<Result<(), KeeperError>>,
    grace: Duration,
    /// Held for as long as the run folder is ours.
    _lock: run::folder::FolderLock,
}

impl Server {
    /// Takes the run folder, makes its lists right, and listens at `listen` (`HOST:PORT`; port 0 takes a free one).
    pub async fn open(folder: &RunFolder, listen: &str, insecure: bool) -> anyhow::Result<Server> {
        let lock = folder.lock("coordinator")?;
        let listener = bind(listen, insecure).await?;
        let config = folder.config();
        let objects = Objects {
            training: Store::open(config.stores.training.as_deref(), &folder.training_dir())?,
            audit: Store::open(config.stores.audit.as_deref(), &folder.audit_dir())?,
            root: std::fs::canonicalize(folder.root()).context("run folder")?,
        };
        objects.training.probe().await.context("training store")?;
        objects.audit.probe().await.context("audit store")?;
        let identity = Identity {
            run: folder.name(),
            run_seed: config.run.seed,
            deal_secret: folder.deal_secret()?,
        };
        let mut store = SqliteStore::open(&folder.sqlite_path(), &identity)?;
        let run = store.run().to_owned();
        let stored = store.load()?;
        let clock = Clock::start();
        let core = Core::new(core_config(folder, &run)?, &stored, clock.now_ms());
        let training = &folder.accepted_path();
        let audit = &folder.audit_dir().join("accepted.jsonl");
        let all = core.state().sequence();
        let lists = Lists {
            training: AcceptedList::rebuild(training, Kind::Training, core.window(), &mut store)?,
            audit: AcceptedList::rebuild(audit, Kind::Audit, all, &mut store)?,
        };
        let (keeper, thread) =
            Keeper::start(core, Box::new(store), lists, clock).context("keeper thread")?;
        let info = Arc::new(run_info(folder, run, &objects, identity.deal_secret)?);
        let credentials = Credentials::of(folder)?;
        let service = Service { keeper, info, credentials, objects, stop: Stop::default() };
        let address = reachable(listener.local_addr().context("own address")?);
        folder.write_endpoint(&address.to_string())?;
        tracing::info!(run = service.info.run, %address, "coordinator listens");
        Ok(Server { listener, service, thread, grace: GRACE, _lock: lock })
    }

    pub fn address(&self) -> anyhow::Result<SocketAddr> {
        Ok(reachable(self.listener.local_addr().context("own address")?))
    }

    /// What ends the server, and tells how far the end has come.
    pub fn stop(&self) -> Stop {
        self.service.stop.clone()
    }

    /// How long open leases are waited for in the end; 20 seconds unless said otherwise.
    pub fn with_grace(self, grace: Duration) -> Server {
        Server { grace, ..self }
    }

    /// Answers until it is stopped. An error means that the run's record could not be kept.
    pub async fn serve(self) -> anyhow::Result<()> {
        let Server { listener, service, thread, grace, _lock } = self;
        let stop = service.stop.clone();
        let ticker = tokio::spawn(tick(service.keeper.clone(), stop.clone()));
        let ending = tokio::spawn(end(service.keeper.clone(), stop.clone(), grace));
        let watched = tokio::task::spawn_blocking(move || thread.join());
        let end_of_answers = {
            let stop = stop.clone();
            async move { stop.reached(Phase::Ending).await }
        };
        let answering = proto::server()
            .add_service(
                CoordinatorServer::new(service)
                    .max_decoding_message_size(MESSAGE_BYTES_MAX)
                    .max_encoding_message_size(MESSAGE_BYTES_MAX),
            )
            .serve_with_incoming_shutdown(TcpListenerStream::new(listener), end_of_answers);
        let hard_end = async {
            stop.reached(Phase::Ending).await;
            tokio::time::sleep(HARD_DEADLINE).await;
        };
        let kept = {
            tokio::pin!(watched);
            let kept = tokio::select! {
                answered = answering => {
                    answered.context("listening failed")?;
                    None
                }
                () = hard_end => {
                    tracing::warn!("answers under way were cut off");
                    None
                }
                kept = &mut watched => Some(kept),
            };
            ticker.abort();
            ending.abort();
            match kept {
                Some(kept) => kept,
                // The thread ends when the last handle is gone: those of streams go with their tasks.
                None => match tokio::time::timeout(HARD_DEADLINE, watched).await {
                    Ok(kept) => kept,
                    Err(_) => return Ok(()),
                },
            }
        };
        match kept.context("keeper thread")? {
            Ok(Ok(())) if stop.phase() < Phase::Stopping => bail!("the keeper ended by itself"),
            Ok(kept) => kept.context("the run's record cannot be kept"),
            Err(_) => bail!("the keeper panicked; started again, the coordinator goes on"),
        }
    }
}

/// Time passes, even if nobody asks anything.
async fn tick(keeper: Keeper, stop: Stop) {
    let mut interval = tokio::time::interval(TICK);
    interval.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    while stop.phase() < Phase::Ending {
        interval.tick().await;
        if keeper.step(Input::Tick).await.is_err() {
            return;
        }
    }
}

/// Once asked to stop: no more leases, a while for those that are out and for roles to hear of it, then the end of
/// answers.
async fn end(keeper: Keeper, stop: Stop, grace: Duration) {
    stop.reached(Phase::Stopping).await;
    let deadline = tokio::time::Instant::now() + grace;
    loop {
        let why = "the coordinator is stopping".to_owned();
        let answer = keeper.step(Input::Drain { why }).await;
        let (leases, untold) = match answer {
            Ok(Answer::Draining { leases, untold }) => (leases, untold),
            _ => (0, 0),
        };
        if leases + untold == 0 || tokio::time::Instant::now() >= deadline {
            tracing::info!(leases, untold, "coordinator ends");
            stop.advance(Phase::Ending);
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

async fn bind(listen: &str, insecure: bool) -> anyhow::Result<TcpListener> {
    let addresses: Vec<SocketAddr> = tokio::net::lookup_host(listen)
        .await
        .map_err(|error| {
            run::exit::Usage(format!(
                "cannot listen at {listen:?}: {error}; give HOST:PORT, e.g. 127.0.0.1:0"
            ))
        })?
        .collect();
    if let Some(open) = addresses.iter().find(|address| !address.ip().is_loopback())
        && !insecure
    {
        return Err(run::exit::Usage(format!(
            "{open} can be reached from other machines, and there is no encryption and no password; \
             listen at 127.0.0.1, or say --insecure in a network where everyone is trusted"
        ))
        .into());
    }
    TcpListener::bind(addresses.as_slice()).await.with_context(|| {
        format!(
            "cannot listen at {listen}: stop whoever uses that port, or give another \
             (--listen 127.0.0.1:0 takes a free one)"
        )
    })
}

/// An address that a client can dial: "everywhere" is here, too.
fn reachable(mut address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        match address {
            SocketAddr::V4(_) => address.set_ip(std::net::Ipv4Addr::LOCALHOST.into()),
            SocketAddr::V6(_) => address.set_ip(std::net::Ipv6Addr::LOCALHOST.into()),
        }
    }
    address
}

fn core_config(folder: &RunFolder, run: &str) -> anyhow::Result<Config> {
    let config = folder.config();
    let fingerprint = folder.facts().fingerprint.clone();
    Ok(Config {
        run: run.to_owned(),
        games_per_job: config.selfplay.games_per_job,
        lease_ttl_ms: u64::from(config.coordinator.lease_ttl_s) * 1_000,
        attempts_max: config.coordinator.attempts_max,
        generations: u32::try_from(config.up.generations).context("up.generations")?,
        fingerprint: Some(fingerprint).filter(|text| !text.is_empty()),
        admission: match config.audit.admission {
            run::config::Admission::None => Admission::None,
            run::config::Admission::Required => Admission::Required,
        },
    })
}

fn run_info(
    folder: &RunFolder,
    run: String,
    objects: &Objects,
    deal_secret: [u8; 32],
) -> anyhow::Result<RunInfo> {
    let config = folder.config();
    Ok(RunInfo {
        run,
        root: objects.root.display().to_string(),
        config_toml: config.to_toml(),
        run_seed: config.run.seed,
        deal_secret,
        fingerprint: folder.facts().fingerprint.clone(),
        game: config.run.game.clone(),
        game_toml: toml::to_string(&config.rules).context("rules")?,
        search_toml: toml::to_string(&config.search).context("search")?,
        selfplay_toml: toml::to_string(&config.selfplay).context("selfplay")?,
        audit_pairs: config.audit.pairs,
        audit_worlds: config.audit.worlds,
    })
}
