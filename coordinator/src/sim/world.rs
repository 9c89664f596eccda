//! One simulated run, from its first checkpoint to the end of its last job.

use super::client::{Character, Client, Move, Note, is_leaky};
use super::dice::Dice;
use super::host::{Death, Host};
use super::network::{ClientId, Event, Faults, HEALED, Network};
use crate::core::{
    Admission, Answer, Change, Commit, Config, Input, JobState, LeaseKey, Manifest, VerdictReport,
    invariant,
};
use crate::fixture;
use proto::WireError;
use std::collections::BTreeMap;

/// Faults last this long, then everything is healed.
const FAULTS_MS: u64 = 600_000;
/// By then everything has to be over: a wedge is a failure, not a hang.
const END_MS: u64 = FAULTS_MS + 7_200_000;
const TICK_MS: u64 = 5_000;
const CALL_TIMEOUT_MS: u64 = 4_000;
const GENERATIONS: u32 = 4;

/// What happened, for the test that something did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Outcome {
    /// A digest of every event in order.
    pub trace: u64,
    pub accepted: u64,
    pub repeated_commits: u64,
    pub refused_commits: u64,
    pub partial_commits: u64,
    pub verdicts: u64,
    pub repeated_verdicts: u64,
    pub refused_verdicts: u64,
    pub stopped: u64,
    /// Accepted shards that never entered the window.
    pub kept_out: u64,
    pub lost_leases: u64,
    pub expired: u64,
    pub parked: u64,
    pub cancelled: u64,
    pub checkpoints: u64,
    pub crashes_before_store: u64,
    pub crashes_after_store: u64,
    pub dropped: u64,
    pub doubled: u64,
}

impl Outcome {
    pub fn add(&mut self, other: &Outcome) {
        self.trace ^= other.trace;
        self.accepted += other.accepted;
        self.repeated_commits += other.repeated_commits;
        self.refused_commits += other.refused_commits;
        self.partial_commits += other.partial_commits;
        self.verdicts += other.verdicts;
        self.repeated_verdicts += other.repeated_verdicts;
        self.refused_verdicts += other.refused_verdicts;
        self.stopped += other.stopped;
        self.kept_out += other.kept_out;
        self.lost_leases += other.lost_leases;
        self.expired += other.expired;
        self.parked += other.parked;
        self.cancelled += other.cancelled;
        self.checkpoints += other.checkpoints;
        self.crashes_before_store += other.crashes_before_store;
        self.crashes_after_store += other.crashes_after_store;
        self.dropped += other.dropped;
        self.doubled += other.doubled;
    }
}

pub struct World {
    now_ms: u64,
    dice: Dice,
    faults: Faults,
    is_healed: bool,
    network: Network,
    host: Host,
    clients: Vec<Client>,
    /// Promises: what each client was told is accepted, by sequence number.
    promised: BTreeMap<u64, Commit>,
    /// The same for verdicts, by number.
    judged: BTreeMap<u64, VerdictReport>,
    admission: Admission,
    /// Epochs in the order in which they were granted, as the world saw them stored.
    epochs: BTreeMap<u64, LeaseKey>,
    outcome: Outcome,
}

impl World {
    pub fn new(seed: u64) -> World {
        let mut dice = Dice::new(seed);
        let faults = Faults {
            drop: dice.below(150),
            double: dice.below(100),
            delay_ms: 50 + dice.below(3_000),
        };
        let config = Config {
            generations: if dice.chance(800) { GENERATIONS } else { GENERATIONS - 1 },
            attempts_max: 2 + dice.below(3) as u32,
            admission: if dice.chance(700) { Admission::Required } else { Admission::None },
            ..fixture::config()
        };
        let mut clients =
            vec![Client::new(Character::Trainer, "trainer".into(), 0, config.generations)];
        for number in 0..2 + dice.below(4) {
            let character = match dice.below(10) {
                0 | 1 => Character::Liar,
                2 | 3 => Character::Stuck,
                _ => Character::Honest,
            };
            clients.push(Client::new(character, format!("w{number}"), 0, 0));
        }
        if config.admission == Admission::Required {
            for number in 0..1 + dice.below(3) {
                let character = match dice.below(10) {
                    0 | 1 => Character::LyingAuditor,
                    2 | 3 => Character::StuckAuditor,
                    _ => Character::Auditor,
                };
                clients.push(Client::new(character, format!("a{number}"), 0, 0));
            }
        }
        let admission = config.admission;
        World {
            now_ms: 0,
            dice,
            faults,
            is_healed: false,
            network: Network::default(),
            host: Host::start(config),
            clients,
            promised: BTreeMap::new(),
            judged: BTreeMap::new(),
            admission,
            epochs: BTreeMap::new(),
            outcome: Outcome::default(),
        }
    }

