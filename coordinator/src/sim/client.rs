//! Model clients: workers that lease, play, renew, commit and sometimes lie, stall or die, auditors that verify and do the
//! same, and a trainer that publishes.
//! Each does one thing at a time and repeats a call until it is answered, as the real ones do.

use super::dice::Dice;
use crate::core::{Answer, Commit, Granted, Input, JobKind, Shard, VerdictReport, WorkerId};
use crate::fixture;
use proto::{Code, WireError};

/// What a client does next.
pub enum Move {
    /// Sends this, and expects an answer to it.
    Call(Box<Input>),
    /// Waits for its alarm.
    Sleep(u64),
    /// It is done for good.
    Rest,
}

/// What became of a call, for the world's books.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Note {
    None,
    Accepted { sequence: u64, commit: Box<Commit>, repeated: bool },
    Recorded { number: u64, verdict: Box<VerdictReport>, repeated: bool },
    Refused,
    LeaseLost,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Character {
    Honest,
    /// Its commits are nonsense.
    Liar,
    /// It takes leases and never gets on with them, though it renews them.
    Stuck,
    Trainer,
    Auditor,
    /// Its verdicts are nonsense.
    LyingAuditor,
    /// It takes verifications and never gets on with them.
    StuckAuditor,
}

impl Character {
    pub fn is_auditor(self) -> bool {
        matches!(self, Character::Auditor | Character::LyingAuditor | Character::StuckAuditor)
    }

    fn is_liar(self) -> bool {
        matches!(self, Character::Liar | Character::LyingAuditor)
    }

    fn is_stuck(self) -> bool {
        matches!(self, Character::Stuck | Character::StuckAuditor)
    }
}

/// Whether a shard's rows are not what its games give: a fact about the shard, whoever looks.
pub fn is_leaky(shard: &Shard) -> bool {
    let sum: u64 = shard.commit_digest.bytes().map(u64::from).sum();
    sum.is_multiple_of(97)
}

#[derive(Debug)]
enum Doing {
    /// About to ask for a job, or to ask again.
    Wanting {
        request: u64,
    },
    Playing {
        granted: Box<Granted>,
        plies: u64,
        renewing: bool,
    },
    Committing {
        commit: Box<Commit>,
    },
    Judging {
        verdict: Box<VerdictReport>,
    },
    Releasing {
        granted: Box<Granted>,
    },
    /// The trainer's whole life.
    Publishing {
        generation: u32,
    },
    Resting,
}

#[derive(Debug)]
pub struct Client {
    pub character: Character,
    /// Grows with every start of the process.
    pub life: u64,
    /// The call that an answer is awaited for.
    pub call: u64,
    /// The alarm that is set.
    pub wake: u64,
    pub is_healed: bool,
    name: String,
    doing: Doing,
    /// The last generation that the trainer publishes.
    generations: u32,
}

const PLIES: u64 = 60;

impl Client {
    pub fn new(character: Character, name: String, life: u64, generations: u32) -> Client {
        let doing = match character {
            Character::Trainer => Doing::Publishing { generation: 0 },
            _ => Doing::Wanting { request: 1 },
        };
        Client { character, life, call: 0, wake: 0, is_healed: false, name, doing, generations }
    }

    pub fn generations(&self) -> u32 {
        self.generations
    }

    fn id(&self) -> WorkerId {
        WorkerId(format!("{}-{}", self.name, self.life))
    }

    /// Its alarm rang: time to do something, or to say again what was not answered.
    pub fn act(&mut self, dice: &mut Dice) -> Move {
        let id = self.id();
        match &mut self.doing {
            Doing::Wanting { request } => {
                let kind = match self.character.is_auditor() {
                    true => JobKind::Verify,
                    false => JobKind::SelfPlay,
                };
                Move::Call(Box::new(Input::Lease { worker: id, request: *request, kind }))
            }
            Doing::Playing { granted, plies, renewing } => {
                if !self.character.is_stuck() || self.is_healed {
                    *plies += dice.below(20);
                }
                if !*renewing && *plies < PLIES {
                    *renewing = true;
                    return Move::Call(Box::new(Input::Renew {
                        worker: id,
                        lease: granted.lease.key,
                        progress: *plies,
                        games_done: 0,
                    }));
                }
                *renewing = false;
                if *plies >= PLIES {
                    let granted = granted.clone();
                    self.hand_in(*granted, dice);
                    return self.act(dice);
                }
                Move::Sleep(2_000 + dice.below(8_000))
            }
            Doing::Committing { commit } => Move::Call(Box::new(Input::Commit((**commit).clone()))),
            Doing::Judging { verdict } => Move::Call(Box::new(Input::Verdict((**verdict).clone()))),
            Doing::Releasing { granted } => Move::Call(Box::new(Input::Release {
                worker: id,
                lease: granted.lease.key,
                failed: self.character.is_liar(),
            })),
            Doing::Publishing { generation } => {
                Move::Call(Box::new(Input::Register(fixture::checkpoint(*generation))))
            }
            Doing::Resting => Move::Rest,
        }
    }

