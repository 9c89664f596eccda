//! The auditor at work: one lease after the other, renewed while its verification advances.

use super::verification::{Order, Verifications};
use crate::drain::drained;
use crate::link::Link;
use anyhow::Context;
use game::{Belief, PipelineGame};
use proto::Code;
use proto::v1::lease_response::Answer;
use proto::v1::{Job, JobKind, LeaseKey, ReleaseRequest, RenewRequest, RoleReport, VerdictRequest};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::mpsc::{self, UnboundedReceiver};

/// How long one `Lease` call waits for a job.
const LEASE_WAIT: Duration = Duration::from_secs(10);
/// After a drain began, a verification under way is given this long.
const DRAIN_DEADLINE: Duration = Duration::from_secs(10);
const REPORT_EVERY: Duration = Duration::from_secs(2);

pub struct Service {
    pub link: Arc<Link>,
    /// Set by a signal or by the coordinator: stop, keep what is done.
    pub drain: Arc<AtomicBool>,
}

/// What status shows.
#[derive(Default)]
struct Counters {
    shards: AtomicU64,
    rows: AtomicU64,
    failed: AtomicU64,
}

type Outcome = anyhow::Result<VerdictRequest>;

/// Verifies until a drain.
pub async fn serve<G: PipelineGame, B: Belief<G>>(
    service: Service,
    verifications: Verifications<G, B>,
) -> anyhow::Result<()> {
    let counters = Arc::new(Counters::default());
    let (link, drain) = (Arc::clone(&service.link), Arc::clone(&service.drain));
    let reporting = tokio::spawn(report(link, drain, Arc::clone(&counters)));
    let (orders, waiting) = std::sync::mpsc::channel::<Arc<Order>>();
    let (sender, mut outcomes) = mpsc::unbounded_channel::<Outcome>();
    let auditor = service.link.id().to_owned();
    // A plain thread: if a drain cannot wait for it, the process ends without it.
    std::thread::Builder::new()
        .name("verify".to_owned())
        .spawn(move || {
            for order in waiting {
                if sender.send(verifications.verify(&order, &auditor)).is_err() {
                    return;
                }
            }
        })
        .context("verification thread")?;
    let mut request = 0;
    while let Some(job) = next_job(&service, &mut request).await? {
        work(&service, job, &orders, &mut outcomes, &counters).await?;
    }
    reporting.abort();
    Ok(())
}

/// The next verification; `None` once none will come. A lost coordinator is waited for.
async fn next_job(service: &Service, request: &mut u64) -> anyhow::Result<Option<Job>> {
    *request += 1;
    loop {
        if service.drain.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let leasing = service.link.lease(*request, LEASE_WAIT, JobKind::Verify);
        let answer = tokio::select! {
            answer = leasing => answer,
            () = drained(&service.drain) => return Ok(None),
        };
        let pause = match answer {
            Ok(response) => match response.answer {
                Some(Answer::Job(job)) => return Ok(Some(job)),
                Some(Answer::Drain(drain)) => {
                    tracing::info!(why = drain.why, "nothing more to verify");
                    return Ok(None);
                }
                Some(Answer::Nothing(nothing)) => Duration::from_millis(nothing.retry_ms.into()),
                None => Duration::from_secs(1),
            },
            Err(error) if error.code == Code::Unauthenticated => {
                return Err(error).context("the coordinator refuses this auditor");
            }
            Err(error) => {
                tracing::warn!(error = %error, "no lease, trying again");
                Duration::from_secs(1)
            }
        };
        tokio::time::sleep(pause.clamp(Duration::from_millis(50), Duration::from_secs(5))).await;
    }
}

