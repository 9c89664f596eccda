//! A minimizer run to its limits, measured and saved on the way.

use super::minimizer::Minimizer;
use super::stop::Stop;
use cfr::SequenceForm;
use cfr::nash_conv::Evaluation;
use run::Progress;
use std::time::{Duration, Instant};

/// How long a minimizer runs before signals and saves are looked at.
const SLICE: Duration = Duration::from_millis(50);
/// How often a long stretch between two points of the curve is measured, for those who watch.
const MEASURE_EVERY: Duration = Duration::from_secs(10);

pub struct Limits {
    /// Of the whole solve.
    pub iterations: u64,
    /// A NashConv that ends the solve.
    pub until: Option<f64>,
    pub save_every_s: Option<f64>,
}

/// How far a solve had come.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CurvePoint {
    pub iteration: u64,
    pub nash_conv: f64,
    /// Of the last iterate.
    pub nash_conv_current: f64,
    /// Spent in iterations alone, of this session.
    pub seconds: f64,
}

pub struct Session {
    /// At iterations 1, 2, 5, 10, 20, 50 … and at the end.
    pub curve: Vec<CurvePoint>,
    /// Iterations of this session.
    pub iterations: u64,
    pub seconds: f64,
    pub is_interrupted: bool,
}

impl Session {
    pub fn run(
        minimizer: &mut dyn Minimizer,
        form: &SequenceForm,
        limits: &Limits,
        stop: &Stop,
        save: &dyn Fn(&dyn Minimizer) -> anyhow::Result<()>,
    ) -> anyhow::Result<Session> {
        let from = minimizer.iteration();
        let mut session =
            Session { curve: Vec::new(), iterations: 0, seconds: 0.0, is_interrupted: false };
        let progress = Progress::new("solve", Some(limits.iterations), "iterations");
        progress.inc(from);
        let mut pace = Pace { slice: 1, measured: Instant::now(), saved: Instant::now() };
        while minimizer.iteration() < limits.iterations && !session.is_interrupted {
            let at = next_measure(minimizer.iteration(), limits.until).min(limits.iterations);
            while minimizer.iteration() < at && !session.is_interrupted {
                let n = pace.slice.min(at - minimizer.iteration());
                session.seconds += pace.run(minimizer, n);
                progress.inc(n);
                session.is_interrupted = stop.is_asked();
                if limits.save_every_s.is_some_and(|s| pace.saved.elapsed().as_secs_f64() >= s) {
                    save(minimizer)?;
                    pace.saved = Instant::now();
                }
                if pace.measured.elapsed() >= MEASURE_EVERY {
                    progress.remark(remark(&measure(minimizer, form, session.seconds)));
                    pace.measured = Instant::now();
                }
            }
            let point = measure(minimizer, form, session.seconds);
            progress.remark(remark(&point));
            let is_there = limits.until.is_some_and(|until| point.nash_conv <= until);
            let is_last =
                is_there || session.is_interrupted || minimizer.iteration() >= limits.iterations;
            if is_last || is_round(point.iteration) {
                session.curve.push(point);
            }
            if is_there {
                break;
            }
        }
        progress.finish();
        session.iterations = minimizer.iteration() - from;
        if session.curve.is_empty() {
            session.curve.push(measure(minimizer, form, 0.0));
        }
        Ok(session)
    }
}

/// How many iterations at a time, and when what was done last.
struct Pace {
    slice: u64,
    measured: Instant,
    saved: Instant,
}

impl Pace {
    /// Seconds spent.
    fn run(&mut self, minimizer: &mut dyn Minimizer, n: u64) -> f64 {
        let started = Instant::now();
        minimizer.run(n);
        let spent = started.elapsed();
        if spent < SLICE && n == self.slice {
            self.slice = self.slice.saturating_mul(2);
        } else if spent > 2 * SLICE {
            self.slice = (self.slice / 2).max(1);
        }
        spent.as_secs_f64()
    }
}

fn measure(minimizer: &dyn Minimizer, form: &SequenceForm, seconds: f64) -> CurvePoint {
    CurvePoint {
        iteration: minimizer.iteration(),
        nash_conv: Evaluation::of(form, &minimizer.average()).nash_conv().0,
        nash_conv_current: Evaluation::of(form, &minimizer.current()).nash_conv().0,
        seconds,
    }
}

fn remark(point: &CurvePoint) -> String {
    format!("NashConv {:.3e}", point.nash_conv)
}

/// The next iteration at which the solve is measured: the next round one, and where a NashConv is waited for, one that
/// is at most a tenth away.
fn next_measure(iteration: u64, until: Option<f64>) -> u64 {
    let round = next_round(iteration);
    match until {
        Some(_) => round.min(iteration + (iteration / 10).max(1)),
        None => round,
    }
}

/// The next of 1, 2, 5, 10, 20, 50, …
fn next_round(iteration: u64) -> u64 {
    let mut power = 1u64;
    loop {
        for digit in [1, 2, 5] {
            match power.checked_mul(digit) {
                Some(round) if round > iteration => return round,
                Some(_) => {}
                None => return u64::MAX,
            }
        }
        power = match power.checked_mul(10) {
            Some(next) => next,
            None => return u64::MAX,
        };
    }
}

fn is_round(iteration: u64) -> bool {
    iteration > 0 && next_round(iteration - 1) == iteration
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_iterations_follow_one_another() {
        let mut rounds = vec![0];
        for _ in 0..9 {
            rounds.push(next_round(rounds[rounds.len() - 1]));
        }
        assert_eq!(rounds, [0, 1, 2, 5, 10, 20, 50, 100, 200, 500]);
        assert_eq!(next_round(u64::MAX - 1), u64::MAX);
        assert!(is_round(5000) && !is_round(4999) && !is_round(0));
    }

    #[test]
    fn a_solve_that_waits_for_a_value_is_measured_often() {
        assert_eq!(next_measure(0, Some(0.1)), 1);
        assert_eq!(next_measure(100, Some(0.1)), 110);
        assert_eq!(next_measure(195, Some(0.1)), 200);
        assert_eq!(next_measure(100, None), 200);
    }
}