    pub fn play(mut self) -> Outcome {
        for client in 0..self.clients.len() {
            self.alarm(client, 0);
        }
        self.network.at(TICK_MS, Event::Tick);
        self.network.at(1_000, Event::Mishap);
        while !self.is_over() {
            let (time_ms, event) = self.network.next().expect("ticks never end");
            self.now_ms = time_ms;
            assert!(time_ms < END_MS, "LS4: still at work: {:?}", self.unfinished());
            if time_ms >= FAULTS_MS && !self.is_healed {
                self.heal();
            }
            self.trace(&event);
            self.handle(event);
        }
        self.close_books()
    }

    fn is_over(&self) -> bool {
        let is_ended = self.host.stored().checkpoints.len() as u32 > 0
            && self.is_healed
            && self.host.is_up()
            && self.host.stored().jobs.values().all(|job| job.state.is_final());
        let newest = self.host.stored().promoted().map_or(0, |it| it.generation);
        is_ended
            && newest >= GENERATIONS - 1
            && self.host.stored().leases.is_empty()
            && !self.host.is_verifying()
    }

    fn unfinished(&self) -> Vec<(u64, JobState)> {
        let jobs = self.host.stored().jobs.values();
        jobs.filter(|job| !job.state.is_final()).map(|job| (job.id.0, job.state)).collect()
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Alarm { client, life, wake } => {
                if (self.clients[client].life, self.clients[client].wake) == (life, wake) {
                    self.let_act(client);
                }
            }
            Event::Request { client, life, call, input } => self.serve(client, life, call, *input),
            Event::Reply { client, life, call, answer } => {
                if self.clients[client].is_waiting_for(life, call) {
                    self.let_hear(client, *answer);
                }
            }
            Event::Restart => {
                if !self.host.is_up() {
                    self.host.restart(self.now_ms, &mut self.dice);
                }
            }
            Event::Tick => {
                self.step(Input::Tick);
                self.network.at(self.now_ms + TICK_MS, Event::Tick);
            }
            Event::Mishap => self.mishap(),
        }
    }

    fn let_act(&mut self, number: ClientId) {
        let client = &mut self.clients[number];
        match client.act(&mut self.dice) {
            Move::Call(input) => {
                client.call += 1;
                let (life, call) = (client.life, client.call);
                let request = Event::Request { client: number, life, call, input };
                self.network.send(self.now_ms, &mut self.dice, self.faults, request);
                // If nothing comes back it says the same again.
                self.alarm(number, CALL_TIMEOUT_MS);
            }
            Move::Sleep(ms) => self.alarm(number, ms),
            Move::Rest => {}
        }
    }

    fn let_hear(&mut self, number: ClientId, answer: Result<Answer, WireError>) {
        let client = &mut self.clients[number];
        // Answered: the alarm for saying it again, and answers to repeats of it, are void.
        client.call += 1;
        let (wait_ms, note) = client.hear(answer, &mut self.dice);
        match note {
            Note::None => {}
            Note::Refused => {
                // A commit under a lease that is over is answered "lost"; it must not end its successor's lease.
                let character = self.clients[number].character;
                match character {
                    Character::Liar => self.outcome.refused_commits += 1,
                    Character::LyingAuditor => self.outcome.refused_verdicts += 1,
                    honest => panic!("LS2: an honest commit or verdict was refused: {honest:?}"),
                }
            }
            Note::LeaseLost => self.outcome.lost_leases += 1,
            Note::Recorded { number, verdict, repeated } => {
                self.outcome.repeated_verdicts += u64::from(repeated);
                if let Some(earlier) = self.judged.insert(number, (*verdict).clone()) {
                    assert_eq!(earlier, *verdict, "LS3: verdict {number} was promised twice");
                }
            }
            Note::Accepted { sequence, commit, repeated } => {
                self.outcome.repeated_commits += u64::from(repeated);
                self.promise(sequence, *commit);
            }
        }
        self.alarm(number, wait_ms);
    }

    /// An answer "accepted" is for ever: the same number, the same commit, the same lease.
    fn promise(&mut self, sequence: u64, commit: Commit) {
        let shard = &self.host.stored().shards[&sequence];
        assert_eq!(shard.commit_digest, commit.digest, "LS2: sequence {sequence}");
        assert_eq!(shard.lease, commit.lease, "LS2: sequence {sequence}");
        if let Some(earlier) = self.promised.insert(sequence, commit.clone()) {
            assert_eq!(earlier, commit, "LS3: sequence {sequence} was promised twice");
        }
    }

    fn serve(&mut self, client: ClientId, life: u64, call: u64, input: Input) {
        if let Some(answer) = self.step(input) {
            let answer = Box::new(answer);
            let reply = Event::Reply { client, life, call, answer };
            self.network.send(self.now_ms, &mut self.dice, self.faults, reply);
        }
    }

    fn step(&mut self, input: Input) -> Option<Result<Answer, WireError>> {
        if !self.host.is_up() {
            return None;
        }
        let death = match self.dice.below(1_000) {
            _ if self.is_healed => None,
            0 | 1 => Some(Death::BeforeStore),
            2 | 3 => Some(Death::AfterStore),
            _ => None,
        };
        let before = self.host.stored().last_epoch;
        let effects = self.host.step(self.now_ms, input, death);
        match death {
            Some(Death::BeforeStore) => self.outcome.crashes_before_store += 1,
            Some(Death::AfterStore) => self.outcome.crashes_after_store += 1,
            None => {}
        }
        if death.is_some() {
            self.restart_soon();
        }
        let effects = effects?;
        for change in &effects.changes {
            match change {
                Change::OpenLease(lease) => {
                    assert!(lease.key.epoch > before, "LS1: epoch {}", lease.key.epoch);
                    let earlier = self.epochs.insert(lease.key.epoch, lease.key);
                    assert_eq!(earlier, None, "LS1: epoch {} granted twice", lease.key.epoch);
                }
                Change::PutShard(shard) => {
                    let newest = self.epochs.values().rev().find(|it| it.job == shard.lease.job);
                    // A grant whose process died before it told anybody is not among the epochs seen here.
                    assert!(newest.is_none_or(|it| *it <= shard.lease), "LS2: {}", shard.lease);
                }
                _ => {}
            }
        }
        Some(effects.answer)
    }

    fn mishap(&mut self) {
        if self.is_healed {
            return;
        }
        match self.dice.below(10) {
            0 => {
                self.host.kill();
                self.restart_soon();
            }
            1..=5 => self.kill_client(),
            _ => {}
        }
        let pause = 10_000 + self.dice.below(90_000);
        self.network.at(self.now_ms + pause, Event::Mishap);
    }

    fn kill_client(&mut self) {
        let number = self.dice.below(self.clients.len() as u64) as usize;
        self.start_anew(number);
    }

    fn start_anew(&mut self, number: ClientId) {
        let (character, life) = (self.clients[number].character, self.clients[number].life);
        let name = match character {
            Character::Trainer => "trainer".to_owned(),
            it if it.is_auditor() => format!("a{number}"),
            _ => format!("w{number}"),
        };
        let generations = self.clients[number].generations();
        self.clients[number] = Client::new(character, name, life + 1, generations);
        self.clients[number].is_healed = self.is_healed;
        let pause = self.dice.below(120_000);
        self.alarm(number, pause);
    }

    fn restart_soon(&mut self) {
        let pause = if self.dice.chance(100) { 600_000 } else { 200 + self.dice.below(20_000) };
        self.network.at(self.now_ms + pause, Event::Restart);
    }

    /// From now on nothing breaks, and everybody does what they should.
    fn heal(&mut self) {
        self.is_healed = true;
        self.faults = HEALED;
        self.clients.iter_mut().for_each(|client| client.is_healed = true);
        if !self.host.is_up() {
            self.host.restart(self.now_ms, &mut self.dice);
        }
        // A restart tries parked verifications again, so auditors that were done have work again.
        for number in 0..self.clients.len() {
            if self.clients[number].is_resting_auditor() {
                self.start_anew(number);
            }
        }
    }

    /// Sets a client's one alarm; an earlier one that has not rung is void.
    fn alarm(&mut self, client: ClientId, wait_ms: u64) {
        self.clients[client].wake += 1;
        let (life, wake) = (self.clients[client].life, self.clients[client].wake);
        self.network.at(self.now_ms + wait_ms, Event::Alarm { client, life, wake });
    }

    fn trace(&mut self, event: &Event) {
        self.mix(self.now_ms);
        let (kind, client, life, call) = event.summary();
        [kind, client as u64, life, call].into_iter().for_each(|part| self.mix(part));
        let dice = self.dice.clone().roll();
        self.mix(dice);
    }

    fn mix(&mut self, part: u64) {
        self.outcome.trace = (self.outcome.trace ^ part).wrapping_mul(0x0000_0100_0000_01b3);
    }

    fn close_books(mut self) -> Outcome {
        let last = blake3::hash(format!("{:?}", self.host.stored()).as_bytes());
        last.as_bytes().iter().for_each(|byte| self.mix(u64::from(*byte)));
        let state = self.host.stored();
        invariant::check_quiescent(state).unwrap();
        invariant::check(state).unwrap();
        for (sequence, commit) in &self.promised {
            assert_eq!(state.shards[sequence].commit_digest, commit.digest, "a shard was lost");
        }
        for (number, verdict) in &self.judged {
            let kept = state.verdicts.values().find(|it| it.number == *number);
            assert_eq!(kept.map(|it| &it.report), Some(verdict), "a verdict was lost");
        }
        for verdict in state.verdicts.values() {
            let shard = &state.shards[&verdict.sequence];
            assert_eq!(verdict.is_good(), !is_leaky(shard), "shard {}", verdict.sequence);
        }
        let count =
            |wanted: JobState| state.jobs.values().filter(|job| job.state == wanted).count() as u64;
        self.outcome.accepted = state.totals.shards;
        self.outcome.verdicts = state.verdicts.len() as u64;
        self.outcome.stopped = u64::from(state.first_failure.is_some());
        self.outcome.expired = state.lease_ledger.expired;
        self.outcome.parked = count(JobState::Parked);
        self.outcome.cancelled = count(JobState::Cancelled);
        self.outcome.checkpoints = state.checkpoints.len() as u64;
        let leased_games = |lease: LeaseKey| state.jobs[&lease.job].games.len() as u64;
        let partial = state.shards.values().filter(|it| it.n_games < leased_games(it.lease));
        self.outcome.partial_commits = partial.count() as u64;
        self.outcome.dropped = self.network.dropped;
        self.outcome.doubled = self.network.doubled;
        self.check_window();
        self.outcome
    }

    /// IB5, on what training would really read: training manifests only, gapless, and each verified where it must be.
    fn check_window(&mut self) {
        let listed = self.host.window();
        let state = self.host.stored();
        for (place, (sequence, text)) in listed.iter().enumerate() {
            assert_eq!(*sequence, place as u64 + 1, "IB5: a gap in the window");
            let manifest = Manifest::read("training", text).expect("IB5: a training manifest");
            assert_eq!(manifest.digest, state.shards[sequence].training.digest);
            let is_good = state.verdicts.get(sequence).is_some_and(|it| it.is_good());
            assert!(is_good || self.admission == Admission::None, "IB5: shard {sequence}");
        }
        let n_out = state.shards.len() - listed.len();
        let is_blocked = state.first_failure.is_some() || !state.unverified.is_empty();
        assert!(n_out == 0 || is_blocked, "{n_out} verified shards were kept out");
        self.outcome.kept_out = n_out as u64;
    }
}
