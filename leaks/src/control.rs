//! The named negative control: a search that grows its trees in the truth, on the fixture of three worlds and in the
//! shards that it writes.

use crate::clean;
use crate::planted::Planted;
use audit::lab::subject::{CHECKPOINT, HashedRequests};
use audit::lab::{Decided, Scene};
use audit::row::utilities;
use audit::two_worlds::Sampled;
use audit::{
    AuditShardWriter, GameRecord, Identity, PlyRow, Recipient, SearchRow, SearchTask, Searcher,
    SetupRow, Shards, Verifier, VerifyOptions,
};
use game::belief::world_seeds;
use game::{
    ActionSpace, Belief, DealSecret, Fingerprinted, GameId, Hidden, ModelFree, Notation, Rules,
    RunSeed, Seat, Turn,
};
use record::row::DecisionColumns;
use record::{ShardManifest, ShardOrigin, TrainingRow, TrainingShardWriter};
use referee::Truth;
use search::{SearchParams, SearchStreams};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use warchest::fixture::three_worlds;
use warchest::{ExactUniform, WarChest};

const RUN_SEED: RunSeed = RunSeed(11);
const SECRET: DealSecret = DealSecret([9; 32]);
const NUMERICS: &str = "hash";

/// What the control did, and what the real program does in the same place.
#[derive(Serialize, Clone, Debug)]
pub struct Control {
    /// Different root-visit vectors over three truths that give one observation: 3, where ours gives 1.
    pub visit_vectors: usize,
    pub visit_vectors_clean: usize,
    /// What the verification of the shards it wrote found, and of those that ours wrote: 0.
    pub verify_findings: u64,
    pub verify_findings_clean: u64,
    pub verify_rows: u64,
    pub verify_pairs: u64,
}

impl Control {
    pub fn run(control: &Planted) -> anyhow::Result<Control> {
        let (verify_findings, ..) = verify_written(control)?;
        let (verify_findings_clean, verify_rows, verify_pairs) = verify_written(&Planted::CLEAN)?;
        Ok(Control {
            visit_vectors: visit_vectors(control)?,
            visit_vectors_clean: visit_vectors(&Planted::CLEAN)?,
            verify_findings,
            verify_findings_clean,
            verify_rows,
            verify_pairs,
        })
    }

    pub fn is_caught(&self) -> bool {
        self.visit_vectors == 3 && self.verify_findings > 0
    }

    pub fn is_clean(&self) -> bool {
        self.visit_vectors_clean == 1 && self.verify_findings_clean == 0
    }
}

/// How many root-visit vectors the three truths give.
fn visit_vectors(planted: &Planted) -> anyhow::Result<usize> {
    let rules = WarChest::default();
    let params = SearchParams { simulations: 301, worlds: 3, ..SearchParams::BASE };
    let mut vectors = BTreeSet::new();
    for state in three_worlds(&rules) {
        let truth = Truth::from_position(rules, state)?;
        let scene = Scene {
            rules: &rules,
            truth: &truth,
            seat: Seat::FIRST,
            ply: 0,
            game: GameId([1; 16]),
            run_seed: RUN_SEED,
            secret: &SECRET,
        };
        let mut live = truth.observation(Seat::FIRST).clone();
        let mut player = planted.player_with(&rules, params);
        vectors.insert(player.decide(&scene, &mut live).map_err(anyhow::Error::msg)?.visits);
    }
    Ok(vectors.len())
}

/// Short games: the cap ends most of them.
fn rules() -> WarChest {
    WarChest { cap: Some(60), ..WarChest::default() }
}

/// Plays games, writes their shards and verifies them: findings, rows and pairs.
fn verify_written(planted: &Planted) -> anyhow::Result<(u64, u64, u64)> {
    let identity = Identity::generate();
    let (shards, files) = write_shards(planted, &identity.recipient())?;
    let rules = rules();
    let options = VerifyOptions { pairs: 60, world_decisions: 60, seed: 1 };
    let verifier = Verifier { rules: &rules, identity: &identity, options };
    let fetch = |manifest: &ShardManifest| {
        files.get(&manifest.shard).cloned().ok_or_else(|| "no such file".to_owned())
    };
    let report = verifier.verify(&shards, &fetch, &mut Again, &mut |_| {});
    Ok((report.differences, report.rows_checked, report.two_world_pairs))
}

fn origin(shard: &str) -> ShardOrigin {
    ShardOrigin {
        shard: shard.to_owned(),
        run: "leaks".to_owned(),
        job: "1".to_owned(),
        attempt: 1,
        epoch: 1,
        checkpoint: CHECKPOINT.to_owned(),
        fingerprint: rules().fingerprint(),
        numerics: NUMERICS.to_owned(),
        build: "leaks".to_owned(),
        created_ms: 1_700_000_000_000,
    }
}

