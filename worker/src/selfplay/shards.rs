//! Finished games as rows: what the seat knew goes to the training shard, what really happened to the audit shard,
//! which is sealed before it reaches the disk.

use super::game::{PlayedGame, PlayedPly};
use super::job::JobOrder;
use crate::audit::again::search_row;
use anyhow::Context;
use audit::{AuditShardWriter, GameRecord, PlyRow, Recipient, SetupRow};
use game::PipelineGame;
use proto::v1::{CommitRequest, LeaseKey};
use record::row::DecisionColumns;
use record::{ClosedShard, ShardOrigin, TrainingRow, TrainingShardWriter};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// What every shard of this worker has in common.
#[derive(Clone, Debug)]
pub struct ShardContext {
    /// Local folder for files that are not handed in yet.
    pub spool: PathBuf,
    /// Who may read the audit shards; not this worker.
    pub auditor: Recipient,
    /// The belief's name and version.
    pub belief: String,
    /// The game's options, as TOML.
    pub options: String,
    pub numerics: String,
}

/// A job's games in closed local files, ready to be uploaded and committed.
pub struct JobResult {
    pub lease: LeaseKey,
    /// Numbers of the games in the shards, ascending.
    pub games: Vec<u64>,
    pub training: ClosedShard,
    pub audit: ClosedShard,
}

impl JobResult {
    pub fn commit_request(&self, worker: &str) -> CommitRequest {
        let training_manifest = self.training.manifest.to_json();
        let audit_manifest = self.audit.manifest.to_json();
        CommitRequest {
            worker: worker.to_owned(),
            lease: Some(self.lease),
            games: self.games.clone(),
            digest: proto::commit_digest(&training_manifest, &audit_manifest),
            training_manifest,
            audit_manifest,
        }
    }
}

impl ShardContext {
    /// Writes one training shard and one audit shard with all of `games`, which ascend.
    pub fn write<G: PipelineGame>(
        &self,
        rules: &G,
        order: &JobOrder,
        games: Vec<(u64, PlayedGame<G>)>,
    ) -> anyhow::Result<JobResult> {
        let shard = order.shard_id();
        let n_actions = rules.policy_layout().n_actions();
        let mut training = TrainingShardWriter::create(
            &self.spool,
            self.origin(rules, order),
            rules.now_len(),
            n_actions,
        )?;
        let mut audit =
            AuditShardWriter::create(&self.spool, self.origin(rules, order), &self.auditor)?;
        let mut numbers = Vec::with_capacity(games.len());
        let checkpoint: Arc<str> = order.checkpoint.id.as_str().into();
        for (number, game) in &games {
            numbers.push(*number);
            let rows = training_rows(rules, game, &checkpoint)
                .with_context(|| format!("game {number} of {shard}"))?;
            training.push_game(&rows)?;
            audit.push_game(self.record(rules, order, game)?)?;
        }
        Ok(JobResult {
            lease: order.lease,
            games: numbers,
            training: training.close(&format!("shards/{shard}.parquet"))?,
            audit: audit.close(&format!("shards/{shard}.parquet.sealed"))?,
        })
    }

    fn origin<G: PipelineGame>(&self, rules: &G, order: &JobOrder) -> ShardOrigin {
        let created = SystemTime::now().duration_since(UNIX_EPOCH);
        ShardOrigin {
            shard: order.shard_id(),
            run: order.run.clone(),
            job: order.lease.job.to_string(),
            attempt: order.lease.attempt,
            epoch: order.lease.epoch,
            checkpoint: order.checkpoint.id.clone(),
            fingerprint: rules.fingerprint(),
            numerics: self.numerics.clone(),
            build: run::build_id().to_owned(),
            created_ms: created.map_or(0, |since| since.as_millis() as u64),
        }
    }

    fn record<G: PipelineGame>(
        &self,
        rules: &G,
        order: &JobOrder,
        game: &PlayedGame<G>,
    ) -> anyhow::Result<GameRecord> {
        let (setup, start) = SetupRow::texts(rules, &game.setup);
        let setup = SetupRow {
            setup,
            start,
            options: self.options.clone(),
            players: vec![order.checkpoint.id.clone(); rules.n_seats()],
            run_seed: order.run_seed.0,
            search: toml::to_string(&order.params).context("search constants as text")?,
            utilities: audit::row::utilities(game.ending, rules.n_seats()),
        };
        let plies = game.plies.iter().map(|ply| self.ply_row(rules, ply)).collect();
        Ok(GameRecord { game: game.id, setup, plies })
    }

    fn ply_row<G: PipelineGame>(&self, rules: &G, ply: &PlayedPly<G>) -> PlyRow {
        PlyRow {
            seat: ply.seat.map(|seat| seat.idx() as u8),
            action: rules.action_text(ply.action),
            search: ply
                .searched
                .as_ref()
                .map(|searched| search_row(&self.belief, &searched.decision)),
        }
    }
}

/// One row a searched decision, in ply order.
pub fn training_rows<G: PipelineGame>(
    rules: &G,
    game: &PlayedGame<G>,
    checkpoint: &Arc<str>,
) -> anyhow::Result<Vec<TrainingRow>> {
    let mut rows = Vec::new();
    for (ply, played) in game.plies.iter().enumerate() {
        let (Some(seat), Some(searched)) = (played.seat, &played.searched) else { continue };
        let decision = &searched.decision;
        let mut now = Vec::with_capacity(rules.now_len());
        rules.write_now(&searched.now, &mut now);
        let columns = DecisionColumns {
            game: game.id,
            ply,
            seat,
            checkpoint,
            now,
            action_indices: &decision.action_indices,
            visits: &decision.visits,
            root_value: decision.root_value,
        };
        let row = columns.row(game.ending);
        rows.push(row.with_context(|| format!("ply {ply} gives what no row can hold"))?);
    }
    Ok(rows)
}
