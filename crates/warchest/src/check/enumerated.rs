//! Beliefs against the histories of mini games, as rational numbers.

use super::histories::{Chooser, Continuation, Histories};
use super::mini::{MiniGame, MiniSize};
use crate::belief::{ExactPosterior, ExactUniform, LabelledPosterior, LabelledUniform, Posterior};
use crate::{Action, Concealed, Decision, Event, Seen, State, WarChest};
use game::{Observation, Seat, Stream, Turn};
use num_bigint::BigUint;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// How much to compare.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EnumeratedCheck {
    pub size: MiniSize,
    /// How many positions, at least; a position is one history as the observer saw it.
    pub n_positions: u64,
    pub n_threads: usize,
    /// The number of the first game; each game's number is its seed.
    pub first_game: u64,
}

/// From here on histories that led to the same position are counted together.
const N_APART_MAX: usize = 400;
/// A game with more positions than this that look alike is left.
const N_HISTORIES_MAX: usize = 2_000;
/// A game that goes on for longer is left.
const N_PLIES_MAX: usize = 120;

/// What was compared, and what was met.
#[derive(Clone, PartialEq, Eq, Default, Debug, serde::Serialize)]
pub struct EnumeratedReport {
    pub games: u64,
    pub positions: u64,
    /// Positions at which `exact-uniform`, or `labelled-uniform` by its own model, is not what all histories add up to.
    pub exact_mismatches: u64,
    /// In words.
    pub first_mismatch: Option<String>,
    /// Positions with more than one configuration.
    pub several: u64,
    /// Positions of which no histories were counted together.
    pub apart: u64,
    pub histories_max: usize,
    pub support_max: usize,
    pub refills_in_a_draw: u64,
    pub initiative_claims: u64,
    pub recruits: u64,
    pub passes: u64,
    pub face_up: u64,
    pub priest_draws: u64,
    pub face_down_in_flight: u64,
    pub royal_guard_losses: u64,
    /// Games that were won.
    pub wins: u64,
}

impl EnumeratedReport {
    pub fn is_clean(&self) -> bool {
        self.first_mismatch.is_none()
    }

    fn add(&mut self, part: EnumeratedReport) {
        self.games += part.games;
        self.positions += part.positions;
        self.exact_mismatches += part.exact_mismatches;
        self.first_mismatch = self.first_mismatch.take().or(part.first_mismatch);
        self.several += part.several;
        self.apart += part.apart;
        self.histories_max = self.histories_max.max(part.histories_max);
        self.support_max = self.support_max.max(part.support_max);
        self.refills_in_a_draw += part.refills_in_a_draw;
        self.initiative_claims += part.initiative_claims;
        self.recruits += part.recruits;
        self.passes += part.passes;
        self.face_up += part.face_up;
        self.priest_draws += part.priest_draws;
        self.face_down_in_flight += part.face_down_in_flight;
        self.royal_guard_losses += part.royal_guard_losses;
        self.wins += part.wins;
    }
}

/// Follows mini games, and after each ply of the seat that is watched compares every way it can have gone on.
/// `done` is told of positions as they are finished.
pub fn beliefs_enumerated(
    check: &EnumeratedCheck,
    done: &(dyn Fn(u64) + Sync),
) -> EnumeratedReport {
    let next_game = AtomicU64::new(check.first_game);
    let n_positions = AtomicU64::new(0);
    let total = Mutex::new(EnumeratedReport::default());
    std::thread::scope(|scope| {
        for _ in 0..check.n_threads.max(1) {
            scope.spawn(|| {
                while n_positions.load(Ordering::Relaxed) < check.n_positions {
                    let number = next_game.fetch_add(1, Ordering::Relaxed);
                    let report = follow(&check.size, number);
                    n_positions.fetch_add(report.positions, Ordering::Relaxed);
                    done(report.positions);
                    total.lock().unwrap_or_else(|broken| broken.into_inner()).add(report);
                }
            });
        }
    });
    total.into_inner().unwrap_or_else(|broken| broken.into_inner())
}

/// What one seat sees of a game, and concludes.
#[derive(Clone)]
struct Watch {
    observation: Observation<WarChest>,
    exact: ExactPosterior,
    labelled: LabelledPosterior,
}

impl Watch {
    fn begin(observer: Seat, game: &MiniGame) -> Watch {
        use game::Hidden;
        let now = game.rules.now(&game.start, observer);
        let observation = Observation::begin(observer, now);
        let exact = Posterior::begin(ExactUniform, &observation, observer.other());
        let labelled = Posterior::begin(LabelledUniform, &observation, observer.other());
        Watch { observation, exact, labelled }
    }

    fn go_on(&mut self, rules: &WarChest, to: &Continuation) -> Result<(), String> {
        self.observation.extend(to.event, to.now);
        self.exact.catch_up(rules, &self.observation).map_err(|error| error.to_string())?;
        self.labelled.catch_up(rules, &self.observation).map_err(|error| error.to_string())
    }

