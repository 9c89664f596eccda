//! Self-play games of War Chest without a network, written as a worker writes them.

use audit::row::utilities;
use audit::{
    AuditReport, AuditShardWriter, GameRecord, Identity, PlyRow, Sampled, SearchRow, SearchTask,
    Searcher, SetupRow, Shards, Verifier, VerifyOptions, WorldRow,
};
use game::belief::world_seeds;
use game::evaluate::UniformEvaluator;
use game::{
    ActionSpace, Belief, DealSecret, Fingerprinted, Hidden, ModelFree, RunSeed, Seat, Turn,
};
use record::row::{POLICY_WEIGHT, outcome_of, sparse_visits, value_weight};
use record::{ShardManifest, ShardOrigin, TrainingRow, TrainingShardWriter};
use referee::Truth;
use search::{Decision, Pimc, SearchParams, SearchStreams, drive};
use std::collections::BTreeMap;
use std::sync::LazyLock;
use warchest::{StructuralUniform, WarChest};

pub const RUN_SEED: RunSeed = RunSeed(11);
pub const CHECKPOINT: &str = "run-s000000-000000000000";

/// The auditor's key.
pub static IDENTITY: LazyLock<Identity> = LazyLock::new(Identity::generate);

/// One way to damage a value.
pub type Spoil<T> = fn(&mut T);

/// Short games: the cap ends most of them.
pub fn rules() -> WarChest {
    WarChest { cap: Some(60), ..WarChest::default() }
}

pub fn params() -> SearchParams {
    SearchParams {
        worlds: 2,
        simulations: 12,
        noise_share: 0.25,
        temperature: 1.0,
        temperature_late: 1.0,
        prior_shaping: 2.0,
        ..SearchParams::BASE
    }
}

/// One played game: its training rows and its record.
pub struct Played {
    pub rows: Vec<TrainingRow>,
    pub record: GameRecord,
}

/// Plays game number `number`. Rows and record are made from what the search said, not from each other.
pub fn play(rules: WarChest, params: SearchParams, number: u64) -> Played {
    let secret = DealSecret([9; 32]);
    let id = secret.game_id(number);
    let mut deal = secret.deal_stream(number);
    let setup = game::Rules::deal(&rules, &mut deal);
    let mut truth = Truth::new(rules, &setup);
    let mut searches = [(); 2].map(|()| Pimc::new(rules, StructuralUniform, params));
    let mut rows = Vec::new();
    let mut plies = Vec::new();
    loop {
        match truth.turn() {
            Turn::Over => break,
            Turn::Chance => {
                let outcome = truth.draw(&mut deal);
                let action = game::Notation::action_text(&rules, outcome);
                plies.push(PlyRow { seat: None, action, search: None });
            }
            Turn::Seat(seat) => {
                let ply = plies.len();
                let streams = SearchStreams::at(RUN_SEED, id, ply as u32);
                let observation = truth.observation(seat);
                let search = &mut searches[seat.idx()];
                let decision = drive(search, observation, streams, &mut UniformEvaluator).unwrap();
                if decision.is_searched() {
                    rows.push(row(&rules, observation.now(), id, ply, seat, &decision));
                }
                plies.push(PlyRow {
                    seat: Some(seat.idx() as u8),
                    action: game::Notation::action_text(&rules, decision.chosen()),
                    search: decision.is_searched().then(|| search_row(&decision)),
                });
                truth.play(decision.chosen()).unwrap();
            }
        }
    }
    let ending = truth.ending().unwrap();
    for row in &mut rows {
        (row.outcome, row.truncated) = outcome_of(ending, Seat::new(row.seat)).unwrap();
        row.value_weight = value_weight(row.truncated);
    }
    let (setup, start) = SetupRow::texts(&rules, &setup);
    let setup = SetupRow {
        setup,
        start,
        options: rules.options_text(),
        players: vec![CHECKPOINT.to_owned(); 2],
        run_seed: RUN_SEED.0,
        search: String::new(),
        utilities: utilities(ending, 2),
    };
    Played { rows, record: GameRecord { game: id, setup, plies } }
}

fn row(
    rules: &WarChest,
    now: &<WarChest as Hidden>::Now,
    id: game::GameId,
    ply: usize,
    seat: Seat,
    decision: &Decision<WarChest>,
) -> TrainingRow {
    let mut bytes = Vec::new();
    rules.write_now(now, &mut bytes);
    let merged = decision.action_indices.iter().copied().zip(decision.visits.iter().copied());
    TrainingRow {
        game: id,
        ply: ply as u16,
        seat: seat.idx() as u8,
        checkpoint: CHECKPOINT.into(),
        now: bytes,
        n_legal: decision.actions.len() as u16,
        visits: sparse_visits(merged).unwrap(),
        root_value: decision.root_value,
        outcome: 0,
        truncated: true,
        policy_weight: POLICY_WEIGHT,
        value_weight: 0.0,
    }
}

pub fn search_row(decision: &Decision<WarChest>) -> SearchRow {
    let worlds = decision.worlds.iter().map(|world| WorldRow {
        simulations: world.simulations,
        n: world.n.clone(),
        q: world.q.clone(),
    });
    SearchRow {
        full: true,
        belief: Belief::<WarChest>::name(&StructuralUniform).to_owned(),
        belief_seed: decision.belief_seed,
        root_value: decision.root_value,
        chosen_idx: decision.chosen_idx as u16,
        visits: decision.visits.clone(),
        worlds: worlds.collect(),
    }
}

