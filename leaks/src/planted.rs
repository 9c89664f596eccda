//! One planted leak: the real program with one part replaced.

use crate::clean::{self, Clean, Program};
use audit::lab::{Channel, Decided, Game, Inferred, Player, Scene, Subject, Test};
use game::{
    Belief, Contradiction, DealSecret, EvalRequest, Evaluation, Evaluator, GameId, Observation,
    Seat, World,
};
use record::{ClosedShard, ShardOrigin, TrainingRow, WriteError};
use referee::Truth;
use search::{SearchParams, SearchStreams};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use warchest::{Action, ExactUniform, Now, State, WarChest, Zones};

/// A decision of War Chest as its host sees it.
pub type Sight<'a> = Scene<'a, WarChest>;
/// What one seat has seen.
pub type Seen = Observation<WarChest>;
/// The posterior of the real belief.
pub type Posterior = <ExactUniform as Belief<WarChest>>::Posterior;

/// What a leak is, and what must catch it.
pub struct Leak {
    pub name: &'static str,
    /// Number of the channel, from 1.
    pub channel: u8,
    /// The test that is meant for it.
    pub test: Test,
    pub about: &'static str,
    pub body: Body,
}

/// What is replaced.
pub enum Body {
    /// A part of the program.
    Program(Box<Planted>),
    /// A text of the repository: gives what the structure checks find in the changed one.
    Text(fn() -> Vec<String>),
}

impl Leak {
    pub fn channel(&self) -> Channel {
        Channel::new(self.channel)
    }
}

/// A leak in the program, caught by comparing two worlds.
pub fn leak(channel: u8, name: &'static str, about: &'static str, planted: Planted) -> Leak {
    Leak { name, channel, test: Test::TwoWorlds, about, body: Body::Program(Box::new(planted)) }
}

impl Leak {
    /// The same, caught by another test.
    pub fn caught_by(self, test: Test) -> Leak {
        Leak { test, ..self }
    }
}

/// What the opponent of the deciding seat hides in the real game.
pub fn hidden<'a>(scene: &Sight<'a>) -> &'a Zones {
    scene.truth.planted_state().zones(scene.seat.other())
}

/// A number in which the real hand, bag and face-down coins show.
pub fn tell(scene: &Sight<'_>) -> u32 {
    let zones = hidden(scene);
    zones.hand.bits() ^ zones.bag.bits().rotate_left(5) ^ zones.discard_down.bits().rotate_left(11)
}

/// Whether the opponent's royal coin lies in its hand: one bit.
pub fn has_royal(scene: &Sight<'_>) -> bool {
    hidden(scene).hand.has(warchest::ROYAL_SLOT)
}

/// A world about to be sampled, by one who knows the real one.
pub struct Sampling<'a> {
    pub rules: &'a WarChest,
    pub posterior: &'a Posterior,
    pub seen: &'a Seen,
    pub seed: u64,
    pub truth: &'a State,
}

impl Sampling<'_> {
    /// What the real sampler gives for `seed`.
    pub fn honest(&self, seed: u64) -> State {
        ExactUniform.world(self.rules, self.posterior, self.seen, seed).into_state()
    }

    pub fn viewer(&self) -> Seat {
        self.seen.seat()
    }
}