/// One lease from its grant to its end.
async fn work(
    service: &Service,
    job: Job,
    orders: &std::sync::mpsc::Sender<Arc<Order>>,
    outcomes: &mut UnboundedReceiver<Outcome>,
    counters: &Counters,
) -> anyhow::Result<()> {
    let lease = LeaseKey { job: job.job, attempt: job.attempt, epoch: job.epoch };
    let order = match Order::read(job) {
        Ok(order) => Arc::new(order),
        Err(error) => {
            release(service, lease, format!("job does not read: {error:#}"), true).await;
            return Ok(());
        }
    };
    orders.send(Arc::clone(&order)).map_err(|_| anyhow::anyhow!("the verification panicked"))?;
    let too_late = async {
        drained(&service.drain).await;
        tokio::time::sleep(DRAIN_DEADLINE).await;
    };
    let outcome = tokio::select! {
        outcome = outcomes.recv() => outcome,
        () = renew(service, lease, &order.progress) => None,
        () = too_late => {
            release(service, lease, "drain".to_owned(), false).await;
            return Ok(());
        }
    };
    match outcome {
        Some(Ok(verdict)) => hand_in(service, verdict, counters).await,
        Some(Err(error)) => {
            tracing::error!(job = lease.job, error = %format!("{error:#}"), "not verified");
            release(service, lease, format!("not verified: {error:#}"), true).await;
        }
        None => {
            release(service, lease, "the verification panicked".to_owned(), true).await;
            anyhow::bail!("the verification panicked; its shard is verified again elsewhere");
        }
    }
    Ok(())
}

/// Prolongs a lease while its verification advances. Once the lease is gone the verdict will be refused, which harms
/// nobody; so this never ends.
async fn renew(service: &Service, lease: LeaseKey, progress: &AtomicU64) {
    let mut pause = Duration::from_secs(1);
    loop {
        tokio::time::sleep(pause).await;
        let renewal = RenewRequest {
            worker: service.link.id().to_owned(),
            lease: Some(lease),
            progress: progress.load(Ordering::Relaxed),
            games_done: 0,
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
            Err(error) if error.code == Code::LeaseLost => std::future::pending().await,
            Err(error) => {
                tracing::warn!(job = lease.job, error = %error, "lease not renewed");
                pause = Duration::from_secs(1);
            }
        }
    }
}

async fn hand_in(service: &Service, verdict: VerdictRequest, counters: &Counters) {
    let (shard, rows) = (verdict.shard.clone(), verdict.rows);
    let differences = verdict.differences;
    match service.link.report_verdict(verdict).await {
        Ok(_) => {
            tracing::info!(shard, rows, differences, "verdict recorded");
            counters.shards.fetch_add(1, Ordering::Relaxed);
            counters.rows.fetch_add(rows, Ordering::Relaxed);
            counters.failed.fetch_add(u64::from(differences > 0), Ordering::Relaxed);
        }
        Err(error) => tracing::warn!(shard, error = %error, "verdict not recorded"),
    }
}

/// A job that is not given back runs out by itself.
async fn release(service: &Service, lease: LeaseKey, why: String, failed: bool) {
    let worker = service.link.id().to_owned();
    let release = ReleaseRequest { worker, lease: Some(lease), why, failed };
    if let Err(error) = service.link.release(release).await {
        tracing::warn!(job = lease.job, error = %error, "job not given back, its lease runs out");
    }
}

async fn report(link: Arc<Link>, drain: Arc<AtomicBool>, counters: Arc<Counters>) {
    let mut before = 0;
    loop {
        let rows = counters.rows.load(Ordering::Relaxed);
        let failed = counters.failed.load(Ordering::Relaxed);
        let doing = if failed > 0 { format!("{failed} shards failed") } else { String::new() };
        let report = RoleReport {
            role: "auditor".to_owned(),
            id: link.id().to_owned(),
            doing,
            rate: (rows - before) as f64 / REPORT_EVERY.as_secs_f64(),
            rate_unit: "rows/s".to_owned(),
            next: format!("{} shards verified", counters.shards.load(Ordering::Relaxed)),
            ..RoleReport::default()
        };
        before = rows;
        if let Ok(answer) = link.report(report).await
            && answer.drain
        {
            drain.store(true, Ordering::Relaxed);
        }
        tokio::time::sleep(REPORT_EVERY).await;
    }
}