/// The shards of one job, as their stores would hold them.
#[derive(Clone, Default)]
pub struct Stored {
    pub shards: Shards,
    pub files: BTreeMap<String, Vec<u8>>,
}

pub fn origin(shard: &str) -> ShardOrigin {
    ShardOrigin {
        shard: shard.to_owned(),
        run: "run".to_owned(),
        job: "1".to_owned(),
        attempt: 1,
        epoch: 1,
        checkpoint: CHECKPOINT.to_owned(),
        fingerprint: rules().fingerprint(),
        numerics: "uniform".to_owned(),
        build: "test".to_owned(),
        created_ms: 1_700_000_000_000,
    }
}

impl Stored {
    pub fn of(games: &[Played]) -> Stored {
        let rows: Vec<_> = games.iter().map(|game| game.rows.clone()).collect();
        let records: Vec<_> = games.iter().map(|game| game.record.clone()).collect();
        let mut stored = Stored::default();
        stored.put_training("t-1", &rows);
        stored.put_audit("a-1", &records);
        stored
    }

    /// Writes (again) a training shard and describes it rightly.
    pub fn put_training(&mut self, shard: &str, games: &[Vec<TrainingRow>]) {
        let dir = tempfile::tempdir().unwrap();
        let n_actions = rules().policy_layout().n_actions();
        let mut writer =
            TrainingShardWriter::create(dir.path(), origin(shard), rules().now_len(), n_actions)
                .unwrap();
        for rows in games {
            writer.push_game(rows).unwrap();
        }
        let closed = writer.close(&format!("shards/{shard}.parquet")).unwrap();
        self.files.insert(shard.to_owned(), std::fs::read(&closed.path).unwrap());
        replace(&mut self.shards.training, closed.manifest);
    }

    pub fn put_audit(&mut self, shard: &str, games: &[GameRecord]) {
        let dir = tempfile::tempdir().unwrap();
        let mut writer =
            AuditShardWriter::create(dir.path(), origin(shard), &IDENTITY.recipient()).unwrap();
        for game in games {
            writer.push_game(game.clone()).unwrap();
        }
        let closed = writer.close(&format!("shards/{shard}.parquet.sealed")).unwrap();
        self.files.insert(shard.to_owned(), std::fs::read(&closed.path).unwrap());
        replace(&mut self.shards.audit, closed.manifest);
    }

    pub fn verify(&self, options: VerifyOptions) -> AuditReport {
        self.verify_with(options, &mut Again { params: params(), drift: 0 })
    }

    pub fn verify_with(
        &self,
        options: VerifyOptions,
        searcher: &mut dyn Searcher<WarChest>,
    ) -> AuditReport {
        let rules = rules();
        let verifier = Verifier { rules: &rules, identity: &IDENTITY, options };
        let fetch = |manifest: &ShardManifest| {
            self.files.get(&manifest.shard).cloned().ok_or_else(|| "no such file".to_owned())
        };
        verifier.verify(&self.shards, &fetch, searcher, &mut |_| {})
    }
}

fn replace(list: &mut Vec<ShardManifest>, manifest: ShardManifest) {
    list.retain(|it| it.shard != manifest.shard);
    list.push(manifest);
}

/// Searches like the worker. With `drift` it is broken: every search uses another seed.
pub struct Again {
    pub params: SearchParams,
    pub drift: u32,
}

impl Searcher<WarChest> for Again {
    fn search(&mut self, tasks: &[SearchTask<'_, WarChest>]) -> Vec<Result<SearchRow, String>> {
        let answer = |(idx, task): (usize, &SearchTask<'_, WarChest>)| {
            let ply = task.ply as u32 + idx as u32 * self.drift;
            let seed = RunSeed(task.record.setup.run_seed);
            let streams = SearchStreams::at(seed, task.record.game, ply);
            let mut search = Pimc::new(rules(), StructuralUniform, self.params);
            drive(&mut search, &task.observation, streams, &mut UniformEvaluator)
                .map(|decision| search_row(&decision))
                .map_err(|failure| failure.to_string())
        };
        tasks.iter().enumerate().map(answer).collect()
    }

    fn sample(
        &mut self,
        tasks: &[SearchTask<'_, WarChest>],
    ) -> Vec<Result<Sampled<WarChest>, String>> {
        let answer = |task: &SearchTask<'_, WarChest>| {
            let search = task.record.plies[task.ply].search.as_ref().ok_or("no search")?;
            let posterior = StructuralUniform
                .infer(&rules(), &task.observation)
                .map_err(|contradiction| contradiction.to_string())?;
            let world = |seed| {
                StructuralUniform.world(&rules(), &posterior, &task.observation, seed).into_state()
            };
            Ok(Sampled {
                posterior: StructuralUniform.posterior_bytes(&rules(), &posterior),
                worlds: world_seeds(search.belief_seed, search.worlds.len()).map(world).collect(),
            })
        };
        tasks.iter().map(answer).collect()
    }

    fn belief(&self) -> String {
        StructuralUniform.name()
    }

    fn repeats(&self, numerics: &str) -> bool {
        numerics == "uniform"
    }
}
