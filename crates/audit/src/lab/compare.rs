//! Plays twins through a subject and compares everything that is left behind, byte for byte.

use super::channel::Test;
use super::coverage::{Coverage, Fields};
use super::log::Log;
use super::subject::{CHECKPOINT, Decided, Game, Player, Scene, Subject};
use super::trace::{Part, Trace};
use super::twins::{Style, Twin};
use game::{DealSecret, Hidden, Observation, PipelineGame, RunSeed, Seat, Stream, Turn};
use rayon::prelude::*;
use record::{ShardManifest, ShardOrigin, TrainingRow};
use referee::Truth;
use std::collections::BTreeMap;
use std::path::Path;

/// Worlds sampled at every decision, besides those of the search.
const N_WORLDS: u64 = 4;
/// One in how many decisions is compared where only the past differs.
const PAST_ONLY_ONE_IN: usize = 4;

/// One thing that is not as it must be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    pub test: Test,
    pub what: &'static str,
    /// Where, in words.
    pub detail: String,
}

/// What a comparison found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Comparison {
    pub coverage: Coverage,
    /// Decisions and shards with at least one difference.
    pub differences: u64,
    /// By test and part: how often.
    pub found: BTreeMap<(Test, &'static str), u64>,
    pub first: Option<Difference>,
    /// Findings of all tests and parts.
    pub findings: u64,
    /// Decisions, of either truth, that logged something: the log is really captured.
    pub logged: u64,
    /// Training rows written, of either truth.
    pub rows: u64,
}

impl Comparison {
    pub fn add(&mut self, difference: Difference) {
        *self.found.entry((difference.test, difference.what)).or_default() += 1;
        self.findings += 1;
        self.first.get_or_insert(difference);
    }

    /// Whether `test` found something.
    pub fn has(&self, test: Test) -> bool {
        self.found.keys().any(|(found, _)| *found == test)
    }

    pub fn merge(&mut self, other: Comparison) {
        self.coverage.merge(other.coverage);
        self.differences += other.differences;
        self.findings += other.findings;
        self.logged += other.logged;
        self.rows += other.rows;
        for (key, n) in other.found {
            *self.found.entry(key).or_default() += n;
        }
        if self.first.is_none() {
            self.first = other.first;
        }
    }
}

/// How much to compare.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Number of the first game.
    pub first: u64,
    /// At least so many pairs.
    pub pairs: u64,
    /// Games whose twins are compared side by side.
    pub games_at_a_time: u64,
}

impl Plan {
    pub const fn of_pairs(pairs: u64) -> Plan {
        Plan { first: 0, pairs, games_at_a_time: 32 }
    }
}

/// Compares pairs until there are enough, or until `is_enough` says so. The number of threads changes nothing.
pub fn compare<G: PipelineGame, S: Subject<G> + ?Sized>(
    subject: &S,
    style: &Style<G>,
    fields: &Fields<G>,
    plan: Plan,
    is_enough: &mut dyn FnMut(&Comparison) -> bool,
) -> Comparison {
    let mut all = Comparison::default();
    let mut number = plan.first;
    while all.coverage.pairs < plan.pairs && !is_enough(&all) {
        let numbers = number..number + plan.games_at_a_time.max(1);
        number = numbers.end;
        let of_games: Vec<Comparison> = numbers
            .into_par_iter()
            .map(|number| compare_twins(subject, fields, &Twin::of_game(style, number)))
            .collect();
        of_games.into_iter().for_each(|of_game| all.merge(of_game));
    }
    all
}

/// Compares the twins of one game, and the two shards that their rows make.
pub fn compare_twins<G: PipelineGame, S: Subject<G> + ?Sized>(
    subject: &S,
    fields: &Fields<G>,
    twins: &[Twin<G>],
) -> Comparison {
    let mut comparison = Comparison::default();
    let log = Log::new();
    let played: Vec<[Side<G>; 2]> = twins
        .iter()
        .map(|twin| Pairing { subject, fields, twin, log: &log }.play(&mut comparison))
        .collect();
    let n_before = comparison.findings;
    let shards = [0, 1].map(|which| write_shard(subject, twins, &played, which));
    match shards {
        [Ok(None), Ok(None)] => {}
        [Ok(one), Ok(other)] => {
            let parts = |shard: &Shard| {
                let manifest = manifest_text(&shard.manifest).into_bytes();
                [shard.bytes.clone(), manifest, shard.manifest.key.clone().into_bytes()]
            };
            let [one, other] = [one, other].map(|shard| shard.as_ref().map(parts));
            for (idx, what) in ["written shard", "manifest", "file name"].into_iter().enumerate() {
                let of = |parts: &Option<[Vec<u8>; 3]>| parts.as_ref().map(|it| it[idx].clone());
                if of(&one) != of(&other) {
                    let detail = format!("game {}", twins.first().map_or(0, |twin| twin.number));
                    comparison.add(Difference { test: Test::TwoWorlds, what, detail });
                }
            }
        }
        [one, other] => {
            for error in [one.err(), other.err()].into_iter().flatten() {
                comparison.add(Difference { test: Test::Fault, what: "shard", detail: error });
            }
        }
    }
    comparison.differences += u64::from(comparison.findings > n_before);
    comparison
}

