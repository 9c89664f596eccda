//! What no pair of truths can show: checks of a subject by itself.

use super::channel::Test;
use super::compare::{Comparison, Difference, origin_of, secret_of, write_state};
use super::subject::{CHECKPOINT, Game, Scene, Subject, evaluation_of};
use super::twins::{Style, Twin};
use crate::row::{GameRecord, PlyRow, SetupRow};
use crate::{AuditShardWriter, Identity};
use game::{
    EvalRequest, GameId, Hidden, Observation, PipelineGame, Rules, RunSeed, Seat, Stream, Turn,
};
use record::TrainingRow;
use referee::Truth;
use std::collections::{BTreeMap, BTreeSet};

/// A position whose belief is known: `seat` is to act and takes `n_worlds` worlds for equally likely.
pub struct Known<G: Rules> {
    pub rules: G,
    pub state: G::State,
    pub seat: Seat,
    pub n_worlds: usize,
}

/// Seeds of the worlds of one decision.
const N_SEEDS: u64 = 64;
/// One in how many decisions is looked at.
const ONE_IN: usize = 5;

/// Runs every check that needs no second truth, on games from number `first` on.
pub fn examine<G: PipelineGame, S: Subject<G> + ?Sized>(
    subject: &S,
    style: &Style<G>,
    known: &Known<G>,
    first: u64,
    n_games: u64,
) -> Comparison {
    let mut all = Comparison::default();
    for number in first..first + n_games {
        for twin in Twin::of_game(style, number).iter().take(4) {
            check_worlds(subject, twin, &mut all);
            check_requests(subject, twin, &mut all);
        }
    }
    check_known(subject, known, &mut all);
    check_ids(subject, &mut all);
    check_split(subject, &mut all);
    check_files(subject, &known.rules, &mut all);
    all
}

fn add(all: &mut Comparison, test: Test, what: &'static str, detail: String) {
    all.differences += 1;
    all.add(Difference { test, what, detail });
}

/// A game of a twin up to its last decision, as a host has it.
struct Sitting<G: Hidden> {
    truth: Truth<G>,
    state: G::State,
}

impl<G: PipelineGame> Sitting<G> {
    fn begin(twin: &Twin<G>) -> Sitting<G> {
        let state = twin.starts[0].clone();
        let truth = Truth::from_position(twin.rules.clone(), state.clone()).expect("it was played");
        Sitting { truth, state }
    }

    fn play(&mut self, rules: &G, action: G::Action) {
        self.truth.play(action).expect("it was played");
        rules.apply(&mut self.state, action);
    }
}

/// Worlds are valid, look like the observation, offer its actions, and are more than one where several fit.
fn check_worlds<G: PipelineGame, S: Subject<G> + ?Sized>(
    subject: &S,
    twin: &Twin<G>,
    all: &mut Comparison,
) {
    let rules = &twin.rules;
    let mut sitting = Sitting::begin(twin);
    let mut player = subject.player(rules);
    let secret = secret_of(twin.number, 0);
    for (ply, &action) in twin.plies[0].iter().enumerate() {
        let turn = rules.turn(&sitting.state);
        if ply >= twin.from && turn == Turn::Seat(twin.seat) && ply.is_multiple_of(ONE_IN) {
            let scene = Scene {
                rules,
                truth: &sitting.truth,
                seat: twin.seat,
                ply: ply as u32,
                game: GameId([1; 16]),
                run_seed: RunSeed(7),
                secret: &secret,
            };
            let seen = sitting.truth.observation(twin.seat);
            match player.infer(&scene, seen) {
                Ok(inferred) => {
                    let legal = rules.legal(&sitting.state);
                    let mut different = BTreeSet::new();
                    for seed in 0..N_SEEDS {
                        let world = player.world(&scene, seen, seed);
                        if let Some(fault) = world_fault(rules, seen, &legal, &world) {
                            add(all, Test::Reobserve, fault, format!("ply {ply}, seed {seed}"));
                        }
                        let mut bytes = Vec::new();
                        write_state(rules, &world, &mut bytes);
                        different.insert(bytes);
                    }
                    if inferred.support_len > 1 && different.len() < 2 {
                        let detail = format!("one world for {N_SEEDS} seeds at ply {ply}");
                        add(all, Test::Spread, "number of worlds", detail);
                    }
                }
                Err(error) => add(all, Test::Fault, "belief", error),
            }
        }
        sitting.play(rules, action);
    }
}

fn world_fault<G: PipelineGame>(
    rules: &G,
    seen: &Observation<G>,
    legal: &[G::Action],
    world: &G::State,
) -> Option<&'static str> {
    if rules.validate(world).is_err() {
        return Some("a world is invalid");
    }
    if rules.now(world, seen.seat()) != *seen.now() {
        return Some("a world looks different");
    }
    (rules.legal(world) != legal).then_some("a world offers other actions")
}