type Write = fn(
    &WarChest,
    &Path,
    ShardOrigin,
    &str,
    &[Game<'_, WarChest>],
) -> Result<ClosedShard, WriteError>;

/// The real program where a field is as in [`Planted::CLEAN`], a leak where it is not.
#[derive(Clone, Copy)]
pub struct Planted {
    pub world: fn(&Sampling<'_>) -> State,
    pub table: fn(&Sight<'_>, &mut Vec<u8>),
    pub streams: fn(&Sight<'_>, SearchStreams) -> SearchStreams,
    pub evaluation: fn(&State, &EvalRequest<WarChest>, Evaluation) -> Evaluation,
    pub decided: fn(&Sight<'_>, &mut Decided<WarChest>),
    pub live: fn(&Sight<'_>, &mut Seen),
    pub observe: fn(&Sight<'_>, Seen) -> Seen,
    pub actions: fn(&Sight<'_>, &mut Vec<Action>),
    pub features: fn(&Sight<'_>, &Now, &mut [f32]),
    pub resigns: fn(&Sight<'_>) -> bool,
    pub row: fn(&Sight<'_>, &mut TrainingRow),
    pub shown: fn(&Sight<'_>, &mut String),
    pub refusal: fn(&Truth<WarChest>, &mut String),
    pub log: fn(&Sight<'_>),
    pub verdict: fn(&Sight<'_>, &mut String),
    pub game_id: fn(&DealSecret, u64) -> GameId,
    pub origin: fn(&[Game<'_, WarChest>], &mut ShardOrigin),
    pub key: fn(&[Game<'_, WarChest>], &mut String),
    pub arrange: fn(&mut Vec<Game<'_, WarChest>>),
    pub write: Write,
    pub takes: fn(&WarChest, &str, Vec<u8>) -> bool,
    pub held_out: fn(&[TrainingRow]) -> Vec<bool>,
    pub evaluator: fn(&WarChest) -> Box<dyn Evaluator<WarChest>>,
}

impl Planted {
    /// Nothing replaced.
    pub const CLEAN: Planted = Planted {
        world: |sampling| sampling.honest(sampling.seed),
        table: |_, _| {},
        streams: |_, streams| streams,
        evaluation: |_, _, evaluation| evaluation,
        decided: |_, _| {},
        live: |_, _| {},
        observe: |_, seen| seen,
        actions: |_, _| {},
        features: |_, _, _| {},
        resigns: |_| false,
        row: |_, _| {},
        shown: |_, _| {},
        refusal: |_, _| {},
        log: |_| {},
        verdict: |_, _| {},
        game_id: |secret, number| Clean.game_id(secret, number),
        origin: |_, _| {},
        key: |_, _| {},
        arrange: |_| {},
        write: |rules, dir, origin, key, games| Clean.write(rules, dir, origin, key, games),
        takes: |rules, shard, bytes| Clean.takes(rules, shard, bytes),
        held_out: |rows| Clean.held_out(rows),
        evaluator: |rules| Clean.evaluator(rules),
    };
}

impl Planted {
    /// The player with other constants of the search.
    pub fn player_with(&self, rules: &WarChest, params: SearchParams) -> Box<dyn Player<WarChest>> {
        let truth: Tap = Tap::default();
        let belief = Tapped { truth: truth.clone(), world: self.world };
        let inner = (self.evaluator)(rules);
        let evaluator = Box::new(TappedEvaluator { truth: truth.clone(), planted: *self, inner });
        let program = Program::new(rules, belief, params, evaluator);
        Box::new(PlantedPlayer { planted: *self, truth, program })
    }
}

impl Subject<WarChest> for Planted {
    fn player(&self, rules: &WarChest) -> Box<dyn Player<WarChest>> {
        self.player_with(rules, clean::params())
    }

    fn evaluator(&self, rules: &WarChest) -> Box<dyn Evaluator<WarChest>> {
        (self.evaluator)(rules)
    }

    fn observe(&self, scene: &Sight<'_>) -> Seen {
        (self.observe)(scene, Clean.observe(scene))
    }

    fn actions(&self, scene: &Sight<'_>, seen: &Seen) -> Vec<Action> {
        let mut actions = Clean.actions(scene, seen);
        (self.actions)(scene, &mut actions);
        actions
    }

    fn features(&self, scene: &Sight<'_>, now: &Now, out: &mut [f32]) {
        Clean.features(scene, now, out);
        (self.features)(scene, now, out);
    }

    fn resigns(&self, scene: &Sight<'_>, _: &Decided<WarChest>) -> bool {
        (self.resigns)(scene)
    }

    fn row(
        &self,
        scene: &Sight<'_>,
        seen: &Seen,
        decided: &Decided<WarChest>,
    ) -> Option<TrainingRow> {
        let mut row = Clean.row(scene, seen, decided)?;
        (self.row)(scene, &mut row);
        Some(row)
    }

    fn shown(&self, scene: &Sight<'_>, seen: &Seen) -> String {
        let mut shown = Clean.shown(scene, seen);
        (self.shown)(scene, &mut shown);
        shown
    }

    fn refusal(&self, truth: &mut Truth<WarChest>, action: Action) -> String {
        let mut text = Clean.refusal(truth, action);
        (self.refusal)(truth, &mut text);
        text
    }

    fn log(&self, scene: &Sight<'_>, decided: &Decided<WarChest>) {
        Clean.log(scene, decided);
        (self.log)(scene);
    }

    fn verdict(&self, scene: &Sight<'_>, decided: &Decided<WarChest>) -> String {
        let mut verdict = Clean.verdict(scene, decided);
        (self.verdict)(scene, &mut verdict);
        verdict
    }

    fn game_id(&self, secret: &DealSecret, number: u64) -> GameId {
        (self.game_id)(secret, number)
    }

    fn origin(&self, games: &[Game<'_, WarChest>], origin: ShardOrigin) -> ShardOrigin {
        let mut origin = origin;
        (self.origin)(games, &mut origin);
        origin
    }

    fn key(&self, games: &[Game<'_, WarChest>], shard: &str) -> String {
        let mut key = Clean.key(games, shard);
        (self.key)(games, &mut key);
        key
    }

    fn arrange(&self, games: &mut Vec<Game<'_, WarChest>>) {
        (self.arrange)(games);
    }

    fn write(
        &self,
        rules: &WarChest,
        dir: &Path,
        origin: ShardOrigin,
        key: &str,
        games: &[Game<'_, WarChest>],
    ) -> Result<ClosedShard, WriteError> {
        (self.write)(rules, dir, origin, key, games)
    }

    fn takes(&self, rules: &WarChest, shard: &str, bytes: Vec<u8>) -> bool {
        (self.takes)(rules, shard, bytes)
    }

    fn held_out(&self, rows: &[TrainingRow]) -> Vec<bool> {
        (self.held_out)(rows)
    }
}

/// Where a program's parts look up the state of the real game.
type Tap = Arc<Mutex<Option<State>>>;

fn look(tap: &Tap) -> State {
    let state = *tap.lock().unwrap_or_else(PoisonError::into_inner);
    state.expect("a decision has begun")
}

struct PlantedPlayer {
    planted: Planted,
    truth: Tap,
    program: Program<Tapped>,
}

impl PlantedPlayer {
    fn look_at(&self, scene: &Sight<'_>) {
        let state = *scene.truth.planted_state();
        *self.truth.lock().unwrap_or_else(PoisonError::into_inner) = Some(state);
    }
}

impl Player<WarChest> for PlantedPlayer {
    fn infer(&mut self, scene: &Sight<'_>, seen: &Seen) -> Result<Inferred, String> {
        self.look_at(scene);
        let mut inferred = self.program.infer(scene, seen)?;
        (self.planted.table)(scene, &mut inferred.table);
        Ok(inferred)
    }

    fn world(&mut self, scene: &Sight<'_>, seen: &Seen, seed: u64) -> State {
        self.look_at(scene);
        self.program.world(scene, seen, seed)
    }

    fn decide(&mut self, scene: &Sight<'_>, live: &mut Seen) -> Result<Decided<WarChest>, String> {
        self.look_at(scene);
        let streams = (self.planted.streams)(scene, clean::streams(scene));
        let mut decided = self.program.decide_with(scene.rules, live, streams)?;
        (self.planted.decided)(scene, &mut decided);
        (self.planted.live)(scene, live);
        Ok(decided)
    }
}

/// The real belief with a sampler that can see the truth.
#[derive(Clone)]
struct Tapped {
    truth: Tap,
    world: fn(&Sampling<'_>) -> State,
}

impl Belief<WarChest> for Tapped {
    type Posterior = Posterior;

    fn name(&self) -> String {
        ExactUniform.name()
    }

    fn prior(&self, rules: &WarChest, seen: &Seen) -> Posterior {
        ExactUniform.prior(rules, seen)
    }

    fn catch_up(
        &self,
        rules: &WarChest,
        posterior: &mut Posterior,
        seen: &Seen,
    ) -> Result<(), Contradiction> {
        ExactUniform.catch_up(rules, posterior, seen)
    }

    fn support_len(&self, posterior: &Posterior) -> usize {
        ExactUniform.support_len(posterior)
    }

    fn posterior_bytes(&self, rules: &WarChest, posterior: &Posterior) -> Vec<u8> {
        ExactUniform.posterior_bytes(rules, posterior)
    }

    fn all_worlds(
        &self,
        rules: &WarChest,
        posterior: &Posterior,
        seen: &Seen,
    ) -> Vec<(World<WarChest>, f64)> {
        ExactUniform.all_worlds(rules, posterior, seen)
    }

    fn log_weight(
        &self,
        rules: &WarChest,
        posterior: &Posterior,
        seat: Seat,
        state: &State,
    ) -> f64 {
        ExactUniform.log_weight(rules, posterior, seat, state)
    }

    fn world(
        &self,
        rules: &WarChest,
        posterior: &Posterior,
        seen: &Seen,
        seed: u64,
    ) -> World<WarChest> {
        let truth = look(&self.truth);
        World::sampled((self.world)(&Sampling { rules, posterior, seen, seed, truth: &truth }))
    }
}

/// The subject's evaluator, with answers that can see the truth.
struct TappedEvaluator {
    truth: Tap,
    planted: Planted,
    inner: Box<dyn Evaluator<WarChest>>,
}

impl Evaluator<WarChest> for TappedEvaluator {
    fn evaluate(&mut self, requests: &[EvalRequest<WarChest>]) -> Vec<Evaluation> {
        let truth = look(&self.truth);
        let answers = self.inner.evaluate(requests);
        let seen = requests.iter().zip(answers);
        seen.map(|(request, answer)| (self.planted.evaluation)(&truth, request, answer)).collect()
    }
}
