//! Everything that one run's shards can be checked for.

use crate::job_shards::{JobShards, jobs};
use crate::reader::{AuditShard, read_audit};
use crate::rederive::{Compared, StoredRow, compare_game, derive_rows, surplus};
use crate::replay::{Replay, replay};
use crate::report::{AuditReport, Check, Finding};
use crate::row::GameRecord;
use crate::seal::Identity;
use crate::two_worlds::{Pair, SearchTask, Searcher, compare_inputs, compare_searches, find_pair};
use crate::worlds::check_worlds;
use game::{GameId, PipelineGame, Seat, Stream};
use rayon::prelude::*;
use record::container::{check_digest, check_header};
use record::reader::{check_training, decode_training};
use record::{Expected, ReadError, ShardManifest, TrainingShard};
use std::collections::{BTreeMap, BTreeSet};

/// How much to check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VerifyOptions {
    /// Decisions for which a second truth is searched.
    pub pairs: usize,
    /// Decisions whose worlds are sampled again.
    pub world_decisions: usize,
    /// Which decisions are taken; the same number takes the same.
    pub seed: u64,
}

impl VerifyOptions {
    pub const DEFAULT: VerifyOptions =
        VerifyOptions { pairs: 2000, world_decisions: 2000, seed: 0 };
}

/// Every accepted shard of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Shards {
    pub training: Vec<ShardManifest>,
    pub audit: Vec<ShardManifest>,
}

/// Fetches a shard's bytes from its store; an error says why it could not.
pub type Fetch<'a> = dyn Fn(&ShardManifest) -> Result<Vec<u8>, String> + 'a;

/// Checks the shards of one run against the rules, one job's at a time: memory is bounded by the largest job, not by
/// the run.
pub struct Verifier<'a, G: PipelineGame> {
    pub rules: &'a G,
    /// Opens the audit shards.
    pub identity: &'a Identity,
    pub options: VerifyOptions,
}

/// Second truths searched at a time: enough to fill the evaluator's batches.
const PAIRS_AT_A_TIME: usize = 256;
/// Decisions looked at for second truths at a time, at least: not every decision has one.
const PAIRS_AT_A_TIME_MIN: usize = 16;