/// Worlds of a position whose belief is known come up as often as they must.
fn check_known<G: PipelineGame, S: Subject<G> + ?Sized>(
    subject: &S,
    known: &Known<G>,
    all: &mut Comparison,
) {
    const N: u64 = 3000;
    let Known { rules, state, seat, n_worlds } = known;
    let truth = Truth::from_position(rules.clone(), state.clone()).expect("a fixture is valid");
    let secret = secret_of(0, 0);
    let seen = truth.observation(*seat);
    let (game, run_seed) = (GameId([2; 16]), RunSeed(7));
    let scene =
        Scene { rules, truth: &truth, seat: *seat, ply: 0, game, run_seed, secret: &secret };
    let mut player = subject.player(rules);
    if let Err(error) = player.infer(&scene, seen) {
        return add(all, Test::Fault, "belief", error);
    }
    let mut counts: BTreeMap<Vec<u8>, u64> = BTreeMap::new();
    let mut stream = Stream::from_seed(11);
    for _ in 0..N {
        let world = player.world(&scene, seen, stream.next_u64());
        let mut bytes = Vec::new();
        write_state(rules, &world, &mut bytes);
        *counts.entry(bytes).or_default() += 1;
    }
    // Each count is binomial(N, 1 / n): five standard deviations.
    let share = 1.0 / *n_worlds as f64;
    let (mean, sigma) = (N as f64 * share, (N as f64 * share * (1.0 - share)).sqrt());
    let is_even = counts.values().all(|&n| (n as f64 - mean).abs() < 5.0 * sigma);
    if counts.len() != *n_worlds || !is_even {
        let counts: Vec<u64> = counts.into_values().collect();
        add(all, Test::Spread, "frequency of worlds", format!("{counts:?} of {N}"));
    }
}

/// A request is answered alike alone by a fresh evaluator, among others, again, and in another order.
fn check_requests<G: PipelineGame, S: Subject<G> + ?Sized>(
    subject: &S,
    twin: &Twin<G>,
    all: &mut Comparison,
) {
    let rules = &twin.rules;
    let mut requests = Vec::new();
    // Indices that stand for something in every position: the last ones, which lie on no hex.
    let n_actions = rules.policy_layout().n_actions() as u16;
    let actions: Vec<u16> = (n_actions - 3..n_actions).collect();
    let mut sitting = Sitting::begin(twin);
    for (ply, &action) in twin.plies[0].iter().enumerate() {
        if ply >= twin.from && ply.is_multiple_of(ONE_IN) {
            // Both seats' views of one board.
            for seat in Seat::BOTH {
                let now = rules.now(&sitting.state, seat);
                requests.push(EvalRequest { now, actions: actions.clone() });
            }
        }
        sitting.play(rules, action);
    }
    let alone: Vec<_> = requests
        .iter()
        .flat_map(|request| subject.evaluator(rules).evaluate(std::slice::from_ref(request)))
        .collect();
    let mut evaluator = subject.evaluator(rules);
    let together = evaluator.evaluate(&requests);
    let again = evaluator.evaluate(&requests);
    requests.reverse();
    let mut reversed = subject.evaluator(rules).evaluate(&requests);
    reversed.reverse();
    for (what, answers) in
        [("in a batch", together), ("asked again", again), ("in another order", reversed)]
    {
        if answers != alone {
            add(all, Test::Alone, what, format!("twin {}", twin.number));
        }
    }
}

/// Ids hang on the secret and on the number, and look like neither: every bit of the secret moves about half of
/// an id's bits, and so does the number under every secret.
fn check_ids<G: PipelineGame, S: Subject<G> + ?Sized>(subject: &S, all: &mut Comparison) {
    // Halves of two keyed hashes differ in 32 ± 4 of 64 bits: below 8 comes up once in 10¹⁰.
    const FAR: u32 = 8;
    let distance = |a: GameId, b: GameId| -> u32 {
        let differing: Vec<u32> = a.0.iter().zip(&b.0).map(|(a, b)| (a ^ b).count_ones()).collect();
        let halves = differing.chunks(8).map(|half| half.iter().sum::<u32>());
        halves.min().unwrap_or(0)
    };
    let mut steps = BTreeSet::new();
    for number in 0..64 {
        let secret = secret_of(number, 0);
        let id = subject.game_id(&secret, number);
        let next = subject.game_id(&secret, number + 1);
        for bit in 0..256 {
            let mut other = secret.clone();
            other.0[bit / 8] ^= 1 << (bit % 8);
            if distance(id, subject.game_id(&other, number)) < FAR {
                let detail =
                    format!("bit {bit} of the secret hardly moves the id of game {number}");
                return add(all, Test::Ids, "game id", detail);
            }
        }
        let step: Vec<u8> = id.0.iter().zip(&next.0).map(|(a, b)| a ^ b).collect();
        if distance(id, next) < FAR || !steps.insert(step) {
            let detail = format!("the ids of games {number} and {} are alike", number + 1);
            return add(all, Test::Ids, "game id", detail);
        }
    }
}