fn write_shards(
    planted: &Planted,
    recipient: &Recipient,
) -> anyhow::Result<(Shards, BTreeMap<String, Vec<u8>>)> {
    let rules = rules();
    let dir = tempfile::tempdir()?;
    let n_actions = rules.policy_layout().n_actions();
    let mut training =
        TrainingShardWriter::create(dir.path(), origin("t-1"), rules.now_len(), n_actions)?;
    let mut audit = AuditShardWriter::create(dir.path(), origin("a-1"), recipient)?;
    for number in 0..4 {
        let (rows, record) = play(planted, rules, number)?;
        training.push_game(&rows)?;
        audit.push_game(record)?;
    }
    let closed = [training.close("shards/t-1.parquet")?, audit.close("shards/a-1.parquet")?];
    let mut files = BTreeMap::new();
    for shard in &closed {
        files.insert(shard.manifest.shard.clone(), std::fs::read(&shard.path)?);
    }
    let [training, audit] = closed.map(|shard| vec![shard.manifest]);
    Ok((Shards { training, audit }, files))
}

/// Plays one game, both seats by the same program, and gives its training rows and its record.
fn play(
    planted: &Planted,
    rules: WarChest,
    number: u64,
) -> anyhow::Result<(Vec<TrainingRow>, GameRecord)> {
    let game = SECRET.game_id(number);
    let mut deal = SECRET.deal_stream(number);
    let setup = rules.deal(&mut deal);
    let mut truth = Truth::new(rules, &setup);
    let mut players = [(); 2].map(|()| planted.player_with(&rules, clean::params()));
    let mut decided: Vec<(DecisionParts, Seat, usize)> = Vec::new();
    let mut plies = Vec::new();
    loop {
        let (seat, action, search) = match truth.turn() {
            Turn::Over => break,
            Turn::Chance => {
                let action = truth.draw(&mut deal);
                plies.push(PlyRow { seat: None, action: rules.action_text(action), search: None });
                continue;
            }
            Turn::Seat(seat) => {
                let scene = Scene {
                    rules: &rules,
                    truth: &truth,
                    seat,
                    ply: plies.len() as u32,
                    game,
                    run_seed: RUN_SEED,
                    secret: &SECRET,
                };
                let mut live = truth.observation(seat).clone();
                let decision =
                    players[seat.idx()].decide(&scene, &mut live).map_err(anyhow::Error::msg)?;
                let action = decision.actions[decision.chosen_idx];
                let search = (decision.actions.len() > 1).then(|| search_row(&decision));
                if search.is_some() {
                    let mut now = Vec::new();
                    rules.write_now(live.now(), &mut now);
                    decided.push((DecisionParts { now, decision }, seat, plies.len()));
                }
                (seat, action, search)
            }
        };
        plies.push(PlyRow {
            seat: Some(seat.idx() as u8),
            action: rules.action_text(action),
            search,
        });
        truth.play(action)?;
    }
    let ending = truth.ending().expect("the game is over");
    let checkpoint = CHECKPOINT.into();
    let rows = decided.into_iter().map(|(DecisionParts { now, decision }, seat, ply)| {
        let columns = DecisionColumns {
            game,
            ply,
            seat,
            checkpoint: &checkpoint,
            now,
            action_indices: &decision.action_indices,
            visits: &decision.visits,
            root_value: decision.root_value,
        };
        columns.row(ending).expect("a decision fits a row")
    });
    let rows = rows.collect();
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
    Ok((rows, GameRecord { game, setup, plies }))
}

struct DecisionParts {
    now: Vec<u8>,
    decision: Decided<WarChest>,
}

fn search_row(decided: &Decided<WarChest>) -> SearchRow {
    SearchRow {
        full: true,
        belief: Belief::<WarChest>::name(&ExactUniform),
        belief_seed: decided.belief_seed,
        root_value: decided.root_value,
        chosen_idx: decided.chosen_idx as u16,
        visits: decided.visits.clone(),
        worlds: decided.worlds.clone(),
    }
}

/// Searches decisions again as the real program does, from observations alone.
struct Again;

impl Searcher<WarChest> for Again {
    fn search(&mut self, tasks: &[SearchTask<'_, WarChest>]) -> Vec<Result<SearchRow, String>> {
        let answer = |task: &SearchTask<'_, WarChest>| {
            let seed = RunSeed(task.record.setup.run_seed);
            let streams = SearchStreams::at(seed, task.record.game, task.ply as u32);
            let rules = rules();
            let evaluator = Box::new(HashedRequests::new(&rules));
            let mut program = clean::Program::new(&rules, ExactUniform, clean::params(), evaluator);
            let decided = program.decide_with(&rules, &task.observation, streams)?;
            Ok(search_row(&decided))
        };
        tasks.iter().map(answer).collect()
    }

    fn sample(
        &mut self,
        tasks: &[SearchTask<'_, WarChest>],
    ) -> Vec<Result<Sampled<WarChest>, String>> {
        let answer = |task: &SearchTask<'_, WarChest>| {
            let (rules, seen) = (rules(), &task.observation);
            let search = task.record.plies[task.ply].search.as_ref().ok_or("no search")?;
            let posterior = ExactUniform.infer(&rules, seen).map_err(|error| error.to_string())?;
            let seeds = world_seeds(search.belief_seed, search.worlds.len());
            let world = |seed| ExactUniform.world(&rules, &posterior, seen, seed).into_state();
            Ok(Sampled {
                posterior: ExactUniform.posterior_bytes(&rules, &posterior),
                worlds: seeds.map(world).collect(),
            })
        };
        tasks.iter().map(answer).collect()
    }

    fn belief(&self) -> String {
        Belief::<WarChest>::name(&ExactUniform)
    }

    fn repeats(&self, numerics: &str) -> bool {
        numerics == NUMERICS
    }
}
