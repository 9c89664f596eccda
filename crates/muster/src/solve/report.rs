//! What a solve found, for programs and for people.

use super::certify::Proved;
use super::minimizer::Minimizer;
use super::session::{CurvePoint, Session};
use cfr::Tree;
use cfr::nash_conv::Evaluation;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;

/// The result of a solve. Utilities are in the game's own unit.
pub struct Report {
    pub game: String,
    pub algorithm: String,
    /// Of the whole solve; 0 where nothing was solved.
    pub iterations: u64,
    pub information_sets: u64,
    /// `None` where they were not counted.
    pub histories: Option<u64>,
    /// The expected utility of each seat under the average policy.
    pub values: Vec<f64>,
    pub nash_conv: f64,
    /// Of two seats only.
    pub exploitability: Option<f64>,
    pub certificate: Option<Proved>,
    pub session: Option<SessionReport>,
}

/// What only an iterative algorithm has.
pub struct SessionReport {
    pub nash_conv_current: f64,
    pub iterations_per_s: Option<f64>,
    pub seconds: f64,
    pub curve: Vec<CurvePoint>,
    pub kernel: String,
    /// Where the solve was saved when a signal ended it early.
    pub interrupted: Option<String>,
}

impl Report {
    pub fn of_tree(
        game: String,
        algorithm: String,
        tree: &Tree,
        evaluation: &Evaluation,
    ) -> Report {
        Report {
            game,
            algorithm,
            iterations: 0,
            information_sets: tree.information_sets().len() as u64,
            histories: Some(tree.n_nodes() as u64),
            values: evaluation.values.clone(),
            nash_conv: evaluation.nash_conv().0,
            exploitability: evaluation.exploitability().map(|exploitability| exploitability.0),
            certificate: None,
            session: None,
        }
    }

    pub fn with_session(
        mut self,
        session: Session,
        minimizer: &dyn Minimizer,
        save: Option<&Path>,
    ) -> Report {
        self.iterations = minimizer.iteration();
        let speed = session.iterations as f64 / session.seconds;
        let saved_to = save.map(|path| path.display().to_string());
        self.session = Some(SessionReport {
            nash_conv_current: session.curve.last().map_or(f64::NAN, |last| last.nash_conv_current),
            iterations_per_s: speed.is_finite().then_some(speed),
            seconds: session.seconds,
            curve: session.curve,
            kernel: minimizer.kernel(),
            interrupted: saved_to.filter(|_| session.is_interrupted),
        });
        self
    }

    pub fn json(&self) -> Value {
        let session = self.session.as_ref();
        let curve = |session: &SessionReport| -> Value {
            let point = |point: &CurvePoint| {
                json!({
                    "iteration": point.iteration,
                    "nash_conv": point.nash_conv,
                    "nash_conv_current": point.nash_conv_current,
                    "seconds": point.seconds,
                })
            };
            session.curve.iter().map(point).collect()
        };
        json!({
            "game": self.game,
            "algorithm": self.algorithm,
            "iterations": self.iterations,
            "information_sets": self.information_sets,
            "histories": self.histories,
            "seats": self.values.len(),
            "value": self.values[0],
            "values": self.values,
            "nash_conv": self.nash_conv,
            "nash_conv_current": session.map(|session| session.nash_conv_current),
            "exploitability": self.exploitability,
            "iterations_per_s": session.and_then(|session| session.iterations_per_s),
            "seconds": session.map(|session| session.seconds),
            "certificate": self.certificate.as_ref().map(Proved::json),
            "curve": session.map(curve),
            "kernel": session.map(|session| session.kernel.as_str()),
            "interrupted": session.is_some_and(|session| session.interrupted.is_some()),
            "built_for": crate::doctor::built_for(),
        })
    }

    pub fn text(&self) -> String {
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = self.write_text(&mut out);
        out
    }

    fn write_text(&self, out: &mut String) -> std::fmt::Result {
        let histories =
            self.histories.map_or_else(String::new, |n| format!(", {} histories", grouped(n)));
        writeln!(
            out,
            "{}: {} seats, {} information sets{histories}",
            self.game,
            self.values.len(),
            grouped(self.information_sets)
        )?;
        if let Some(session) = &self.session {
            self.write_session(session, out)?;
        } else {
            writeln!(out, "{}", self.algorithm)?;
        }
        for (seat, value) in self.values.iter().enumerate() {
            writeln!(out, "seat {seat} expects {value:.12}")?;
        }
        write!(
            out,
            "NashConv {:.6e} (what all seats could gain, each deviating alone)",
            self.nash_conv
        )?;
        match self.exploitability {
            Some(exploitability) => writeln!(out, ", exploitability {exploitability:.6e}")?,
            None => writeln!(out, "; exploitability is for two seats only")?,
        }
        match &self.certificate {
            Some(proved) => writeln!(out, "{}", proved.text()),
            None => Ok(()),
        }
    }

    fn write_session(&self, session: &SessionReport, out: &mut String) -> std::fmt::Result {
        writeln!(
            out,
            "{}: {} iterations, {}\n",
            self.algorithm,
            grouped(self.iterations),
            session.kernel
        )?;
        writeln!(
            out,
            "{:>12} {:>16} {:>22} {:>10}",
            "iteration", "NashConv", "of the last iterate", "seconds"
        )?;
        for point in &session.curve {
            writeln!(
                out,
                "{:>12} {:>16.9} {:>22.9} {:>10.3}",
                grouped(point.iteration),
                point.nash_conv,
                point.nash_conv_current,
                point.seconds
            )?;
        }
        writeln!(out)?;
        if let Some(path) = &session.interrupted {
            writeln!(out, "interrupted; saved to {path}: go on with --resume {path}")?;
        }
        match session.iterations_per_s {
            Some(speed) => writeln!(
                out,
                "{} iterations a second on one core, built for {}",
                grouped(speed as u64),
                crate::doctor::built_for()
            ),
            None => writeln!(out, "no iteration was left to do"),
        }
    }
}

/// 1,234,567.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn digits_stand_in_groups() {
        assert_eq!([0, 999, 1000, 1234567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
