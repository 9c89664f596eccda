//! A run folder as workers and coordinator leave it, made in this process: two jobs, a small network.

use game::{Belief, DealSecret, Fingerprinted, RunSeed};
use net::checkpoint::{Checkpoint, CheckpointFacts, WindowSummary};
use net::{Architecture, EvaluatorOptions, NetEvaluator, Network, NetworkShape, Precision};
use record::{ClosedShard, ShardOrigin, read_accepted, read_training};
use record::{Expected, ShardManifest, TrainingRow, TrainingShardWriter, append_accepted};
use run::{CheckpointId, RunConfig, RunFacts, RunFolder};
use search::SearchParams;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Arc, LazyLock};
use warchest::{StructuralUniform, WarChest};
use worker::selfplay::game::{PlayedGame, SelfPlayGame};
use worker::selfplay::job::JobOrder;
use worker::selfplay::pool::{Left, Pool};
use worker::selfplay::shards::ShardContext;

const CONFIG: &str = r#"
[run]
game = "war-chest"
seed = 5
deal_secret = "0000000000000000000000000000000000000000000000000000000000000005"

[rules]
cap = 40
belief = "structural-uniform-v1"

[network]
kind = "mlp"
hidden = 16

[search]
simulations = 8
worlds = 2
noise_share = 0.25
temperature = 1.0
temperature_late = 1.0

[selfplay]
batch = 8
precision = "float32"
"#;

const BATCH: usize = 8;

pub fn rules() -> WarChest {
    WarChest { cap: Some(40), ..WarChest::default() }
}

/// The run that every test copies.
static RUN: LazyLock<tempfile::TempDir> = LazyLock::new(make_run);

/// A copy of the run, to be spoiled.
pub struct Run {
    _dir: tempfile::TempDir,
    pub root: PathBuf,
}

pub fn run() -> Run {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("r");
    let copied = Command::new("cp").arg("-r").arg(RUN.path().join("r")).arg(&root).status();
    assert!(copied.unwrap().success());
    Run { _dir: dir, root }
}

fn make_run() -> tempfile::TempDir {
    // As in a play thread: the recorded numerics say so.
    net::use_one_thread();
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("r");
    let (folder, numerics) = create(&root, "");
    let checkpoint = make_checkpoint(&folder, &numerics);
    let context = context(&folder, &numerics);
    let config = folder.config();
    let params: SearchParams = config.search.clone().try_into().unwrap();
    let params = SearchParams { prior_shaping: 1.5, ..params };
    for (job, games) in [(1, vec![1, 2, 3]), (2, vec![4, 5])] {
        let order = order(&folder, &checkpoint, params, job, games);
        let result = context.write(&rules(), &order, play(&checkpoint, &order)).unwrap();
        for (root, closed) in
            [(folder.training_dir(), &result.training), (folder.audit_dir(), &result.audit)]
        {
            let path = root.join(&closed.manifest.key);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::copy(&closed.path, &path).unwrap();
            append_accepted(&root.join("accepted.jsonl"), &closed.manifest).unwrap();
        }
    }
    dir
}

/// A new run folder, its configuration continued by `more`, and this machine's numerics.
pub fn create(root: &Path, more: &str) -> (RunFolder, String) {
    let text = format!("{CONFIG}{more}");
    let config = RunConfig::parse(&text, "test", &[]).unwrap().validate("test").unwrap();
    let numerics = net::numerics(Precision::Float32, BATCH);
    let facts = RunFacts {
        fingerprint: rules().fingerprint().to_string(),
        fingerprint_text: rules().fingerprint_text(),
        build: "test".to_owned(),
        numerics: numerics.clone(),
    };
    (RunFolder::create(root, &config, &facts).unwrap(), numerics)
}

/// As the workers of that run write shards.
pub fn context(folder: &RunFolder, numerics: &str) -> ShardContext {
    let spool = folder.audit_dir().join("spool");
    std::fs::create_dir_all(&spool).unwrap();
    ShardContext {
        spool,
        auditor: folder.config().audit.recipient.as_ref().unwrap().parse().unwrap(),
        belief: Belief::<WarChest>::name(&StructuralUniform),
        options: "cap = 40\n".to_owned(),
        numerics: numerics.to_owned(),
    }
}

pub fn make_checkpoint(folder: &RunFolder, numerics: &str) -> Checkpoint {
    let shape = NetworkShape::of(&rules());
    let network = Network::random(Architecture::Mlp { hidden: 16 }, shape, 3).unwrap();
    let facts = CheckpointFacts {
        run: folder.name(),
        step: 0,
        generation: 0,
        parent: None,
        game: "war-chest".to_owned(),
        fingerprint_text: rules().fingerprint_text(),
        numerics: numerics.to_owned(),
        window: WindowSummary::default(),
        seed: Some(3),
    };
    let name = |digest: &str| {
        let id = CheckpointId::new(&folder.name(), 0, digest).unwrap();
        (id.to_string(), folder.checkpoint_dir(&id))
    };
    Checkpoint::save(&network, None, facts, Vec::new(), name).unwrap()
}

