//! The self-play role: leases jobs for the play threads, renews them while they advance, hands results in.

use super::job::{JobOrder, JobProgress};
use super::shards::JobResult;
use super::thread::{News, ThreadCounters, ThreadPlan, play};
use crate::link::Link;
use anyhow::Context;
use game::{Belief, Fingerprint, PipelineGame};
use proto::v1::lease_response::Answer;
use proto::v1::{JobKind, LeaseKey, ReleaseRequest, RenewRequest, RoleReport};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{self, UnboundedReceiver};
use tokio::task::{AbortHandle, JoinSet};

/// How long one `Lease` call waits for a job.
const LEASE_WAIT: Duration = Duration::from_secs(10);
/// After a drain began, unfinished commits are given this long.
const DRAIN_DEADLINE: Duration = Duration::from_secs(20);
/// How long a request for a job may still be answered after a drain began.
const LEASING_GRACE: Duration = Duration::from_millis(700);
const REPORT_EVERY: Duration = Duration::from_secs(2);

/// What the service needs beside its threads.
pub struct Service {
    pub link: Arc<Link>,
    pub fingerprint: Fingerprint,
    pub prior_shaping: f64,
    pub stores: crate::store::Stores,
    /// Set by a signal or by the coordinator: stop, keep what is done.
    pub drain: Arc<AtomicBool>,
}

/// Runs the play threads until a drain. Returns when everything that could be handed in was.
pub async fn serve<G: PipelineGame, B: Belief<G> + 'static>(
    service: Service,
    plans: Vec<ThreadPlan<G, B>>,
) -> anyhow::Result<()> {
    let (news_sender, news) = mpsc::unbounded_channel();
    let mut orders = Vec::new();
    let mut counters = Vec::new();
    let mut threads = Vec::new();
    for plan in plans {
        let (order_sender, order_receiver) = std::sync::mpsc::channel();
        orders.push(order_sender);
        let shared = Arc::new(ThreadCounters::default());
        counters.push(Arc::clone(&shared));
        let (sender, drain) = (news_sender.clone(), Arc::clone(&service.drain));
        let name = format!("play-{}", plan.thread_idx);
        threads.push(
            std::thread::Builder::new()
                .name(name)
                .spawn(move || play(plan, &order_receiver, &sender, &shared, &drain))
                .context("play thread")?,
        );
    }
    drop(news_sender);
    let mut desk = Desk {
        service: Arc::new(service),
        orders,
        counters,
        renewals: BTreeMap::new(),
        leasing: Vec::new(),
        fault: None,
        tasks: JoinSet::new(),
        next_request: Arc::new(AtomicU64::new(1)),
        n_committed: 0,
        last: (Instant::now(), 0),
    };
    desk.run(news).await;
    let is_lost = threads.into_iter().filter_map(|thread| thread.join().err()).count() > 0;
    if let Some(why) = desk.fault {
        anyhow::bail!(why);
    }
    anyhow::ensure!(
        !is_lost,
        "a play thread panicked; its leases run out and its jobs are tried again"
    );
    Ok(())
}

/// What a task reports back to the desk.
enum Ended {
    Leased {
        thread_idx: usize,
        order: Box<JobOrder>,
    },
    /// No job will come any more.
    NoJob,
    /// This worker cannot play the run's jobs.
    Refused {
        why: String,
    },
    Committed {
        lease: LeaseKey,
    },
    NotCommitted {
        lease: LeaseKey,
    },
    Quiet,
}

struct Desk {
    service: Arc<Service>,
    /// By thread.
    orders: Vec<std::sync::mpsc::Sender<JobOrder>>,
    counters: Vec<Arc<ThreadCounters>>,
    /// By job number.
    renewals: BTreeMap<u64, AbortHandle>,
    /// Tasks that wait for a job.
    leasing: Vec<AbortHandle>,
    /// Why this worker cannot take part in the run.
    fault: Option<String>,
    tasks: JoinSet<Ended>,
    next_request: Arc<AtomicU64>,
    n_committed: u64,
    /// When evaluations were counted last, and how many they were.
    last: (Instant, u64),
}

impl Desk {
    fn is_draining(&self) -> bool {
        self.service.drain.load(Ordering::Relaxed)
    }

