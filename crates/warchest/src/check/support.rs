//! Whether the truth always lies among the configurations that a belief leaves: what no error of a filter survives.

use super::Walk;
use crate::belief::{ExactPosterior, ExactUniform, Posterior};
use crate::{Concealed, Seen};
use game::{Contradiction, Seat};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// How much to check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SupportCheck {
    /// How many positions, at least; each ply is one for each seat, and games under way are finished.
    pub n_positions: u64,
    pub n_threads: usize,
    /// The number of the first game; each game's number is its seed.
    pub first_game: u64,
}

/// What was met. Every support is that of `exact-uniform`, which the other model-free beliefs share.
#[derive(Clone, PartialEq, Eq, Default, Debug, serde::Serialize)]
pub struct SupportReport {
    pub games: u64,
    pub positions: u64,
    /// Positions with more than one configuration.
    pub several: u64,
    /// Positions whose true configuration has no weight: 0, or the belief is wrong.
    pub truth_missing: u64,
    /// Games whose true observation the filter refused: 0 likewise.
    pub refused: u64,
    pub in_flight: u64,
    pub face_down: u64,
    pub support_median: usize,
    pub support_p99: usize,
    pub support_max: usize,
    /// The first position without the truth, in words.
    pub first_miss: Option<String>,
}

impl SupportReport {
    pub fn is_clean(&self) -> bool {
        self.first_miss.is_none()
    }
}

#[derive(Default)]
struct Tally {
    report: SupportReport,
    /// How many positions have each size of support.
    by_support_len: Vec<u64>,
}

/// Plays games under all options and in all styles, and looks for the truth at every ply from both seats. `done` is
/// told of positions as they are finished.
pub fn truth_in_support(check: &SupportCheck, done: &(dyn Fn(u64) + Sync)) -> SupportReport {
    let next_game = AtomicU64::new(check.first_game);
    let n_positions = AtomicU64::new(0);
    let total = Mutex::new(Tally::default());
    std::thread::scope(|scope| {
        for _ in 0..check.n_threads.max(1) {
            scope.spawn(|| {
                let mut tally = Tally::default();
                while n_positions.load(Ordering::Relaxed) < check.n_positions {
                    let game = next_game.fetch_add(1, Ordering::Relaxed);
                    let n = tally.follow(game);
                    n_positions.fetch_add(n, Ordering::Relaxed);
                    done(n);
                }
                let mut total = total.lock().unwrap_or_else(|broken| broken.into_inner());
                total.add(tally);
            });
        }
    });
    total.into_inner().unwrap_or_else(|broken| broken.into_inner()).finish()
}

impl Tally {
    /// One game to its end; returns how many positions it had.
    fn follow(&mut self, game: u64) -> u64 {
        let mut walk = Walk::under_any_options(game);
        let begin = |seat: Seat| {
            Posterior::begin(ExactUniform, &walk.observations[seat.idx()], seat.other())
        };
        let mut posteriors: [ExactPosterior; 2] = Seat::BOTH.map(begin);
        let mut n_positions = 0;
        self.report.games += 1;
        while walk.step() {
            for seat in Seat::BOTH {
                let posterior = &mut posteriors[seat.idx()];
                if let Err(contradiction) = self.look(&walk, seat, posterior) {
                    let ply = walk.plies.len();
                    self.report.refused += 1;
                    let first = &mut self.report.first_miss;
                    first.get_or_insert(format!("game {game}, ply {ply}: {contradiction}"));
                    return n_positions;
                }
                n_positions += 1;
            }
        }
        n_positions
    }

    fn look(
        &mut self,
        walk: &Walk,
        seat: Seat,
        posterior: &mut ExactPosterior,
    ) -> Result<(), Contradiction> {
        let observation = &walk.observations[seat.idx()];
        posterior.catch_up(&walk.rules, observation)?;
        let len = posterior.support_len();
        let truth = Concealed::of(&walk.state, seat.other());
        let report = &mut self.report;
        report.positions += 1;
        report.several += u64::from(len > 1);
        report.in_flight += u64::from(!truth.drawn.is_empty());
        let event = observation.events().last();
        let is_face_down = event.is_some_and(|event| {
            event.seat != seat && !matches!(event.seen, Seen::Open(_) | Seen::Drew)
        });
        report.face_down += u64::from(is_face_down);
        if !posterior.admits(&truth) {
            report.truth_missing += 1;
            let ply = walk.plies.len();
            report.first_miss.get_or_insert(format!("ply {ply} of {:?}: {truth:?}", walk.start));
        }
        if self.by_support_len.len() <= len {
            self.by_support_len.resize(len + 1, 0);
        }
        self.by_support_len[len] += 1;
        Ok(())
    }

    fn add(&mut self, other: Tally) {
        let (sum, part) = (&mut self.report, other.report);
        sum.games += part.games;
        sum.positions += part.positions;
        sum.several += part.several;
        sum.truth_missing += part.truth_missing;
        sum.refused += part.refused;
        sum.in_flight += part.in_flight;
        sum.face_down += part.face_down;
        sum.first_miss = sum.first_miss.take().or(part.first_miss);
        let len = self.by_support_len.len().max(other.by_support_len.len());
        self.by_support_len.resize(len, 0);
        for (sum, part) in self.by_support_len.iter_mut().zip(other.by_support_len) {
            *sum += part;
        }
    }

    fn finish(mut self) -> SupportReport {
        let quantile = |per_cent: u64| {
            let rank = self.report.positions.saturating_sub(1) * per_cent / 100;
            let mut below = 0;
            self.by_support_len.iter().position(|n| {
                below += n;
                below > rank
            })
        };
        let [median, p99, max] = [50, 99, 100].map(|per_cent| quantile(per_cent).unwrap_or(0));
        self.report.support_median = median;
        self.report.support_p99 = p99;
        self.report.support_max = max;
        self.report
    }
}