/// No game has rows on both sides of the split, and both sides have some.
fn check_split<G: PipelineGame, S: Subject<G> + ?Sized>(subject: &S, all: &mut Comparison) {
    let games = (0..60).map(|number| secret_of(number, 0).game_id(number));
    let rows: Vec<TrainingRow> = games
        .flat_map(|game| {
            (0..10).map(move |ply| TrainingRow {
                game,
                ply,
                seat: (ply % 2) as u8,
                checkpoint: CHECKPOINT.into(),
                now: vec![ply as u8; 4],
                n_legal: 2,
                visits: Vec::new(),
                root_value: 0.0,
                outcome: 1,
                truncated: false,
                policy_weight: 1.0,
                value_weight: 1.0,
            })
        })
        .collect();
    let held_out = subject.held_out(&rows);
    let mut sides: BTreeMap<GameId, BTreeSet<bool>> = BTreeMap::new();
    for (row, side) in rows.iter().zip(&held_out) {
        sides.entry(row.game).or_default().insert(*side);
    }
    if let Some((game, _)) = sides.iter().find(|(_, sides)| sides.len() > 1) {
        add(all, Test::Split, "rows of one game", format!("game {game} lies on both sides"));
    }
    if held_out.iter().all(|side| *side) || held_out.iter().all(|side| !*side) {
        add(all, Test::Split, "rows of one game", "one side is empty".to_owned());
    }
}

/// The written file has the columns of its schema and no more, and an audit file is not taken for one.
fn check_files<G: PipelineGame, S: Subject<G> + ?Sized>(
    subject: &S,
    rules: &G,
    all: &mut Comparison,
) {
    let mut stream = Stream::from_seed(5);
    let setup = rules.deal(&mut stream);
    let truth = Truth::new(rules.clone(), &setup);
    let secret = secret_of(0, 0);
    let mut now = Vec::new();
    rules.write_now(truth.observation(Seat::FIRST).now(), &mut now);
    let row = TrainingRow {
        game: secret.game_id(0),
        ply: 0,
        seat: 0,
        checkpoint: CHECKPOINT.into(),
        now,
        n_legal: 2,
        visits: vec![record::ActionVisits { action: 0, visits: 1 }],
        root_value: evaluation_of(1, 2).value,
        outcome: 0,
        truncated: true,
        policy_weight: 1.0,
        value_weight: 0.0,
    };
    let games = [Game { rules, truth: &truth, secret: &secret, rows: vec![row] }];
    let dir = tempfile::tempdir().expect("a temporary folder");
    let origin = origin_of(rules);
    let shard = origin.shard.clone();
    match subject.write(rules, dir.path(), origin, "shards/lab.parquet", &games) {
        Ok(closed) => {
            let bytes = std::fs::read(&closed.path).expect("a closed shard is readable");
            // Read by the real reader, whatever the subject's own would take.
            if let Err(error) = record::read_training(&shard, bytes, &expected(rules)) {
                add(all, Test::Schema, "columns of a training shard", error.to_string());
            }
        }
        Err(error) => add(all, Test::Schema, "columns of a training shard", error.to_string()),
    }
    for bytes in other_files(rules, &truth, dir.path()) {
        if subject.takes(rules, &shard, bytes) {
            let detail = "a file of audit rows is taken for training rows".to_owned();
            add(all, Test::Schema, "files of the window", detail);
        }
    }
}

fn expected<G: PipelineGame>(rules: &G) -> record::Expected {
    record::Expected {
        fingerprint: rules.fingerprint(),
        now_len: rules.now_len(),
        n_actions: rules.policy_layout().n_actions(),
    }
}

/// Files that hold the truth and must not be read by what trains.
fn other_files<G: PipelineGame>(
    rules: &G,
    truth: &Truth<G>,
    dir: &std::path::Path,
) -> Vec<Vec<u8>> {
    let (setup, start) = SetupRow::texts(rules, &truth.setup());
    let record = GameRecord {
        game: GameId([3; 16]),
        setup: SetupRow {
            setup,
            start,
            options: String::new(),
            players: vec![CHECKPOINT.to_owned(); 2],
            run_seed: 1,
            search: String::new(),
            utilities: None,
        },
        plies: vec![PlyRow { seat: None, action: "draw".to_owned(), search: None }],
    };
    let identity = Identity::generate();
    let origin = origin_of(rules);
    let shard = origin.shard.clone();
    let mut writer = AuditShardWriter::create(dir, origin, &identity.recipient())
        .expect("an audit shard begins in memory");
    writer.push_game(record).expect("a record of one ply");
    let closed = writer.close("shards/lab.parquet").expect("an audit shard");
    let sealed = std::fs::read(&closed.path).expect("a closed shard is readable");
    // Opened too: not the seal alone keeps the two apart.
    let plain = identity.open(&shard, &sealed).expect("it was sealed to this key");
    vec![sealed, plain]
}