    async fn run(&mut self, mut news: UnboundedReceiver<News>) {
        let mut tick = tokio::time::interval(REPORT_EVERY);
        let mut drain_since: Option<Instant> = None;
        let mut are_threads_done = false;
        loop {
            if self.is_draining() && drain_since.is_none() {
                drain_since = Some(Instant::now());
            }
            // Not at once: a job that is granted just now would be lost until its lease runs out.
            if drain_since.is_some_and(|since| since.elapsed() >= LEASING_GRACE) {
                self.leasing.drain(..).for_each(|task| task.abort());
            }
            let is_over = are_threads_done && self.n_open_commits() == 0;
            if is_over || drain_since.is_some_and(|since| since.elapsed() > DRAIN_DEADLINE) {
                break;
            }
            tokio::select! {
                item = news.recv(), if !are_threads_done => match item {
                    Some(item) => self.hear(item),
                    None => are_threads_done = true,
                },
                Some(ended) = self.tasks.join_next(), if !self.tasks.is_empty() => self.end(ended),
                _ = tick.tick() => self.report(),
                () = tokio::time::sleep(LEASING_GRACE), if !self.leasing.is_empty() => {}
            }
        }
        self.orders.clear();
        self.tasks.abort_all();
    }

    /// Tasks other than renewals matter at the end: commits and releases.
    fn n_open_commits(&self) -> usize {
        self.tasks.len() - self.renewals.len().min(self.tasks.len())
    }

    fn hear(&mut self, news: News) {
        match news {
            News::WantsJob { thread_idx } => {
                if !self.is_draining() {
                    let (service, number) = (Arc::clone(&self.service), self.next_number());
                    self.leasing.retain(|task| !task.is_finished());
                    self.leasing.push(self.tasks.spawn(lease(service, thread_idx, number)));
                }
            }
            News::Finished(result) => {
                let service = Arc::clone(&self.service);
                self.tasks.spawn(hand_in(service, result));
            }
            News::Failed { lease, why } => self.release(lease, why, true),
            News::GivenBack { lease } => self.release(lease, "drain".to_owned(), false),
        }
    }

    fn next_number(&self) -> u64 {
        self.next_request.fetch_add(1, Ordering::Relaxed)
    }

    fn release(&mut self, lease: LeaseKey, why: String, failed: bool) {
        self.stop_renewing(lease);
        let service = Arc::clone(&self.service);
        self.tasks.spawn(async move {
            let worker = service.link.id().to_owned();
            let release = ReleaseRequest { worker, lease: Some(lease), why, failed };
            if let Err(error) = service.link.release(release).await {
                tracing::warn!(job = lease.job, error = %error, "job not given back, its lease runs out");
            }
            Ended::Quiet
        });
    }

    fn stop_renewing(&mut self, lease: LeaseKey) {
        if let Some(renewal) = self.renewals.remove(&lease.job) {
            renewal.abort();
        }
    }

    fn end(&mut self, ended: Result<Ended, tokio::task::JoinError>) {
        let Ok(ended) = ended else { return };
        match ended {
            Ended::Leased { order, .. } if self.is_draining() => {
                self.release(order.lease, "drain".to_owned(), false);
            }
            Ended::Leased { thread_idx, order } => {
                let renewal =
                    renew(Arc::clone(&self.service), order.lease, Arc::clone(&order.progress));
                self.renewals.insert(order.lease.job, self.tasks.spawn(renewal));
                let lease = order.lease;
                if self.orders[thread_idx].send(*order).is_err() {
                    self.release(lease, "drain".to_owned(), false);
                }
            }
            Ended::NoJob => self.service.drain.store(true, Ordering::Relaxed),
            Ended::Refused { why } => {
                self.fault = Some(why);
                self.service.drain.store(true, Ordering::Relaxed);
            }
            Ended::Committed { lease } => {
                self.n_committed += 1;
                self.stop_renewing(lease);
            }
            Ended::NotCommitted { lease } => self.stop_renewing(lease),
            Ended::Quiet => {}
        }
    }

    fn report(&mut self) {
        let sum = |read: fn(&ThreadCounters) -> &AtomicU64| -> u64 {
            self.counters.iter().map(|counters| read(counters).load(Ordering::Relaxed)).sum()
        };
        let evals = sum(|counters| &counters.evals);
        let (since, before) = std::mem::replace(&mut self.last, (Instant::now(), evals));
        let rate = (evals - before) as f64 / since.elapsed().as_secs_f64().max(1e-3);
        let generation = self
            .counters
            .iter()
            .map(|counters| counters.generation.load(Ordering::Relaxed))
            .max()
            .unwrap_or(0);
        let report = RoleReport {
            role: "worker".to_owned(),
            id: self.service.link.id().to_owned(),
            doing: if self.is_draining() { "draining" } else { "playing" }.to_owned(),
            rate,
            rate_unit: "evals/s".to_owned(),
            games: sum(|counters| &counters.games),
            queue: sum(|counters| &counters.in_flight),
            generation,
            next: format!("{} shards handed in", self.n_committed),
            ..RoleReport::default()
        };
        let service = Arc::clone(&self.service);
        self.tasks.spawn(async move {
            if let Ok(answer) = service.link.report(report).await
                && answer.drain
            {
                service.drain.store(true, Ordering::Relaxed);
            }
            Ended::Quiet
        });
    }
}

