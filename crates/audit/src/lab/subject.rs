//! What the lab examines: everything between a referee's truth and a written row.

use crate::row::WorldRow;
use game::{
    DealSecret, Ending, EvalRequest, Evaluation, Evaluator, GameId, Hidden, Observation,
    PipelineGame, RunSeed, Seat,
};
use record::reader::decode_training;
use record::row::DecisionColumns;
use record::{ClosedShard, Expected, ShardOrigin, TrainingRow, TrainingShardWriter, WriteError};
use referee::Truth;
use std::path::Path;

/// One decision as its host sees it.
pub struct Scene<'a, G: Hidden> {
    pub rules: &'a G,
    pub truth: &'a Truth<G>,
    /// The seat to act.
    pub seat: Seat,
    /// Plies so far, chance included.
    pub ply: u32,
    pub game: GameId,
    pub run_seed: RunSeed,
    /// What the real game's draws come from. Twins have two: nothing may hang on it.
    pub secret: &'a DealSecret,
}

/// What a seat's program concludes about what it cannot see.
pub struct Inferred {
    /// Every configuration with its weight, in canonical form.
    pub table: Vec<u8>,
    pub support_len: usize,
}

/// What was asked of the network during one decision.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Asked {
    pub requests: u64,
    pub batches: u64,
    /// A digest of the canonical bytes of all requests, in order.
    pub digest: u64,
}

/// What a search decided.
pub struct Decided<G: Hidden> {
    /// Legal actions by ascending index, and what follows in the same order.
    pub actions: Vec<G::Action>,
    pub action_indices: Vec<u16>,
    pub visits: Vec<u32>,
    pub root_value: f32,
    pub belief_seed: u64,
    pub worlds: Vec<WorldRow>,
    pub chosen_idx: usize,
    pub words_drawn: u128,
    pub asked: Asked,
}

/// A program that decides for one seat of one game.
pub trait Player<G: Hidden> {
    /// Takes in what the seat has seen by now.
    fn infer(&mut self, scene: &Scene<'_, G>, seen: &Observation<G>) -> Result<Inferred, String>;

    /// A world of the last [`Player::infer`].
    fn world(&mut self, scene: &Scene<'_, G>, seen: &Observation<G>, seed: u64) -> G::State;

    /// Decides. `live` is the observation that later plies extend and the row is written from.
    fn decide(
        &mut self,
        scene: &Scene<'_, G>,
        live: &mut Observation<G>,
    ) -> Result<Decided<G>, String>;
}

/// The rows of one game on their way into a shard.
pub struct Game<'a, G: Hidden> {
    pub rules: &'a G,
    pub truth: &'a Truth<G>,
    pub secret: &'a DealSecret,
    pub rows: Vec<TrainingRow>,
}

/// The program under examination. A planted leak replaces one method; what it leaves is the real thing.
pub trait Subject<G: PipelineGame>: Sync {
    fn player(&self, rules: &G) -> Box<dyn Player<G>>;

    /// A fresh evaluator, as a worker's thread has one.
    fn evaluator(&self, rules: &G) -> Box<dyn Evaluator<G>>;

    fn observe(&self, scene: &Scene<'_, G>) -> Observation<G> {
        scene.truth.observation(scene.seat).clone()
    }

    fn actions(&self, scene: &Scene<'_, G>, seen: &Observation<G>) -> Vec<G::Action> {
        let mut actions = Vec::new();
        let _ = scene.rules.now_actions(seen.now(), &mut actions);
        actions
    }

    fn features(&self, scene: &Scene<'_, G>, now: &G::Now, out: &mut [f32]) {
        scene.rules.write_features(now, out);
    }

    /// Whether the seat gives up here. No player of ours does.
    fn resigns(&self, _: &Scene<'_, G>, _: &Decided<G>) -> bool {
        false
    }

    /// The training row; outcome and truncated are joined at the end of the game.
    fn row(
        &self,
        scene: &Scene<'_, G>,
        seen: &Observation<G>,
        decided: &Decided<G>,
    ) -> Option<TrainingRow> {
        let mut now = Vec::with_capacity(scene.rules.now_len());
        scene.rules.write_now(seen.now(), &mut now);
        let columns = DecisionColumns {
            game: scene.game,
            ply: scene.ply as usize,
            seat: scene.seat,
            checkpoint: &CHECKPOINT.into(),
            now,
            action_indices: &decided.action_indices,
            visits: &decided.visits,
            root_value: decided.root_value,
        };
        columns.row(Ending::Truncated)
    }

    /// What the seat is sent since its last decision, one JSON object a line, and the board it is drawn.
    fn shown(&self, scene: &Scene<'_, G>, seen: &Observation<G>) -> String {
        let rules = scene.rules;
        let mut now = Vec::new();
        rules.write_now(seen.now(), &mut now);
        let now: String = now.iter().map(|byte| format!("{byte:02x}")).collect();
        let event = seen.events().last().map(|event| rules.event_text(event)).unwrap_or_default();
        let actions: Vec<String> =
            self.actions(scene, seen).into_iter().map(|action| rules.action_text(action)).collect();
        let ply = serde_json::json!({ "type": "ply", "event": event, "now": now });
        let decide = serde_json::json!({ "type": "decide", "actions": actions });
        format!("{ply}\n{decide}\n{}\n", rules.draw_now(seen.now()))
    }

    /// The text with which an action is refused that the seat may not take; `truth` stays as it was.
    fn refusal(&self, truth: &mut Truth<G>, action: G::Action) -> String {
        truth.play(action).err().map(|error| error.to_string()).unwrap_or_default()
    }

