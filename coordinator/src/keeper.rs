//! The one thread that owns the core and the store. It takes what has queued up, steps through it, stores all changes in
//! one transaction, and only then answers. Everybody else holds a [`Keeper`] and asks.

use crate::accepted::{AcceptedError, AcceptedList};
use crate::core::{Answer, Change, Checkpoint, Core, Input};
use crate::store::{Kind, Store, StoreError};
use proto::{Code, WireError};
use std::thread::JoinHandle;
use std::time::Instant;
use tokio::sync::{mpsc, oneshot, watch};

/// Questions that may wait for the thread; more than that is pushed back on the callers.
const QUEUE: usize = 1024;
/// Steps stored in one transaction.
const BATCH: usize = 256;

/// Why the thread ended before it was asked to.
#[derive(Debug, thiserror::Error)]
pub enum KeeperError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Accepted(#[from] AcceptedError),
}

/// The lists that follow the store.
#[derive(Debug)]
pub struct Lists {
    pub training: AcceptedList,
    pub audit: AcceptedList,
}

/// Milliseconds since 1970 that never run back: the wall clock is read once, at the start.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    started_ms: u64,
    started: Instant,
}

impl Clock {
    pub fn start() -> Clock {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let started_ms = since.map_or(0, |it| u64::try_from(it.as_millis()).unwrap_or(0));
        Clock { started_ms, started: Instant::now() }
    }

    pub fn now_ms(&self) -> u64 {
        self.started_ms + u64::try_from(self.started.elapsed().as_millis()).unwrap_or(0)
    }
}

enum Ask {
    Step(Box<Input>, oneshot::Sender<Result<Answer, WireError>>),
    Window { from_sequence: u64, n_max: usize, reply: oneshot::Sender<Vec<(u64, String)>> },
    Shard { sequence: u64, reply: oneshot::Sender<Option<Manifests>> },
    Checkpoints { from_generation: u32, reply: oneshot::Sender<Vec<Checkpoint>> },
}

/// Both manifests of one accepted commit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Manifests {
    pub training: String,
    pub audit: String,
}

/// A handle to the thread. The thread ends when the last handle is dropped.
#[derive(Clone)]
pub struct Keeper {
    asks: mpsc::Sender<Ask>,
    version: watch::Receiver<u64>,
}

impl Keeper {
    /// Starts the thread. Joining it says whether it failed.
    pub fn start(
        core: Core,
        store: Box<dyn Store>,
        lists: Lists,
        clock: Clock,
    ) -> std::io::Result<(Keeper, JoinHandle<Result<(), KeeperError>>)> {
        let (asks, queue) = mpsc::channel(QUEUE);
        let (versions, version) = watch::channel(0);
        let listed = core.window();
        let thread = Thread { core, store, lists, listed, clock, versions };
        let handle = std::thread::Builder::new()
            .name("keeper".to_owned())
            .spawn(move || thread.serve(queue))?;
        Ok((Keeper { asks, version }, handle))
    }

    /// One step of the core; the answer comes after its changes are on disk.
    pub async fn step(&self, input: Input) -> Result<Answer, WireError> {
        self.ask(|reply| Ask::Step(Box::new(input), reply)).await?
    }

    /// Training manifests of the window from a sequence number on.
    pub async fn window(
        &self,
        from_sequence: u64,
        n_max: usize,
    ) -> Result<Vec<(u64, String)>, WireError> {
        self.ask(|reply| Ask::Window { from_sequence, n_max, reply }).await
    }

    /// What was committed under a sequence number.
    pub async fn shard(&self, sequence: u64) -> Result<Option<Manifests>, WireError> {
        self.ask(|reply| Ask::Shard { sequence, reply }).await
    }

    /// Registered checkpoints from a generation on.
    pub async fn checkpoints(&self, from_generation: u32) -> Result<Vec<Checkpoint>, WireError> {
        self.ask(|reply| Ask::Checkpoints { from_generation, reply }).await
    }

    /// Changes whenever the run's record does.
    pub fn version(&self) -> watch::Receiver<u64> {
        self.version.clone()
    }