    fn hand_in(&mut self, granted: Granted, dice: &mut Dice) {
        if dice.chance(60) {
            self.doing = Doing::Releasing { granted: Box::new(granted) };
            return;
        }
        if let Some(shard) = &granted.verifies {
            let differences = if is_leaky(shard) { 1 + shard.sequence % 3 } else { 0 };
            let mut verdict = fixture::verdict(&granted, differences);
            if self.character.is_liar() && !self.is_healed {
                lie_about(&mut verdict, dice);
            }
            self.doing = Doing::Judging { verdict: Box::new(verdict) };
            return;
        }
        let all = granted.games.len();
        let n_games = if dice.chance(150) { 1 + dice.below(all as u64) as usize } else { all };
        let mut commit = fixture::commit(&granted, n_games);
        if self.character.is_liar() && !self.is_healed {
            lie(&mut commit, dice);
        }
        self.doing = Doing::Committing { commit: Box::new(commit) };
    }

    /// An answer arrived. Gives how long to wait before acting again.
    pub fn hear(&mut self, answer: Result<Answer, WireError>, dice: &mut Dice) -> (u64, Note) {
        match (&mut self.doing, answer) {
            (Doing::Wanting { request }, Ok(Answer::Leased(granted))) => {
                assert_eq!(granted.lease.request, *request);
                let granted = Box::new(granted);
                self.doing = Doing::Playing { granted, plies: 0, renewing: false };
                (dice.below(3_000), Note::None)
            }
            (Doing::Wanting { .. }, Ok(Answer::Nothing { retry_ms, .. })) => {
                (u64::from(retry_ms).min(60_000), Note::None)
            }
            (Doing::Wanting { .. }, Ok(Answer::Drain { .. })) => {
                self.doing = Doing::Resting;
                (1, Note::None)
            }
            (Doing::Playing { granted, .. }, Ok(Answer::Renewed { drain: true, .. })) => {
                let granted = granted.clone();
                self.hand_in(*granted, dice);
                (1, Note::None)
            }
            (Doing::Playing { .. }, Ok(Answer::Renewed { .. })) => {
                (2_000 + dice.below(8_000), Note::None)
            }
            (Doing::Committing { commit }, Ok(Answer::Committed { sequence, repeated })) => {
                let commit = commit.clone();
                self.want_next(dice);
                (1, Note::Accepted { sequence, commit, repeated })
            }
            (Doing::Judging { verdict }, Ok(Answer::Recorded { number, repeated })) => {
                let verdict = verdict.clone();
                self.want_next(dice);
                (1, Note::Recorded { number, verdict, repeated })
            }
            (Doing::Publishing { generation }, Ok(Answer::Registered { checkpoint, .. })) => {
                assert_eq!(checkpoint.generation, *generation);
                *generation += 1;
                if *generation > self.generations {
                    self.doing = Doing::Resting;
                }
                (20_000 + dice.below(200_000), Note::None)
            }
            (Doing::Releasing { .. }, Ok(Answer::Done)) => {
                self.want_next(dice);
                (1, Note::None)
            }
            (Doing::Publishing { .. }, Err(error)) => panic!("the trainer is refused: {error}"),
            (_, Err(error)) => {
                let note = match error.code {
                    Code::LeaseLost | Code::NotFound => Note::LeaseLost,
                    _ if error.is_transient() => return (500, Note::None),
                    _ => Note::Refused,
                };
                self.want_next(dice);
                (1, note)
            }
            (doing, answer) => panic!("{doing:?} was answered {answer:?}"),
        }
    }

    fn want_next(&mut self, dice: &mut Dice) {
        self.doing = Doing::Wanting { request: dice.roll() };
    }

    /// An auditor that was told there is nothing more: whoever supervises it starts it again.
    pub fn is_resting_auditor(&self) -> bool {
        self.character.is_auditor() && matches!(self.doing, Doing::Resting)
    }

    /// Whether an answer is to what it asked last.
    pub fn is_waiting_for(&self, life: u64, call: u64) -> bool {
        self.life == life && self.call == call
    }
}

/// Nonsense only: what a well-formed verdict says is believed.
fn lie_about(verdict: &mut VerdictReport, dice: &mut Dice) {
    match dice.below(4) {
        0 => verdict.training_digest = "0".repeat(64),
        1 => verdict.shard = crate::core::ShardId("another".to_owned()),
        2 => verdict.findings.rederived_equal = verdict.findings.rows + 1,
        _ => {
            verdict.findings.first = None;
            verdict.findings.differences = 1;
        }
    }
}

fn lie(commit: &mut Commit, dice: &mut Dice) {
    match dice.below(5) {
        0 => commit.digest.clear(),
        1 => commit.games = vec![u64::MAX],
        2 => {
            commit.training_manifest = "no manifest".to_owned();
            commit.digest = proto::commit_digest("no manifest", &commit.audit_manifest);
        }
        3 => {
            let other = commit.training_manifest.replace(&fixture::fingerprint(), &"0".repeat(64));
            commit.digest = proto::commit_digest(&other, &commit.audit_manifest);
            commit.training_manifest = other;
        }
        _ => {
            let fault = crate::core::Fault::new(crate::core::Reason::Object, "no such object");
            commit.objects = Err(fault);
        }
    }
}