fn order(
    folder: &RunFolder,
    checkpoint: &Checkpoint,
    params: SearchParams,
    job: u64,
    games: Vec<u64>,
) -> JobOrder {
    JobOrder {
        lease: proto::v1::LeaseKey { job, attempt: 1, epoch: job },
        games,
        checkpoint: proto::v1::Checkpoint {
            id: checkpoint.header.id.clone(),
            ..Default::default()
        },
        run: folder.name(),
        run_seed: RunSeed(5),
        secret: DealSecret(folder.deal_secret().unwrap()),
        params,
        progress: Arc::default(),
    }
}

pub fn play(checkpoint: &Checkpoint, order: &JobOrder) -> Vec<(u64, PlayedGame<WarChest>)> {
    let options = EvaluatorOptions {
        batch_size: BATCH,
        precision: Precision::Float32,
        cache_entries: 10_000,
    };
    let mut evaluator = NetEvaluator::new(rules(), &checkpoint.network, options).unwrap();
    let mut pool = Pool::new(BATCH);
    for &number in &order.games {
        pool.add(SelfPlayGame::deal(
            &rules(),
            &StructuralUniform,
            order.params,
            order.run_seed,
            &order.secret,
            number,
        ));
    }
    let mut left = Vec::new();
    while pool.n_games() > 0 {
        pool.step(&mut evaluator, &mut left);
    }
    let mut games: Vec<_> = left
        .into_iter()
        .map(|it| match it {
            Left::Over { number, game } => (number, game),
            Left::Failed { number, failure } => panic!("game {number}: {failure}"),
        })
        .collect();
    games.sort_by_key(|(number, _)| *number);
    games
}

impl Run {
    pub fn path(&self) -> &str {
        self.root.to_str().unwrap()
    }

    pub fn training(&self) -> Vec<ShardManifest> {
        read_accepted(&self.root.join("training/accepted.jsonl")).unwrap().manifests
    }

    /// Writes the first training shard anew with other rows, and makes its manifest right again.
    pub fn spoil(&self, spoil: impl FnOnce(&mut Vec<TrainingRow>)) -> ShardManifest {
        let manifests = self.training();
        let old = &manifests[0];
        let path = self.root.join("training").join(&old.key);
        let closed = rewritten(&self.root, &path, old, &old.key, spoil);
        std::fs::copy(&closed.path, self.root.join("training").join(&old.key)).unwrap();
        self.list(&[std::slice::from_ref(&closed.manifest), &manifests[1..]].concat());
        closed.manifest.clone()
    }

    /// Replaces the list of accepted training shards.
    pub fn list(&self, manifests: &[ShardManifest]) {
        let path = self.root.join("training/accepted.jsonl");
        std::fs::remove_file(&path).unwrap();
        for manifest in manifests {
            append_accepted(&path, manifest).unwrap();
        }
    }
}

/// A training shard written anew with other rows, its manifest made right.
pub fn rewritten(
    folder: &Path,
    path: &Path,
    old: &ShardManifest,
    key: &str,
    spoil: impl FnOnce(&mut Vec<TrainingRow>),
) -> ClosedShard {
    let bytes = std::fs::read(path).unwrap();
    let mut rows = read_training(&old.shard, bytes, &expected()).unwrap().rows;
    spoil(&mut rows);
    let origin = ShardOrigin {
        shard: old.shard.clone(),
        run: old.run.clone(),
        job: old.job.clone(),
        attempt: old.attempt,
        epoch: old.epoch,
        checkpoint: old.checkpoint.clone(),
        fingerprint: old.fingerprint,
        numerics: old.numerics.clone(),
        build: old.build.clone(),
        created_ms: old.created_ms,
    };
    let Expected { now_len, n_actions, .. } = expected();
    let mut writer = TrainingShardWriter::create(folder, origin, now_len, n_actions).unwrap();
    for game in rows.chunk_by(|a, b| a.game == b.game) {
        writer.push_game(game).unwrap();
    }
    writer.close(key).unwrap()
}

fn expected() -> Expected {
    Expected {
        fingerprint: rules().fingerprint(),
        now_len: game::Hidden::now_len(&rules()),
        n_actions: game::ActionSpace::policy_layout(&rules()).n_actions(),
    }
}

/// Runs the worker's binary.
pub fn worker(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_muster-worker")).args(args).output().unwrap()
}

/// The one JSON object of an output.
pub fn json(output: &Output) -> Value {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    assert_eq!(text.lines().count(), 1, "exactly one object: {text}");
    serde_json::from_str(&text).unwrap()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

pub fn verify(root: &Path, pairs: usize) -> Output {
    let pairs = pairs.to_string();
    worker(&["audit", "verify", root.to_str().unwrap(), "--pairs", &pairs, "--json"])
}