    async fn ask<T>(&self, ask: impl FnOnce(oneshot::Sender<T>) -> Ask) -> Result<T, WireError> {
        let gone = || WireError::new(Code::Internal, "the coordinator is ending");
        let (reply, answer) = oneshot::channel();
        self.asks.send(ask(reply)).await.map_err(|_| gone())?;
        answer.await.map_err(|_| gone())
    }
}

struct Thread {
    core: Core,
    store: Box<dyn Store>,
    lists: Lists,
    /// The last sequence number in the training list.
    listed: u64,
    clock: Clock,
    versions: watch::Sender<u64>,
}

impl Thread {
    fn serve(mut self, mut queue: mpsc::Receiver<Ask>) -> Result<(), KeeperError> {
        let mut asks = Vec::with_capacity(BATCH);
        while queue.blocking_recv_many(&mut asks, BATCH) > 0 {
            // Nobody gets an answer when this fails: whoever asks again asks the next start.
            self.answer(&mut asks)?;
        }
        Ok(())
    }

    fn answer(&mut self, asks: &mut Vec<Ask>) -> Result<(), KeeperError> {
        let mut changes = Vec::new();
        let mut answers = Vec::new();
        for ask in asks.drain(..) {
            match ask {
                Ask::Step(input, reply) => {
                    let effects = self.core.step(self.clock.now_ms(), *input);
                    changes.extend(effects.changes);
                    answers.push((reply, effects.answer));
                }
                // The list is as far as the store is: the core may be ahead of both.
                Ask::Window { from_sequence, n_max, reply } => {
                    let _ = reply.send(self.listed_from(from_sequence, n_max)?);
                }
                Ask::Shard { sequence, reply } => {
                    let _ = reply.send(self.manifests_of(sequence)?);
                }
                Ask::Checkpoints { from_generation, reply } => {
                    let all = self.core.state().checkpoints.range(from_generation..);
                    let _ = reply.send(all.map(|(_, checkpoint)| checkpoint.clone()).collect());
                }
            }
        }
        self.keep(&changes)?;
        for (reply, answer) in answers {
            // A caller that hung up will ask again.
            let _ = reply.send(answer);
        }
        Ok(())
    }

    fn keep(&mut self, changes: &[Change]) -> Result<(), KeeperError> {
        if changes.is_empty() {
            return Ok(());
        }
        self.store.apply(changes)?;
        let shards = || {
            changes.iter().filter_map(|change| match change {
                Change::PutShard(shard) => Some(shard),
                _ => None,
            })
        };
        let audit: Vec<&str> = shards().map(|it| it.audit.manifest.as_str()).collect();
        self.lists.audit.append(&audit)?;
        self.list_window()?;
        self.versions.send_modify(|version| *version += 1);
        Ok(())
    }

    /// Adds to the training list what has entered the window.
    fn list_window(&mut self) -> Result<(), KeeperError> {
        let through = self.core.window();
        while self.listed < through {
            let n_max = usize::try_from(through - self.listed).map_or(BATCH, |n| n.min(BATCH));
            let page = self.store.manifests(Kind::Training, self.listed + 1, n_max)?;
            let Some((last, _)) = page.last() else { return Ok(()) };
            let texts: Vec<&str> = page.iter().map(|(_, manifest)| manifest.as_str()).collect();
            self.lists.training.append(&texts)?;
            self.listed = *last;
        }
        Ok(())
    }

    fn listed_from(
        &mut self,
        from_sequence: u64,
        n_max: usize,
    ) -> Result<Vec<(u64, String)>, StoreError> {
        let n_listed = (self.listed + 1).saturating_sub(from_sequence);
        match usize::try_from(n_listed).map_or(n_max, |n| n.min(n_max)) {
            0 => Ok(Vec::new()),
            n => self.store.manifests(Kind::Training, from_sequence, n),
        }
    }

    fn manifests_of(&mut self, sequence: u64) -> Result<Option<Manifests>, StoreError> {
        let mut one = |kind| -> Result<Option<String>, StoreError> {
            let found = self.store.manifests(kind, sequence, 1)?.pop();
            Ok(found.filter(|(number, _)| *number == sequence).map(|(_, text)| text))
        };
        let (training, audit) = (one(Kind::Training)?, one(Kind::Audit)?);
        Ok(training.zip(audit).map(|(training, audit)| Manifests { training, audit }))
    }
}