/// Asks for a job until there is one. A lost coordinator is waited for.
async fn lease(service: Arc<Service>, thread_idx: usize, number: u64) -> Ended {
    loop {
        if service.drain.load(Ordering::Relaxed) {
            return Ended::Quiet;
        }
        let pause = match service.link.lease(number, LEASE_WAIT, JobKind::SelfPlay).await {
            Ok(response) => match response.answer {
                Some(Answer::Job(job)) => {
                    let key = LeaseKey { job: job.job, attempt: job.attempt, epoch: job.epoch };
                    match JobOrder::read(job, service.fingerprint, service.prior_shaping) {
                        Ok(order) => return Ended::Leased { thread_idx, order: Box::new(order) },
                        Err(error) => {
                            tracing::error!(error = %format!("{error:#}"), "job refused");
                            let worker = service.link.id().to_owned();
                            let why = format!("{error:#}");
                            let lease = Some(key);
                            let refusal =
                                ReleaseRequest { worker, lease, why: why.clone(), failed: true };
                            let _ = service.link.release(refusal).await;
                            return Ended::Refused { why };
                        }
                    }
                }
                Some(Answer::Drain(_)) => return Ended::NoJob,
                Some(Answer::Nothing(nothing)) => Duration::from_millis(nothing.retry_ms.into()),
                None => Duration::from_secs(1),
            },
            Err(error) => {
                tracing::warn!(error = %error, "no lease, trying again");
                Duration::from_secs(1)
            }
        };
        tokio::time::sleep(pause.clamp(Duration::from_millis(50), Duration::from_secs(5))).await;
    }
}

/// Prolongs a lease while its job advances, until it is aborted or the lease is gone.
async fn renew(service: Arc<Service>, lease: LeaseKey, progress: Arc<JobProgress>) -> Ended {
    let mut pause = Duration::from_secs(1);
    loop {
        tokio::time::sleep(pause).await;
        let renewal = RenewRequest {
            worker: service.link.id().to_owned(),
            lease: Some(lease),
            progress: progress.plies(),
            games_done: progress.games_done(),
        };
        match service.link.renew(renewal).await {
            Ok(answer) => {
                if answer.drain {
                    service.drain.store(true, Ordering::Relaxed);
                }
                // Thrice within the time that is left.
                pause = Duration::from_millis(answer.lease_ttl_ms / 3)
                    .clamp(Duration::from_millis(200), Duration::from_secs(20));
            }
            Err(error) if error.code == proto::Code::LeaseLost => {
                progress.lose();
                // Stays until it is aborted, so that the desk's count of renewals is the count of these tasks.
                std::future::pending::<()>().await;
            }
            Err(error) => {
                tracing::warn!(job = lease.job, error = %error, "lease not renewed");
                pause = Duration::from_secs(1);
            }
        }
    }
}

/// Uploads a job's shards and commits them. Tried until the coordinator has answered: the files lie locally.
async fn hand_in(service: Arc<Service>, result: Box<JobResult>) -> Ended {
    let lease = result.lease;
    if let Err(error) = service.stores.put_all(&result).await {
        tracing::error!(job = lease.job, error = %format!("{error:#}"), "shards not stored");
        let worker = service.link.id().to_owned();
        let why = format!("shards not stored: {error:#}");
        let release = ReleaseRequest { worker, lease: Some(lease), why, failed: true };
        let _ = service.link.release(release).await;
        return Ended::NotCommitted { lease };
    }
    match service.link.commit(result.commit_request(service.link.id())).await {
        Ok(response) => {
            tracing::info!(job = lease.job, sequence = response.sequence, "shard accepted");
            Ended::Committed { lease }
        }
        Err(error) => {
            tracing::error!(job = lease.job, error = %error, "shard refused");
            Ended::NotCommitted { lease }
        }
    }
}