impl<G: PipelineGame> Verifier<'_, G> {
    /// Runs every check; finds out all it can whatever is wrong. `progress` is told what is being done.
    ///
    /// Pairs and worlds are shared out over the jobs by their rows.
    pub fn verify(
        &self,
        shards: &Shards,
        fetch: &Fetch<'_>,
        searcher: &mut dyn Searcher<G>,
        progress: &mut dyn FnMut(&str),
    ) -> AuditReport {
        let jobs = jobs(shards);
        let rows_left: u128 = jobs.iter().map(JobShards::n_rows).sum();
        let mut pass = Pass {
            report: AuditReport::default(),
            seen: BTreeSet::new(),
            pairs_left: self.options.pairs,
            worlds_left: self.options.world_decisions,
            rows_left,
        };
        progress("replaying games and deriving training rows again");
        for (idx, job) in jobs.iter().enumerate() {
            self.verify_job(job, fetch, searcher, &mut pass);
            let pairs = pass.report.two_world_pairs;
            progress(&format!(
                "{} of {} jobs, {} rows, {pairs} second truths searched",
                idx + 1,
                jobs.len(),
                pass.report.rows_checked
            ));
        }
        pass.report
    }

    fn verify_job(
        &self,
        job: &JobShards<'_>,
        fetch: &Fetch<'_>,
        searcher: &mut dyn Searcher<G>,
        pass: &mut Pass,
    ) {
        let training = self.read_training_shards(&job.training, fetch, &mut pass.report);
        let audit = self.read_audit_shards(&job.audit, fetch, &mut pass.report);
        let games = self.replay_games(&audit, &training, pass);
        // Games of an audit shard that could not be read are not unknown: that shard is a finding already.
        if audit.len() == job.audit.len() {
            find_unknown_games(&audit, &training, &mut pass.report);
        }
        let n_worlds = pass.share(job, pass.worlds_left);
        pass.worlds_left -= self.check_worlds(&games, n_worlds, searcher, &mut pass.report);
        let n_pairs = pass.share(job, pass.pairs_left);
        pass.pairs_left -= self.check_pairs(&games, n_pairs, searcher, &mut pass.report);
        pass.rows_left -= job.n_rows();
    }

    fn expected(&self) -> Expected {
        Expected {
            fingerprint: self.rules.fingerprint(),
            now_len: self.rules.now_len(),
            n_actions: self.rules.policy_layout().n_actions(),
        }
    }

    fn read_training_shards<'s>(
        &self,
        manifests: &[&'s ShardManifest],
        fetch: &Fetch<'_>,
        report: &mut AuditReport,
    ) -> Vec<(&'s ShardManifest, TrainingShard)> {
        let expected = self.expected();
        let mut shards = Vec::new();
        for &manifest in manifests {
            let Some(bytes) = fetch_checked(manifest, fetch, report) else { continue };
            match decode_training(&manifest.shard, bytes, &expected) {
                Ok(shard) => {
                    let values = check_training(&manifest.shard, &shard, &expected);
                    let header = check_header(manifest, &shard.header);
                    report.extend(
                        [values, header]
                            .into_iter()
                            .filter_map(Result::err)
                            .map(|error| finding_of(&error)),
                    );
                    shards.push((manifest, shard));
                }
                Err(error) => report.add(finding_of(&error)),
            }
        }
        shards
    }

    fn read_audit_shards<'s>(
        &self,
        manifests: &[&'s ShardManifest],
        fetch: &Fetch<'_>,
        report: &mut AuditReport,
    ) -> Vec<(&'s ShardManifest, AuditShard)> {
        let fingerprint = self.rules.fingerprint();
        let mut shards = Vec::new();
        for &manifest in manifests {
            let Some(bytes) = fetch_checked(manifest, fetch, report) else { continue };
            match read_audit(&manifest.shard, &bytes, self.identity, fingerprint) {
                Ok(shard) => {
                    if let Err(error) = check_header(manifest, &shard.header) {
                        report.add(finding_of(&error));
                    }
                    shards.push((manifest, shard));
                }
                Err(error) => report.add(finding_of(&error)),
            }
        }
        shards
    }

    /// Replays every game and compares its training rows. Gives the games that replay.
    fn replay_games<'s>(
        &self,
        audit: &'s [(&'s ShardManifest, AuditShard)],
        training: &[(&'s ShardManifest, TrainingShard)],
        pass: &mut Pass,
    ) -> Vec<Replayed<'s, G>> {
        let stored = stored_rows(training);
        let missing_in = training.first().map(|(manifest, _)| &*manifest.shard);
        let tasks: Vec<(&ShardManifest, &GameRecord)> = audit
            .iter()
            .flat_map(|(manifest, shard)| shard.games.iter().map(move |game| (*manifest, game)))
            .collect();
        for (manifest, record) in &tasks {
            if !pass.seen.insert(record.game) {
                let detail = "the game is recorded twice".to_owned();
                let finding = Finding::new(Check::Replay, &manifest.shard, detail);
                pass.report.add(finding.at(record.game, None, None));
            }
        }
        let results: Vec<_> = tasks
            .par_iter()
            .map(|&(manifest, record)| {
                let rows = stored.get(&record.game).map_or(&[][..], Vec::as_slice);
                self.replay_game(manifest, record, rows, missing_in.unwrap_or(&manifest.shard))
            })
            .collect();
        let report = &mut pass.report;
        let mut games = Vec::new();
        for (replayed, compared, findings) in results {
            report.rows_checked += compared.n_checked;
            report.rederived_equal += compared.n_equal;
            report.extend(findings);
            if let Some(replayed) = replayed {
                report.games_replayed += 1;
                report.plies_replayed += replayed.replay.plies.len() as u64;
                games.push(replayed);
            }
        }
        games
    }

    fn replay_game<'s>(
        &self,
        manifest: &'s ShardManifest,
        record: &'s GameRecord,
        stored: &[StoredRow<'_>],
        missing_in: &str,
    ) -> (Option<Replayed<'s, G>>, Compared, Vec<Finding>) {
        match replay(self.rules, record) {
            Err(fault) => {
                let finding = Finding::new(Check::Replay, &manifest.shard, fault.reason);
                let compared = Compared { n_checked: stored.len() as u64, n_equal: 0 };
                (None, compared, vec![finding.at(record.game, fault.ply, None)])
            }
            Ok(replay) => {
                let (derived, mut findings) =
                    derive_rows(self.rules, &manifest.shard, record, &replay);
                let compared = compare_game(missing_in, &derived, stored, &mut findings);
                (Some(Replayed { manifest, record, replay }), compared, findings)
            }
        }
    }

    /// Samples the worlds of up to `n` decisions again; gives how many decisions that were.
    fn check_worlds(
        &self,
        games: &[Replayed<'_, G>],
        n: usize,
        searcher: &mut dyn Searcher<G>,
        report: &mut AuditReport,
    ) -> usize {
        let belief = searcher.belief();
        let mut decisions = self.chosen_decisions(games, |search| !search.worlds.is_empty());
        decisions.truncate(n);
        for some in decisions.chunks(PAIRS_AT_A_TIME) {
            let task = |&(game_idx, ply): &(usize, usize)| {
                let Replayed { record, replay, .. } = &games[game_idx];
                let seat = Seat::new(record.plies[ply].seat?);
                let observation = replay.observation(self.rules, seat, ply);
                Some((game_idx, SearchTask { record, ply, seat, observation }))
            };
            let (owners, tasks): (Vec<usize>, Vec<_>) = some.iter().filter_map(task).unzip();
            let sampled = searcher.sample(&tasks);
            let outcomes: Vec<_> = owners
                .par_iter()
                .zip(&tasks)
                .zip(&sampled)
                .map(|((game_idx, task), sampled)| {
                    let Replayed { manifest, replay, .. } = &games[*game_idx];
                    check_worlds(self.rules, &belief, &manifest.shard, replay, task, sampled)
                })
                .collect();
            for outcome in outcomes {
                report.worlds_checked += outcome.n_checked;
                report.worlds_invalid += outcome.n_invalid;
                report.extend(outcome.findings);
            }
        }
        decisions.len()
    }

    /// Searches up to `n` second truths; gives how many that were.
    fn check_pairs(
        &self,
        games: &[Replayed<'_, G>],
        n: usize,
        searcher: &mut dyn Searcher<G>,
        report: &mut AuditReport,
    ) -> usize {
        let decisions = self.chosen_decisions(games, |search| search.full);
        let numerics: BTreeMap<&str, &str> =
            games.iter().map(|game| (&*game.manifest.shard, &*game.manifest.numerics)).collect();
        let repeats: BTreeMap<&str, bool> =
            numerics.iter().map(|(shard, it)| (*shard, searcher.repeats(it))).collect();
        let is_repeat = |shard: &str| repeats.get(shard).copied().unwrap_or(false);
        let mut left = n;
        let mut waiting = decisions.as_slice();
        while left > 0 && !waiting.is_empty() {
            let n_some = left.clamp(PAIRS_AT_A_TIME_MIN, PAIRS_AT_A_TIME).min(waiting.len());
            let (some, rest) = waiting.split_at(n_some);
            waiting = rest;
            let found: Vec<_> =
                some.par_iter().map(|&decision| self.find_pair(games, decision)).collect();
            let mut pairs = Vec::new();
            for result in found {
                match result {
                    Ok(pair) => pairs.extend(pair),
                    Err(finding) => report.add(finding),
                }
            }
            pairs.truncate(left);
            left -= pairs.len();
            report.two_world_pairs += pairs.len() as u64;
            let inputs: Vec<_> =
                pairs.par_iter().flat_map_iter(|pair| compare_inputs(self.rules, pair)).collect();
            report.extend(inputs);
            report.extend(compare_searches(self.rules, &pairs, &is_repeat, searcher));
        }
        n - left
    }

    fn find_pair<'s>(
        &self,
        games: &'s [Replayed<'s, G>],
        (game_idx, ply): (usize, usize),
    ) -> Result<Option<Pair<'s, G>>, Finding> {
        let Replayed { manifest, record, replay } = &games[game_idx];
        // One stream a decision, so that neither the number of threads nor the other jobs change anything.
        let place = number_of(record.game) ^ (ply as u64).rotate_left(20);
        let mut stream = Stream::from_seed(self.options.seed ^ place);
        find_pair(self.rules, &manifest.shard, record, replay, ply, &mut stream)
    }

    /// The searched decisions that pass, as (game, ply), shuffled.
    fn chosen_decisions(
        &self,
        games: &[Replayed<'_, G>],
        pass: impl Fn(&crate::SearchRow) -> bool,
    ) -> Vec<(usize, usize)> {
        let mut decisions = Vec::new();
        for (game_idx, game) in games.iter().enumerate() {
            for (ply, row) in game.record.plies.iter().enumerate() {
                if row.search.as_ref().is_some_and(&pass) {
                    decisions.push((game_idx, ply));
                }
            }
        }
        let first = games.first().map_or(0, |game| number_of(game.record.game));
        Stream::from_seed(self.options.seed ^ first).shuffle(&mut decisions);
        decisions
    }
}

