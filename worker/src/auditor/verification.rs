//! One verification: both shards fetched, every game replayed, every row derived again, worlds and second truths.

use crate::audit::again::SearchAgain;
use crate::audit::run_shards::Roots;
use anyhow::{Context, ensure};
use audit::{
    AuditReport, Finding, Identity, Sampled, SearchRow, SearchTask, Searcher, Shards, Verifier,
    VerifyOptions,
};
use game::{Belief, Hidden, PipelineGame};
use net::Checkpoint;
use proto::v1::{Difference, Job, LeaseKey, VerdictRequest, Verification};
use record::{ShardKind, ShardManifest};
use run::RunFolder;
use run::files::write_atomic;
use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What is to be verified under a lease, read from the wire.
pub struct Order {
    pub lease: LeaseKey,
    training: ShardManifest,
    audit: ShardManifest,
    options: VerifyOptions,
    /// Grows while the verification advances.
    pub progress: Arc<AtomicU64>,
}

impl Order {
    pub fn read(job: Job) -> anyhow::Result<Order> {
        let lease = LeaseKey { job: job.job, attempt: job.attempt, epoch: job.epoch };
        let it: Verification = job.verification.context("the job is no verification")?;
        let read = |kind: ShardKind, text: &str| -> anyhow::Result<ShardManifest> {
            let manifest = ShardManifest::from_json(text)?;
            ensure!(manifest.kind == kind, "manifest of {} has another kind", manifest.shard);
            Ok(manifest)
        };
        // Drawn here and now: whoever writes shards cannot know which decisions are looked at closely.
        let seed = std::collections::hash_map::RandomState::new().build_hasher().finish();
        Ok(Order {
            lease,
            training: read(ShardKind::Training, &it.training_manifest)?,
            audit: read(ShardKind::Audit, &it.audit_manifest)?,
            options: VerifyOptions {
                pairs: it.pairs as usize,
                world_decisions: it.worlds as usize,
                seed,
            },
            progress: Arc::default(),
        })
    }
}

/// Verifies one order after the other.
pub struct Verifications<G: PipelineGame, B: Belief<G>> {
    rules: G,
    belief: B,
    folder: RunFolder,
    roots: Roots,
    identity: Identity,
    n_threads: usize,
}

impl<G: PipelineGame, B: Belief<G>> Verifications<G, B> {
    /// `identity` opens the run's audit shards.
    pub fn open(
        rules: G,
        belief: B,
        folder: &RunFolder,
        identity: Identity,
        n_threads: usize,
    ) -> anyhow::Result<Self> {
        let roots = Roots::open(folder)?;
        Ok(Verifications { rules, belief, folder: folder.clone(), roots, identity, n_threads })
    }

    /// The verdict. An error says why there is none: a store or a checkpoint that does not read is this machine's
    /// trouble and nothing against the shard.
    pub fn verify(&self, order: &Order, auditor: &str) -> anyhow::Result<VerdictRequest> {
        let Order { training, audit, options, progress, .. } = order;
        let fetch =
            |manifest: &ShardManifest| self.roots.fetch(manifest).map_err(anyhow::Error::msg);
        let files = [fetch(training)?, fetch(audit)?];
        if options.pairs + options.world_decisions > 0 {
            let folder = self.folder.checkpoints_dir().join(&training.checkpoint);
            Checkpoint::load(&folder, Some(&self.rules.fingerprint_text()))
                .with_context(|| format!("checkpoint {}", training.checkpoint))?;
        }
        let again = SearchAgain::new(
            self.rules.clone(),
            self.belief.clone(),
            &self.folder,
            &audit.numerics,
            self.n_threads,
        );
        let mut searcher = Advancing { inner: again, progress };
        let verifier = Verifier { rules: &self.rules, identity: &self.identity, options: *options };
        let shards = Shards { training: vec![training.clone()], audit: vec![audit.clone()] };
        let fetched = |manifest: &ShardManifest| {
            Ok(files[usize::from(manifest.kind == ShardKind::Audit)].clone())
        };
        let report = verifier.verify(&shards, &fetched, &mut searcher, &mut |_| {
            progress.fetch_add(1, Ordering::Relaxed);
        });
        if !report.is_clean() {
            self.keep(&report, training)?;
        }
        Ok(verdict(order, &report, auditor))
    }

    /// What was found, with what it shows of the truth: under the audit root, for the eyes of auditors.
    fn keep(&self, report: &AuditReport, training: &ShardManifest) -> anyhow::Result<()> {
        let folder = self.folder.audit_dir().join("verdicts");
        std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        let path = folder.join(format!("{}.json", training.shard));
        let text = serde_json::to_string_pretty(report)?;
        write_atomic(&path, text.as_bytes()).with_context(|| path.display().to_string())?;
        tracing::error!(
            shard = training.shard,
            differences = report.differences,
            report = %path.display(),
            "verification failed"
        );
        Ok(())
    }
}

/// Counts and places; nothing of what the report shows.
fn verdict(order: &Order, report: &AuditReport, auditor: &str) -> VerdictRequest {
    VerdictRequest {
        auditor: auditor.to_owned(),
        lease: Some(order.lease),
        shard: order.training.shard.clone(),
        training_digest: order.training.digest.clone(),
        audit_digest: order.audit.digest.clone(),
        rows: report.rows_checked,
        rederived_equal: report.rederived_equal,
        worlds: report.worlds_checked,
        worlds_invalid: report.worlds_invalid,
        pairs: report.two_world_pairs,
        differences: report.differences,
        first: report.findings.first().map(difference),
    }
}

fn difference(finding: &Finding) -> Difference {
    Difference {
        check: finding.check.to_string(),
        row: finding.row,
        column: finding.column.unwrap_or_default().to_owned(),
    }
}

/// Searches as many tasks at a time as fill some batches, and counts them, so that a long verification is seen to
/// advance.
struct Advancing<'a, S> {
    inner: S,
    progress: &'a AtomicU64,
}

const TASKS_AT_A_TIME: usize = 64;

impl<S> Advancing<'_, S> {
    fn in_parts<T, A>(&mut self, tasks: &[T], ask: impl Fn(&mut S, &[T]) -> Vec<A>) -> Vec<A> {
        let mut answers = Vec::with_capacity(tasks.len());
        for some in tasks.chunks(TASKS_AT_A_TIME) {
            answers.extend(ask(&mut self.inner, some));
            self.progress.fetch_add(1, Ordering::Relaxed);
        }
        answers
    }
}

impl<G: Hidden, S: Searcher<G>> Searcher<G> for Advancing<'_, S> {
    fn search(&mut self, tasks: &[SearchTask<'_, G>]) -> Vec<Result<SearchRow, String>> {
        self.in_parts(tasks, |inner, some| inner.search(some))
    }

    fn sample(&mut self, tasks: &[SearchTask<'_, G>]) -> Vec<Result<Sampled<G>, String>> {
        self.in_parts(tasks, |inner, some| inner.sample(some))
    }

    fn belief(&self) -> String {
        self.inner.belief()
    }

    fn repeats(&self, numerics: &str) -> bool {
        self.inner.repeats(numerics)
    }
}