struct Shard {
    bytes: Vec<u8>,
    manifest: ShardManifest,
}

/// A manifest without what says the same as the file does.
fn manifest_text(manifest: &ShardManifest) -> String {
    ShardManifest { key: String::new(), digest: String::new(), ..manifest.clone() }.to_json()
}

/// Writes the rows of one side's games as a shard; `None` where there are none.
fn write_shard<G: PipelineGame, S: Subject<G> + ?Sized>(
    subject: &S,
    twins: &[Twin<G>],
    played: &[[Side<G>; 2]],
    which: usize,
) -> Result<Option<Shard>, String> {
    let mut games: Vec<Game<'_, G>> = twins
        .iter()
        .zip(played)
        .filter(|(_, sides)| !sides[which].rows.is_empty())
        .map(|(twin, sides)| Game {
            rules: &twin.rules,
            truth: &sides[which].truth,
            secret: &sides[which].secret,
            rows: sides[which].rows.clone(),
        })
        .collect();
    let Some(rules) = games.first().map(|game| game.rules) else { return Ok(None) };
    subject.arrange(&mut games);
    let origin = subject.origin(&games, origin_of(rules));
    let key = subject.key(&games, &origin.shard);
    let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
    let closed = subject
        .write(rules, dir.path(), origin, &key, &games)
        .map_err(|error| error.to_string())?;
    let bytes = std::fs::read(Path::new(&closed.path)).map_err(|error| error.to_string())?;
    Ok(Some(Shard { bytes, manifest: closed.manifest }))
}

pub(super) fn origin_of<G: PipelineGame>(rules: &G) -> ShardOrigin {
    ShardOrigin {
        shard: "job0000001-attempt1-epoch1".to_owned(),
        run: "lab".to_owned(),
        job: "1".to_owned(),
        attempt: 1,
        epoch: 1,
        checkpoint: CHECKPOINT.to_owned(),
        fingerprint: rules.fingerprint(),
        numerics: "hash".to_owned(),
        build: "lab".to_owned(),
        created_ms: 1_700_000_000_000,
    }
}

/// One of a pair of games: its truth, the seat's program, what the decisions left.
struct Side<G: Hidden> {
    truth: Truth<G>,
    secret: DealSecret,
    rows: Vec<TrainingRow>,
}

/// The secret of one side's deals.
pub(super) fn secret_of(number: u64, which: usize) -> DealSecret {
    let mut stream = Stream::from_seed(number ^ (which as u64 + 1) << 60);
    let mut bytes = [0; 32];
    bytes.chunks_mut(8).for_each(|word| word.copy_from_slice(&stream.next_u64().to_le_bytes()));
    DealSecret(bytes)
}

struct Pairing<'a, G: PipelineGame, S: ?Sized> {
    subject: &'a S,
    fields: &'a Fields<G>,
    twin: &'a Twin<G>,
    log: &'a Log,
}