struct Replayed<'s, G: PipelineGame> {
    manifest: &'s ShardManifest,
    record: &'s GameRecord,
    replay: Replay<G>,
}

/// What goes on from job to job.
struct Pass {
    report: AuditReport,
    /// Every game so far.
    seen: BTreeSet<GameId>,
    pairs_left: usize,
    worlds_left: usize,
    /// Training rows of this job and of those to come, as their manifests say.
    rows_left: u128,
}

impl Pass {
    /// A job's part of what is left, by its rows; all of it for the last one.
    fn share(&self, job: &JobShards<'_>, left: usize) -> usize {
        let share = (left as u128 * job.n_rows()).div_ceil(self.rows_left.max(1));
        usize::try_from(share).unwrap_or(left).min(left)
    }
}

/// A number that tells games apart well enough for a seed.
fn number_of(game: GameId) -> u64 {
    u64::from_le_bytes(std::array::from_fn(|idx| game.0[idx]))
}

/// Stored rows of games that no audit shard of their job records.
fn find_unknown_games(
    audit: &[(&ShardManifest, AuditShard)],
    training: &[(&ShardManifest, TrainingShard)],
    report: &mut AuditReport,
) {
    let recorded: BTreeSet<GameId> =
        audit.iter().flat_map(|(_, shard)| &shard.games).map(|game| game.game).collect();
    for (manifest, shard) in training {
        for (row, row_idx) in shard.rows.iter().zip(0..) {
            if !recorded.contains(&row.game) {
                report.rows_checked += 1;
                let stored = StoredRow { shard: &manifest.shard, row_idx, row };
                report.add(surplus(&stored, "no audit record has this game"));
            }
        }
    }
}