    /// What differs, if anything does.
    fn difference(&self, histories: &Histories) -> Option<String> {
        let hidden = histories.hidden();
        for chooser in Chooser::BOTH {
            let weighted = match chooser {
                Chooser::AnyAction => self.exact.weighted(),
                Chooser::AnyCoin => self.labelled.weighted(),
            };
            let expected: Vec<(Concealed, &BigUint)> =
                hidden.iter().map(|(c, p)| (*c, &p[chooser as usize])).collect();
            if !are_in_proportion(&weighted, &expected) {
                return Some(format!("{chooser:?}: {weighted:?} is not as {expected:?}"));
            }
        }
        None
    }
}

/// Whether both are the same rational numbers once each is divided by its sum.
fn are_in_proportion(a: &[(Concealed, BigUint)], b: &[(Concealed, &BigUint)]) -> bool {
    let total_a: BigUint = a.iter().map(|(_, weight)| weight).sum();
    let total_b: BigUint = b.iter().map(|(_, weight)| *weight).sum();
    let pairs = || a.iter().zip(b);
    a.len() == b.len() && pairs().all(|(a, b)| a.0 == b.0 && &a.1 * &total_b == b.1 * &total_a)
}

/// One game, until it is over or too large.
fn follow(size: &MiniSize, number: u64) -> EnumeratedReport {
    let mut stream = Stream::from_seed(number);
    let game = size.draw(&mut stream);
    let observer = Seat::new((number % 2) as u8);
    let mut watch = Watch::begin(observer, &game);
    let mut histories = Histories::begin(observer, game.start);
    let mut report = EnumeratedReport { games: 1, ..EnumeratedReport::default() };
    for ply in 0..N_PLIES_MAX {
        let before = *histories.any();
        if before.turn() == Turn::Over {
            report.wins += u64::from(matches!(before.step(), crate::Step::Over(Some(_))));
            break;
        }
        if histories.n_histories() > N_APART_MAX {
            histories.merge();
        }
        if histories.n_histories() > N_HISTORIES_MAX {
            break;
        }
        let mut next = histories.continuations(&game.rules);
        if before.decider() != observer {
            for to in &next {
                let place = || format!("game {number}, ply {ply}, {:?}", to.event);
                report.compare(&game.rules, &watch, &before, to, place);
            }
        }
        let to = next.swap_remove(pick(&next, &mut stream));
        if watch.go_on(&game.rules, &to).is_err() {
            break;
        }
        histories = to.histories;
    }
    report
}

/// One way to go on; control and attacks are preferred, which lead to what is rare.
fn pick(next: &[Continuation], stream: &mut Stream) -> usize {
    let weight = |to: &Continuation| match to.event.seen {
        Seen::Open(Action::Control { .. } | Action::Attack { .. }) => 8,
        Seen::Open(Action::Deploy { .. } | Action::Move { .. }) => 2,
        _ => 1,
    };
    let mut left = stream.below(next.iter().map(weight).sum());
    let is_drawn = |to: &Continuation| {
        let weight = weight(to);
        let is_drawn = left < weight;
        left = left.saturating_sub(weight);
        is_drawn
    };
    next.iter().position(is_drawn).unwrap_or(0)
}

impl EnumeratedReport {
    fn compare(
        &mut self,
        rules: &WarChest,
        watch: &Watch,
        before: &State,
        to: &Continuation,
        place: impl Fn() -> String,
    ) {
        let mut watch = watch.clone();
        let difference = match watch.go_on(rules, to) {
            Ok(()) => watch.difference(&to.histories),
            Err(refused) => Some(refused),
        };
        self.positions += 1;
        if let Some(difference) = difference {
            self.exact_mismatches += 1;
            self.first_mismatch.get_or_insert_with(|| format!("{}: {difference}", place()));
        }
        let support_len = watch.exact.support_len();
        self.several += u64::from(support_len > 1);
        self.support_max = self.support_max.max(support_len);
        self.apart += u64::from(!to.histories.is_merged());
        self.histories_max = self.histories_max.max(to.histories.n_histories());
        self.count_kind(before, &to.event);
    }

    fn count_kind(&mut self, before: &State, event: &Event) {
        let zones = before.zones(event.seat);
        let decision = before.decision();
        let is_refill = zones.bag.is_empty() && !zones.hand.is_empty();
        self.refills_in_a_draw += u64::from(decision == Some(Decision::Draw) && is_refill);
        self.royal_guard_losses += u64::from(decision == Some(Decision::RoyalGuard));
        let in_flight = u64::from(decision == Some(Decision::WarriorPriestPlay));
        match event.seen {
            Seen::Drew => {}
            Seen::PriestDrew => self.priest_draws += 1,
            Seen::ClaimedInitiative => self.initiative_claims += 1,
            Seen::Recruited(_) => self.recruits += 1,
            Seen::Passed => self.passes += 1,
            Seen::Open(_) => self.face_up += u64::from(event.coin.is_some()),
        }
        let is_down =
            matches!(event.seen, Seen::ClaimedInitiative | Seen::Recruited(_) | Seen::Passed);
        self.face_down_in_flight += in_flight * u64::from(is_down);
    }
}
