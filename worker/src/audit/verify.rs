//! `muster audit verify RUN`: every game replayed, every training row derived again from the truth, worlds
//! sampled again, second truths searched.

use super::again::SearchAgain;
use super::run_shards::{KeyArgs, RunShards};
use anyhow::Context;
use audit::{AuditReport, Check, Finding, Verifier, VerifyOptions};
use catalog::GameVisitor;
use clap::Args;
use game::{Belief, PipelineGame};
use run::{Exit, RunFolder};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const COUNT_EVERY: Duration = Duration::from_secs(10);

/// Prove from the audit records that every training row is what it must be.
///
/// Replays every game from its deal and recorded chance to its recorded end; derives every training row again
/// from the truth; samples the worlds of a share of the searches again; for `--pairs` decisions searches a second
/// truth that the seat could not tell from the real one, from the same seed: everything must be equal. Exit code
/// 3 when anything is wrong.
#[derive(Args, Debug)]
pub struct VerifyArgs {
    /// Run folder.
    run: PathBuf,
    /// Decisions for which a second truth is searched.
    #[arg(long, default_value_t = VerifyOptions::DEFAULT.pairs)]
    pairs: usize,
    /// Searched decisions whose worlds are sampled again.
    #[arg(long, default_value_t = VerifyOptions::DEFAULT.world_decisions)]
    worlds: usize,
    /// Which decisions are taken for both.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Threads; 0 means one a core.
    #[arg(long, default_value_t = 0)]
    threads: u32,
    #[command(flatten)]
    key: KeyArgs,
    /// One JSON object on standard output.
    #[arg(long)]
    json: bool,
}

/// Entry point of the command.
pub fn run(args: VerifyArgs) -> anyhow::Result<Exit> {
    let options =
        VerifyOptions { pairs: args.pairs, world_decisions: args.worlds, seed: args.seed };
    let mut last: Option<Instant> = None;
    let report = verify_run(&args.run, &args.key, options, args.threads, &mut |doing| {
        // Steps are told at once, counts every ten seconds.
        let is_count = doing.starts_with(|c: char| c.is_ascii_digit());
        if !is_count || last.is_none_or(|last| last.elapsed() >= COUNT_EVERY) {
            eprintln!("audit: {doing}");
            last = Some(Instant::now());
        }
    })?;
    if args.json {
        println!("{}", serde_json::to_string(&report)?);
    } else {
        print!("{}", text(&report));
    }
    for finding in &report.findings {
        eprintln!("{finding}");
    }
    if report.is_clean() {
        return Ok(Exit::Done);
    }
    let listed = report.findings.len() as u64;
    if listed < report.differences {
        eprintln!("… and {} more", report.differences - listed);
    }
    Ok(Exit::Problems)
}

/// Verifies a run and gives the report, for other commands too. `threads` 0 means one a core.
pub fn verify_run(
    root: &Path,
    key: &KeyArgs,
    options: VerifyOptions,
    threads: u32,
    progress: &mut dyn FnMut(&str),
) -> anyhow::Result<AuditReport> {
    let mut shards = RunShards::open(root, key)?;
    let n_waiting = shards.keep_window();
    if n_waiting > 0 {
        progress(&format!(
            "shards outside the window are left to the auditor and not looked at: {n_waiting}"
        ));
    }
    let failed = failed_verdicts(&shards.folder)?;
    let config = shards.folder.config().clone();
    let n_threads = crate::selfplay::command::n_threads(threads);
    let visitor = VerifyVisitor { shards, options, n_threads, progress };
    let mut report = catalog::visit(&config.run.game, &config.rules, visitor)??;
    failed.into_iter().for_each(|finding| report.add(finding));
    Ok(report)
}

/// What the auditor found wrong while the run went on: those shards lie outside the window.
fn failed_verdicts(folder: &RunFolder) -> anyhow::Result<Vec<Finding>> {
    let verdicts = folder.audit_dir().join("verdicts");
    let mut failed = Vec::new();
    if !verdicts.is_dir() {
        return Ok(failed);
    }
    for entry in std::fs::read_dir(&verdicts).with_context(|| verdicts.display().to_string())? {
        let path = entry?.path();
        let text = std::fs::read(&path).with_context(|| path.display().to_string())?;
        let report: Result<serde_json::Value, _> = serde_json::from_slice(&text);
        let differences = report.ok().and_then(|report| report["differences"].as_u64());
        let shard = path.file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into());
        if differences != Some(0) {
            let detail = format!("the auditor's verdict is bad: {} has the report", path.display());
            failed.push(Finding::new(Check::Verdict, &shard, detail));
        }
    }
    failed.sort_by(|a, b| a.shard.cmp(&b.shard));
    Ok(failed)
}

struct VerifyVisitor<'p> {
    shards: RunShards,
    options: VerifyOptions,
    n_threads: usize,
    progress: &'p mut dyn FnMut(&str),
}

impl GameVisitor for VerifyVisitor<'_> {
    type Output = anyhow::Result<AuditReport>;

    fn visit<G: PipelineGame, B: Belief<G>>(self, rules: G, belief: B) -> Self::Output {
        let folder = &self.shards.folder;
        folder.expect_identity(&rules.fingerprint().to_string(), &rules.fingerprint_text())?;
        let numerics = self.shards.shards.audit.last().map_or("", |last| &last.numerics);
        let mut searcher =
            SearchAgain::new(rules.clone(), belief, folder, numerics, self.n_threads);
        let n_other =
            self.shards.shards.audit.iter().filter(|it| it.numerics != searcher.numerics()).count();
        if n_other > 0 {
            (self.progress)(&format!(
                "numerics of {n_other} shards are not this machine's; their searches are compared \
                 with each other, not with the record"
            ));
        }
        let verifier =
            Verifier { rules: &rules, identity: &self.shards.identity, options: self.options };
        let fetch = |manifest: &record::ShardManifest| self.shards.fetch(manifest);
        let mut report = verifier.verify(&self.shards.shards, &fetch, &mut searcher, self.progress);
        if let Err(error) = folder.deal_secret() {
            report.add(Finding::new(Check::DealSecret, "", error.to_string()));
        }
        Ok(report)
    }
}

fn text(report: &AuditReport) -> String {
    format!(
        "games replayed      {}\nplies replayed      {}\nrows checked        {}\n\
         rows derived equal  {}\nworlds checked      {}\nworlds invalid      {}\n\
         two-world pairs     {}\ndifferences         {}\n",
        report.games_replayed,
        report.plies_replayed,
        report.rows_checked,
        report.rederived_equal,
        report.worlds_checked,
        report.worlds_invalid,
        report.two_world_pairs,
        report.differences
    )
}