fn stored_rows<'s>(
    training: &'s [(&'s ShardManifest, TrainingShard)],
) -> BTreeMap<GameId, Vec<StoredRow<'s>>> {
    let mut stored: BTreeMap<GameId, Vec<StoredRow<'s>>> = BTreeMap::new();
    for (manifest, shard) in training {
        for (row, row_idx) in shard.rows.iter().zip(0..) {
            let at = StoredRow { shard: &manifest.shard, row_idx, row };
            stored.entry(row.game).or_default().push(at);
        }
    }
    stored
}

/// A shard's bytes; a wrong digest is reported and does not end the check.
fn fetch_checked(
    manifest: &ShardManifest,
    fetch: &Fetch<'_>,
    report: &mut AuditReport,
) -> Option<Vec<u8>> {
    match fetch(manifest) {
        Ok(bytes) => {
            if let Err(error) = check_digest(manifest, &bytes) {
                report.add(finding_of(&error));
            }
            Some(bytes)
        }
        Err(reason) => {
            report.add(Finding::new(Check::Unreadable, &manifest.shard, reason));
            None
        }
    }
}

fn finding_of(error: &ReadError) -> Finding {
    let shard = match error {
        ReadError::Io { path, .. } => path.display().to_string(),
        ReadError::Digest { shard, .. }
        | ReadError::Unreadable { shard, .. }
        | ReadError::Sealed { shard, .. }
        | ReadError::Schema { shard, .. }
        | ReadError::Fingerprint { shard, .. }
        | ReadError::Manifest { shard, .. }
        | ReadError::Value { shard, .. } => shard.clone(),
    };
    let check = match error {
        ReadError::Digest { .. } => Check::Digest,
        ReadError::Manifest { .. } | ReadError::Value { .. } => Check::Manifest,
        _ => Check::Unreadable,
    };
    let finding = Finding::new(check, &shard, error.to_string());
    match error {
        ReadError::Value { row, column, .. } => finding.in_row(*row, Some(column)),
        _ => finding,
    }
}