impl<G: PipelineGame, S: Subject<G> + ?Sized> Pairing<'_, G, S> {
    fn play(&self, comparison: &mut Comparison) -> [Side<G>; 2] {
        let Pairing { subject, twin, .. } = self;
        let rules = &twin.rules;
        let mut states = twin.starts.clone();
        let mut sides = [0, 1].map(|which| Side {
            truth: Truth::from_position(rules.clone(), states[which].clone())
                .expect("a second truth starts where the rules allow"),
            secret: secret_of(twin.number, which),
            rows: Vec::new(),
        });
        let mut players = [(); 2].map(|()| subject.player(rules));
        let mut traces = [Trace::default(), Trace::default()];
        for ply in 0..=twin.plies[0].len() {
            let is_decision = rules.turn(&states[0]) == Turn::Seat(twin.seat);
            let is_looked_at = states[0] != states[1] || ply.is_multiple_of(PAST_ONLY_ONE_IN);
            if ply >= twin.from && is_decision && is_looked_at && rules.legal(&states[0]).len() > 1
            {
                let n_before = comparison.findings;
                for which in [0, 1] {
                    let trace = &mut traces[which];
                    let mut decision = Decision { pairing: self, ply, trace, comparison };
                    decision.leave(&mut sides[which], players[which].as_mut(), &states[0]);
                }
                self.compare(ply, &states, &traces, comparison);
                comparison.differences += u64::from(comparison.findings > n_before);
            }
            if ply == twin.plies[0].len() {
                break;
            }
            for which in [0, 1] {
                let action = twin.plies[which][ply];
                rules.apply(&mut states[which], action);
                sides[which].truth.play(action).expect("a second truth replays");
            }
        }
        sides
    }

    fn compare(
        &self,
        ply: usize,
        states: &[G::State; 2],
        traces: &[Trace; 2],
        comparison: &mut Comparison,
    ) {
        let hider = self.twin.seat.other();
        comparison.coverage.count(self.fields, &states[0], &states[1], hider);
        for part in traces[0].differing(&traces[1]) {
            let detail = self.place(ply, &states[0]);
            comparison.add(Difference { test: part.test(), what: part.name(), detail });
        }
    }

    fn place(&self, ply: usize, state: &G::State) -> String {
        let Twin { seat, number, .. } = self.twin;
        format!("twin {number}, {seat:?}, ply {ply}, {}", (self.fields.kind)(state))
    }
}

/// One decision of one side.
struct Decision<'a, 'p, G: PipelineGame, S: ?Sized> {
    pairing: &'a Pairing<'p, G, S>,
    ply: usize,
    trace: &'a mut Trace,
    comparison: &'a mut Comparison,
}

impl<G: PipelineGame, S: Subject<G> + ?Sized> Decision<'_, '_, G, S> {
    /// Lets the subject decide and notes all that is left behind.
    fn leave(&mut self, side: &mut Side<G>, player: &mut dyn Player<G>, state: &G::State) {
        let Pairing { subject, twin, log, .. } = self.pairing;
        self.trace.clear();
        self.refuse(side);
        let Side { truth, secret, rows } = side;
        let scene = Scene {
            rules: &twin.rules,
            truth,
            seat: twin.seat,
            ply: self.ply as u32,
            game: secret_of(twin.number, 0).game_id(twin.number),
            run_seed: RunSeed(7),
            secret,
        };
        let seen = subject.observe(&scene);
        self.note_inputs(&scene, &seen);
        let mut live = seen.clone();
        let mut lines = Vec::new();
        let decided = log.capture(&mut lines, || {
            let inferred = player.infer(&scene, &seen)?;
            self.note_belief(&scene, &seen, player, &inferred.table);
            let decided = player.decide(&scene, &mut live)?;
            subject.log(&scene, &decided);
            Ok::<_, String>(decided)
        });
        self.comparison.logged += u64::from(!lines.is_empty());
        *self.trace.part_mut(Part::Log) = lines;
        if live != seen {
            self.fault(Test::SideEffects, "observation after the search", state, String::new());
        }
        let shown = subject.shown(&scene, &live);
        *self.trace.part_mut(Part::Shown) = shown.into_bytes();
        match decided {
            Ok(decided) => {
                self.note_decided(&scene, &decided);
                let row = subject.row(&scene, &live, &decided);
                self.note_row(row, rows);
            }
            Err(error) => self.fault(Test::Fault, "decision", state, error),
        }
    }

    fn fault(&mut self, test: Test, what: &'static str, state: &G::State, detail: String) {
        let detail = format!("{} {detail}", self.pairing.place(self.ply, state));
        self.comparison.add(Difference { test, what, detail });
    }

    /// An action that was possible a ply ago is refused now.
    fn refuse(&mut self, side: &mut Side<G>) {
        let twin = self.pairing.twin;
        let earlier = &twin.plies[0][..self.ply];
        let Some(&action) =
            earlier.iter().rev().find(|action| !side.truth.legal().contains(action))
        else {
            return;
        };
        let text = self.pairing.subject.refusal(&mut side.truth, action);
        *self.trace.part_mut(Part::ErrorText) = text.into_bytes();
    }

