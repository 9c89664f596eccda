//! One play thread: its own games, its own batch, its own network. It never touches the network card or the store.

use super::game::{PlayedGame, SelfPlayGame};
use super::job::JobOrder;
use super::pool::{Left, Pool};
use super::shards::{JobResult, ShardContext};
use crate::checkpoint::CheckpointSource;
use anyhow::Context;
use game::{Belief, PipelineGame};
use net::{EvaluatorCounters, EvaluatorOptions, NetEvaluator};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;
use tokio::sync::mpsc::UnboundedSender;

/// What a thread asks its service for, or hands over.
pub enum News {
    /// The thread could start more games than its jobs have.
    WantsJob { thread_idx: usize },
    /// A job's games are played and its shards lie in local files.
    Finished(Box<JobResult>),
    /// The job cannot be done here.
    Failed { lease: proto::v1::LeaseKey, why: String },
    /// A drain: the job goes back unfinished.
    GivenBack { lease: proto::v1::LeaseKey },
}

/// How a thread plays.
pub struct ThreadPlan<G, B> {
    pub rules: G,
    pub belief: B,
    pub thread_idx: usize,
    /// Games side by side.
    pub games_in_flight: usize,
    pub evaluator: EvaluatorOptions,
    pub checkpoints: CheckpointSource,
    pub shards: ShardContext,
}

/// Figures that a thread shares.
#[derive(Default)]
pub struct ThreadCounters {
    pub evals: AtomicU64,
    pub batches: AtomicU64,
    pub cache_hits: AtomicU64,
    pub games: AtomicU64,
    pub sampler_failures: AtomicU64,
    pub in_flight: AtomicU64,
    pub generation: AtomicU32,
}

/// Plays until the orders' sender is gone or a drain is done.
pub fn play<G: PipelineGame, B: Belief<G>>(
    plan: ThreadPlan<G, B>,
    orders: &Receiver<JobOrder>,
    news: &UnboundedSender<News>,
    counters: &Arc<ThreadCounters>,
    drain: &AtomicBool,
) {
    net::use_one_thread();
    let mut thread = PlayThread {
        groups: Vec::new(),
        jobs: Vec::new(),
        has_asked: false,
        counters: Arc::clone(counters),
        news: news.clone(),
        plan,
    };
    while !drain.load(Ordering::Relaxed) {
        if !thread.receive(orders) {
            break;
        }
        thread.start_games();
        thread.step();
        thread.drop_lost_jobs();
        thread.publish_progress();
    }
    thread.give_back(orders);
}

/// Games that one checkpoint plays.
struct Group<G: PipelineGame, B: Belief<G>> {
    checkpoint: String,
    evaluator: NetEvaluator<G>,
    pool: Pool<G, B>,
    counted: EvaluatorCounters,
}

struct ActiveJob<G: PipelineGame> {
    order: JobOrder,
    unstarted: VecDeque<u64>,
    finished: Vec<(u64, PlayedGame<G>)>,
    /// Plies of the finished games.
    n_plies: u64,
}

struct PlayThread<G: PipelineGame, B: Belief<G>> {
    plan: ThreadPlan<G, B>,
    groups: Vec<Group<G, B>>,
    jobs: Vec<ActiveJob<G>>,
    has_asked: bool,
    counters: Arc<ThreadCounters>,
    news: UnboundedSender<News>,
}

impl<G: PipelineGame, B: Belief<G>> PlayThread<G, B> {
    fn n_in_flight(&self) -> usize {
        self.groups.iter().map(|group| group.pool.n_games()).sum()
    }

    fn tell(&self, news: News) {
        // The service outlives its threads; at its very end nobody listens any more.
        let _ = self.news.send(news);
    }

    /// Takes in new jobs; waits a moment when there is nothing to play. False when no job will come any more.
    fn receive(&mut self, orders: &Receiver<JobOrder>) -> bool {
        let n_unstarted: usize = self.jobs.iter().map(|job| job.unstarted.len()).sum();
        let n_missing = self.plan.games_in_flight.saturating_sub(self.n_in_flight());
        if n_unstarted < n_missing.max(1) && !self.has_asked {
            self.has_asked = true;
            self.tell(News::WantsJob { thread_idx: self.plan.thread_idx });
        }
        let pause = if self.jobs.is_empty() { Duration::from_millis(200) } else { Duration::ZERO };
        match orders.recv_timeout(pause) {
            Ok(order) => {
                self.has_asked = false;
                self.accept(order);
                true
            }
            Err(RecvTimeoutError::Timeout) => true,
            Err(RecvTimeoutError::Disconnected) => false,
        }
    }

    fn accept(&mut self, order: JobOrder) {
        if let Err(error) = self.ready_group(&order) {
            tracing::error!(job = order.lease.job, error = %format!("{error:#}"), "job cannot be played");
            self.tell(News::Failed { lease: order.lease, why: format!("{error:#}") });
            return;
        }
        self.counters.generation.store(order.checkpoint.generation, Ordering::Relaxed);
        let unstarted = order.games.iter().copied().collect();
        self.jobs.push(ActiveJob { order, unstarted, finished: Vec::new(), n_plies: 0 });
    }

