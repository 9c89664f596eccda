//! Everything that one run's shards can be checked for.

use crate::reader::{AuditShard, read_audit};
use crate::rederive::{Compared, StoredRow, compare_game, derive_rows, surplus};
use crate::replay::{Replay, replay};
use crate::report::{AuditReport, Check, Finding};
use crate::row::GameRecord;
use crate::two_worlds::{Pair, Searcher, compare_inputs, compare_searches, find_pair};
use crate::worlds::check_worlds;
use game::{Belief, GameId, PipelineGame, Stream};
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

/// Checks the shards of one run against the rules.
pub struct Verifier<'a, G: PipelineGame, B: Belief<G>> {
    pub rules: &'a G,
    pub belief: &'a B,
    pub options: VerifyOptions,
}

/// Second truths searched at a time: enough to fill the evaluator's batches.
const PAIRS_AT_A_TIME: usize = 256;

impl<G: PipelineGame, B: Belief<G>> Verifier<'_, G, B> {
    /// Runs every check; finds out all it can whatever is wrong. `progress` is told what is being done.
    pub fn verify(
        &self,
        shards: &Shards,
        fetch: &Fetch<'_>,
        searcher: &mut dyn Searcher<G>,
        progress: &mut dyn FnMut(&str),
    ) -> AuditReport {
        let mut report = AuditReport::default();
        progress("reading shards");
        let training = self.read_training_shards(&shards.training, fetch, &mut report);
        let audit = self.read_audit_shards(&shards.audit, fetch, &mut report);
        progress("replaying games and deriving training rows again");
        let games = self.replay_games(&audit, &training, &mut report);
        self.find_unknown_games(shards, &audit, &training, &mut report);
        progress("sampling worlds again");
        self.check_worlds(&games, &mut report);
        progress("searching second truths");
        self.check_pairs(&games, searcher, &mut report, progress);
        report
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
        manifests: &'s [ShardManifest],
        fetch: &Fetch<'_>,
        report: &mut AuditReport,
    ) -> Vec<(&'s ShardManifest, TrainingShard)> {
        let expected = self.expected();
        let mut shards = Vec::new();
        for manifest in manifests {
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
        manifests: &'s [ShardManifest],
        fetch: &Fetch<'_>,
        report: &mut AuditReport,
    ) -> Vec<(&'s ShardManifest, AuditShard)> {
        let fingerprint = self.rules.fingerprint();
        let mut shards = Vec::new();
        for manifest in manifests {
            let Some(bytes) = fetch_checked(manifest, fetch, report) else { continue };
            match read_audit(&manifest.shard, bytes, fingerprint) {
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
        report: &mut AuditReport,
    ) -> Vec<Replayed<'s, G>> {
        let stored = stored_rows(training);
        let by_job: BTreeMap<_, _> =
            training.iter().map(|(manifest, _)| (job(manifest), &*manifest.shard)).collect();
        let tasks: Vec<(&ShardManifest, &GameRecord)> = audit
            .iter()
            .flat_map(|(manifest, shard)| shard.games.iter().map(move |game| (*manifest, game)))
            .collect();
        let mut seen = BTreeSet::new();
        for (manifest, record) in &tasks {
            if !seen.insert(record.game) {
                let detail = "the game is recorded twice".to_owned();
                let finding = Finding::new(Check::Replay, &manifest.shard, detail);
                report.add(finding.at(record.game, None, None));
            }
        }
        let results: Vec<_> = tasks
            .par_iter()
            .map(|&(manifest, record)| {
                let rows = stored.get(&record.game).map_or(&[][..], Vec::as_slice);
                let missing_in = rows
                    .first()
                    .map(|row| row.shard)
                    .or_else(|| by_job.get(&job(manifest)).copied())
                    .unwrap_or(&manifest.shard);
                self.replay_game(manifest, record, rows, missing_in)
            })
            .collect();
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

    /// Stored rows of games that no audit shard records.
    fn find_unknown_games(
        &self,
        shards: &Shards,
        audit: &[(&ShardManifest, AuditShard)],
        training: &[(&ShardManifest, TrainingShard)],
        report: &mut AuditReport,
    ) {
        let recorded: BTreeSet<GameId> =
            audit.iter().flat_map(|(_, shard)| &shard.games).map(|game| game.game).collect();
        // Games of an audit shard that could not be read are not unknown: that shard is a finding already.
        let read: BTreeSet<_> = audit.iter().map(|(manifest, _)| job(manifest)).collect();
        let unread: BTreeSet<_> =
            shards.audit.iter().map(job).filter(|job| !read.contains(job)).collect();
        for (manifest, shard) in training.iter().filter(|it| !unread.contains(&job(it.0))) {
            for (row, row_idx) in shard.rows.iter().zip(0..) {
                if !recorded.contains(&row.game) {
                    report.rows_checked += 1;
                    let stored = StoredRow { shard: &manifest.shard, row_idx, row };
                    report.add(surplus(&stored, "no audit record has this game"));
                }
            }
        }
    }

    fn check_worlds(&self, games: &[Replayed<'_, G>], report: &mut AuditReport) {
        let decisions = self.chosen_decisions(games, |search| !search.worlds.is_empty());
        let n = self.options.world_decisions;
        let outcomes: Vec<_> = decisions
            .par_iter()
            .take(n)
            .map(|&(game_idx, ply)| {
                let Replayed { manifest, record, replay } = &games[game_idx];
                check_worlds(self.rules, self.belief, &manifest.shard, record, replay, ply)
            })
            .collect();
        for outcome in outcomes {
            report.worlds_checked += outcome.n_checked;
            report.worlds_invalid += outcome.n_invalid;
            report.extend(outcome.findings);
        }
    }

    fn check_pairs(
        &self,
        games: &[Replayed<'_, G>],
        searcher: &mut dyn Searcher<G>,
        report: &mut AuditReport,
        progress: &mut dyn FnMut(&str),
    ) {
        let decisions = self.chosen_decisions(games, |search| search.full);
        let numerics: BTreeMap<&str, &str> =
            games.iter().map(|game| (&*game.manifest.shard, &*game.manifest.numerics)).collect();
        let repeats: BTreeMap<&str, bool> =
            numerics.iter().map(|(shard, it)| (*shard, searcher.repeats(it))).collect();
        let is_repeat = |shard: &str| repeats.get(shard).copied().unwrap_or(false);
        let mut left = self.options.pairs;
        for some in decisions.chunks(PAIRS_AT_A_TIME) {
            if left == 0 {
                break;
            }
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
            let inputs: Vec<_> = pairs
                .par_iter()
                .flat_map_iter(|pair| compare_inputs(self.rules, self.belief, pair))
                .collect();
            report.extend(inputs);
            report.extend(compare_searches(self.rules, &pairs, &is_repeat, searcher));
            let done = self.options.pairs - left;
            progress(&format!("{done} of {} second truths searched", self.options.pairs));
        }
    }

    fn find_pair<'s>(
        &self,
        games: &'s [Replayed<'s, G>],
        (game_idx, ply): (usize, usize),
    ) -> Result<Option<Pair<'s, G>>, Finding> {
        let Replayed { manifest, record, replay } = &games[game_idx];
        // One stream a decision, so that the number of threads changes nothing.
        let place = (game_idx as u64) << 16 | ply as u64;
        let mut stream = Stream::from_seed(self.options.seed ^ place.rotate_left(20));
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
        Stream::from_seed(self.options.seed).shuffle(&mut decisions);
        decisions
    }
}

struct Replayed<'s, G: PipelineGame> {
    manifest: &'s ShardManifest,
    record: &'s GameRecord,
    replay: Replay<G>,
}

fn job(manifest: &ShardManifest) -> (&str, u32, u64) {
    (&manifest.job, manifest.attempt, manifest.epoch)
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