    /// What is logged about a decision.
    fn log(&self, scene: &Scene<'_, G>, decided: &Decided<G>) {
        let n_legal = decided.actions.len();
        tracing::debug!(game = %scene.game, ply = scene.ply, n_legal, "decided");
    }

    /// How a game that stands here counts when checkpoints are compared: as the rules say, or not at all.
    fn verdict(&self, scene: &Scene<'_, G>, _: &Decided<G>) -> String {
        format!("{:?}", scene.truth.ending())
    }

    /// The id of game number `number`.
    fn game_id(&self, secret: &DealSecret, number: u64) -> GameId {
        secret.game_id(number)
    }

    /// Where the rows of a shard come from. `games` are those of the shard, as far as its writer knows them.
    fn origin(&self, _: &[Game<'_, G>], origin: ShardOrigin) -> ShardOrigin {
        origin
    }

    /// Where the shard will lie.
    fn key(&self, _: &[Game<'_, G>], shard: &str) -> String {
        format!("shards/{shard}.parquet")
    }

    /// The order of the games in a shard.
    fn arrange(&self, _: &mut Vec<Game<'_, G>>) {}

    /// Writes one training shard.
    fn write(
        &self,
        rules: &G,
        dir: &Path,
        origin: ShardOrigin,
        key: &str,
        games: &[Game<'_, G>],
    ) -> Result<ClosedShard, WriteError> {
        let n_actions = rules.policy_layout().n_actions();
        let mut writer = TrainingShardWriter::create(dir, origin, rules.now_len(), n_actions)?;
        for game in games {
            writer.push_game(&game.rows)?;
        }
        writer.close(key)
    }

    /// Whether a trainer takes this file as a training shard.
    fn takes(&self, rules: &G, shard: &str, bytes: Vec<u8>) -> bool {
        let expected = Expected {
            fingerprint: rules.fingerprint(),
            now_len: rules.now_len(),
            n_actions: rules.policy_layout().n_actions(),
        };
        decode_training(shard, bytes, &expected).is_ok()
    }

    /// By row: whether it is kept out of training.
    fn held_out(&self, rows: &[TrainingRow]) -> Vec<bool> {
        rows.iter().map(|row| record::split::is_held_out(row.game, 0.25)).collect()
    }
}

/// The checkpoint that every row of the lab names.
pub const CHECKPOINT: &str = "run-s000000-000000000000";

/// Counts and digests what an evaluator is asked.
pub struct Recorded<'a, G: Hidden> {
    rules: &'a G,
    inner: &'a mut dyn Evaluator<G>,
    asked: Asked,
    bytes: Vec<u8>,
}

impl<'a, G: Hidden> Recorded<'a, G> {
    pub fn new(rules: &'a G, inner: &'a mut dyn Evaluator<G>) -> Self {
        Recorded { rules, inner, asked: Asked::default(), bytes: Vec::new() }
    }

    pub fn asked(&self) -> Asked {
        self.asked.clone()
    }
}

impl<G: Hidden> Evaluator<G> for Recorded<'_, G> {
    fn evaluate(&mut self, requests: &[EvalRequest<G>]) -> Vec<Evaluation> {
        self.asked.batches += 1;
        for request in requests {
            self.asked.requests += 1;
            write_request(self.rules, request, &mut self.bytes);
            self.asked.digest = mix(self.asked.digest ^ hash_of(&self.bytes));
        }
        self.inner.evaluate(requests)
    }
}

/// Value and priors are a hash of the request's canonical bytes: whatever reaches a request changes everything.
pub struct HashedRequests<G> {
    rules: G,
    bytes: Vec<u8>,
}

impl<G: Hidden> HashedRequests<G> {
    pub fn new(rules: &G) -> Self {
        HashedRequests { rules: rules.clone(), bytes: Vec::new() }
    }
}

impl<G: Hidden> Evaluator<G> for HashedRequests<G> {
    fn evaluate(&mut self, requests: &[EvalRequest<G>]) -> Vec<Evaluation> {
        requests
            .iter()
            .map(|request| {
                write_request(&self.rules, request, &mut self.bytes);
                evaluation_of(hash_of(&self.bytes), request.actions.len())
            })
            .collect()
    }
}

/// An evaluation in which nothing but `hash` is told.
pub fn evaluation_of(hash: u64, n_actions: usize) -> Evaluation {
    let unit = |salt: u64| (mix(hash ^ salt) >> 40) as f32 / (1u64 << 24) as f32;
    let weights: Vec<f32> = (1..=n_actions as u64).map(|salt| 0.1 + unit(salt)).collect();
    let sum: f32 = weights.iter().sum();
    Evaluation {
        value: 0.9 * (2.0 * unit(0) - 1.0),
        priors: weights.iter().map(|weight| weight / sum).collect(),
    }
}

/// The canonical bytes of a request: `now`, then the action indices.
pub fn write_request<G: Hidden>(rules: &G, request: &EvalRequest<G>, out: &mut Vec<u8>) {
    out.clear();
    rules.write_now(&request.now, out);
    out.extend(request.actions.iter().flat_map(|action| action.to_le_bytes()));
}

pub fn hash_of(bytes: &[u8]) -> u64 {
    let mut hash = 0x9e37_79b9_7f4a_7c15u64 ^ bytes.len() as u64;
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        hash = mix(hash ^ u64::from_le_bytes(word));
    }
    hash
}

fn mix(word: u64) -> u64 {
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}