    fn note_inputs(&mut self, scene: &Scene<'_, G>, seen: &Observation<G>) {
        let (subject, rules) = (self.pairing.subject, scene.rules);
        *self.trace.part_mut(Part::Observation) = seen.bytes(rules);
        let setup = rules.now_setup(seen.now());
        let out = self.trace.part_mut(Part::Actions);
        for action in subject.actions(scene, seen) {
            let index = rules.action_index(&setup, scene.seat, action);
            out.extend_from_slice(&index.to_le_bytes());
            out.extend_from_slice(rules.action_text(action).as_bytes());
        }
        let mut features = vec![0.0f32; rules.feature_layout().row_len()];
        subject.features(scene, seen.now(), &mut features);
        let out = self.trace.part_mut(Part::Features);
        out.extend(features.iter().flat_map(|value| value.to_bits().to_le_bytes()));
    }

    fn note_belief(
        &mut self,
        scene: &Scene<'_, G>,
        seen: &Observation<G>,
        player: &mut dyn Player<G>,
        table: &[u8],
    ) {
        self.trace.part_mut(Part::Belief).extend_from_slice(table);
        for idx in 0..N_WORLDS {
            let seed = scene.game.0[0] as u64 ^ u64::from(scene.ply) << 8 ^ idx << 32;
            let world = player.world(scene, seen, seed);
            write_state(scene.rules, &world, self.trace.part_mut(Part::Worlds));
        }
    }

    fn note_decided(&mut self, scene: &Scene<'_, G>, decided: &Decided<G>) {
        let subject = self.pairing.subject;
        let out = self.trace.part_mut(Part::Visits);
        out.extend(decided.action_indices.iter().flat_map(|index| index.to_le_bytes()));
        out.extend(decided.visits.iter().flat_map(|n| n.to_le_bytes()));
        for world in &decided.worlds {
            out.extend_from_slice(&world.simulations.to_le_bytes());
            out.extend(world.n.iter().flat_map(|n| n.to_le_bytes()));
        }
        out.extend_from_slice(&decided.belief_seed.to_le_bytes());
        let out = self.trace.part_mut(Part::Value);
        out.extend_from_slice(&decided.root_value.to_bits().to_le_bytes());
        let q = decided.worlds.iter().flat_map(|world| &world.q);
        out.extend(q.flat_map(|q| q.to_bits().to_le_bytes()));
        let chosen = decided.actions[decided.chosen_idx];
        *self.trace.part_mut(Part::Chosen) = scene.rules.action_text(chosen).into_bytes();
        self.trace.part_mut(Part::Draws).extend_from_slice(&decided.words_drawn.to_le_bytes());
        let asked = &decided.asked;
        self.trace.part_mut(Part::Requests).extend_from_slice(&asked.digest.to_le_bytes());
        let sizes = [
            asked.requests,
            asked.batches,
            self.trace.part(Part::Shown).len() as u64,
            self.trace.part(Part::Log).len() as u64,
        ];
        let out = self.trace.part_mut(Part::Sizes);
        out.extend(sizes.iter().flat_map(|size| size.to_le_bytes()));
        let resigns = subject.resigns(scene, decided);
        self.trace.part_mut(Part::Resignation).push(u8::from(resigns));
        let verdict = subject.verdict(scene, decided);
        *self.trace.part_mut(Part::Verdict) = verdict.into_bytes();
    }

    fn note_row(&mut self, row: Option<TrainingRow>, rows: &mut Vec<TrainingRow>) {
        let Some(row) = row else { return };
        self.comparison.rows += 1;
        let entries = row.visits.iter().flat_map(|it| [it.action, it.visits]);
        self.trace.part_mut(Part::PolicyTarget).extend(entries.flat_map(u16::to_le_bytes));
        let out = self.trace.part_mut(Part::Row);
        out.extend_from_slice(&row.game.0);
        out.extend_from_slice(&row.ply.to_le_bytes());
        out.push(row.seat);
        out.extend_from_slice(row.checkpoint.as_bytes());
        out.extend_from_slice(&row.now);
        out.extend_from_slice(&row.n_legal.to_le_bytes());
        for value in [row.root_value, row.policy_weight, row.value_weight] {
            out.extend_from_slice(&value.to_bits().to_le_bytes());
        }
        rows.push(row);
    }
}

/// A complete state as bytes: what either seat knows of it.
pub(super) fn write_state<G: PipelineGame>(rules: &G, state: &G::State, out: &mut Vec<u8>) {
    for seat in 0..rules.n_seats() {
        rules.write_now(&rules.now(state, Seat::new(seat as u8)), out);
    }
}