    /// Loads the job's checkpoint unless a group plays with it already.
    fn ready_group(&mut self, order: &JobOrder) -> anyhow::Result<()> {
        let id = &order.checkpoint.id;
        if self.groups.iter().any(|group| group.checkpoint == *id) {
            return Ok(());
        }
        let network = self.plan.checkpoints.load(&order.checkpoint)?;
        let evaluator = NetEvaluator::new(self.plan.rules.clone(), &network, self.plan.evaluator)
            .with_context(|| format!("checkpoint {id}"))?;
        self.groups.push(Group {
            checkpoint: id.clone(),
            evaluator,
            pool: Pool::new(self.plan.evaluator.batch_size),
            counted: EvaluatorCounters::default(),
        });
        Ok(())
    }

    fn start_games(&mut self) {
        let mut n_missing = self.plan.games_in_flight.saturating_sub(self.n_in_flight());
        for job in &mut self.jobs {
            while n_missing > 0
                && let Some(number) = job.unstarted.pop_front()
            {
                let order = &job.order;
                let game = SelfPlayGame::deal(
                    &self.plan.rules,
                    &self.plan.belief,
                    order.params,
                    order.run_seed,
                    &order.secret,
                    number,
                );
                let group = self.groups.iter_mut().find(|g| g.checkpoint == order.checkpoint.id);
                group.expect("a job's group was made with it").pool.add(game);
                n_missing -= 1;
            }
        }
    }

    fn step(&mut self) {
        let mut left = Vec::new();
        for group in &mut self.groups {
            group.pool.step(&mut group.evaluator, &mut left);
            let now = group.evaluator.counters();
            let before = std::mem::replace(&mut group.counted, now);
            self.counters.evals.fetch_add(now.evals - before.evals, Ordering::Relaxed);
            self.counters.batches.fetch_add(now.batches - before.batches, Ordering::Relaxed);
            self.counters
                .cache_hits
                .fetch_add(now.cache_hits - before.cache_hits, Ordering::Relaxed);
        }
        for game in left {
            self.take(game);
        }
        let jobs = &self.jobs;
        self.groups.retain(|group| {
            group.pool.n_games() > 0
                || jobs.iter().any(|job| job.order.checkpoint.id == group.checkpoint)
        });
    }

    fn take(&mut self, left: Left<G>) {
        match left {
            Left::Over { number, game } => {
                self.counters.games.fetch_add(1, Ordering::Relaxed);
                let Some(idx) = self.job_of(number) else { return };
                let job = &mut self.jobs[idx];
                job.n_plies += game.plies.len() as u64;
                job.finished.push((number, game));
                if job.finished.len() == job.order.games.len() {
                    let job = self.jobs.remove(idx);
                    self.hand_in(job);
                }
            }
            Left::Failed { number, failure } => {
                self.counters.sampler_failures.fetch_add(1, Ordering::Relaxed);
                tracing::error!(game = number, error = %failure, "sampler failure");
                let Some(idx) = self.job_of(number) else { return };
                let job = self.jobs.remove(idx);
                self.drop_games_of(&job);
                let why = format!("sampler failure in game {number}: {failure}");
                self.tell(News::Failed { lease: job.order.lease, why });
            }
        }
    }

    fn job_of(&self, number: u64) -> Option<usize> {
        self.jobs.iter().position(|job| job.order.games.binary_search(&number).is_ok())
    }

    /// Writes the shards of a job's finished games and hands them to the service.
    fn hand_in(&self, mut job: ActiveJob<G>) {
        job.finished.sort_by_key(|(number, _)| *number);
        let lease = job.order.lease;
        match self.plan.shards.write(&self.plan.rules, &job.order, job.finished) {
            Ok(result) => self.tell(News::Finished(Box::new(result))),
            Err(error) => {
                let why = format!("{error:#}");
                tracing::error!(job = lease.job, error = why, "shards cannot be written");
                self.tell(News::Failed { lease, why });
            }
        }
    }

    fn drop_games_of(&mut self, job: &ActiveJob<G>) {
        for group in &mut self.groups {
            group.pool.drop_games(&job.order.games);
        }
    }

    fn drop_lost_jobs(&mut self) {
        while let Some(idx) = self.jobs.iter().position(|job| job.order.progress.is_lost()) {
            let job = self.jobs.remove(idx);
            tracing::warn!(job = job.order.lease.job, "lease lost, its games are dropped");
            self.drop_games_of(&job);
        }
    }

    fn publish_progress(&self) {
        self.counters.in_flight.store(self.n_in_flight() as u64, Ordering::Relaxed);
        for job in &self.jobs {
            let running: u64 =
                self.groups.iter().map(|group| group.pool.n_plies(&job.order.games)).sum();
            job.order.progress.set(job.n_plies + running, job.finished.len() as u32);
        }
    }

    /// A drain: what has ended is handed in, the rest goes back.
    fn give_back(mut self, orders: &Receiver<JobOrder>) {
        for order in orders.try_iter() {
            self.tell(News::GivenBack { lease: order.lease });
        }
        for job in std::mem::take(&mut self.jobs) {
            self.drop_games_of(&job);
            if job.finished.is_empty() {
                self.tell(News::GivenBack { lease: job.order.lease });
            } else {
                self.hand_in(job);
            }
        }
    }
}
