//! What the command asks of a regret minimizer, whichever it is.

use cfr::sampling::{SampledSolver, SampledState};
use cfr::save::{SavedSolve, StreamPosition};
use cfr::{Policy, Solver, SolverState};

pub trait Minimizer {
    /// Iterations done.
    fn iteration(&self) -> u64;
    fn run(&mut self, n: u64);
    fn average(&self) -> Policy;
    /// The last iterate.
    fn current(&self) -> Policy;
    /// Everything from which the solve can go on, but the random stream.
    fn state(&self) -> SolverState;
    /// The random stream, if there is one.
    fn stream(&self) -> Option<StreamPosition>;
    fn restore(&mut self, saved: &SavedSolve) -> anyhow::Result<()>;
    /// In what form the game is walked, for people.
    fn kernel(&self) -> String;
}

impl Minimizer for Solver<'_> {
    fn iteration(&self) -> u64 {
        Solver::iteration(self)
    }

    fn run(&mut self, n: u64) {
        Solver::run(self, n);
    }

    fn average(&self) -> Policy {
        Solver::average(self)
    }

    fn current(&self) -> Policy {
        Solver::current(self)
    }

    fn state(&self) -> SolverState {
        Solver::state(self)
    }

    fn stream(&self) -> Option<StreamPosition> {
        None
    }

    fn restore(&mut self, saved: &SavedSolve) -> anyhow::Result<()> {
        Ok(Solver::restore(self, &saved.state)?)
    }

    fn kernel(&self) -> String {
        match self.n_lanes() {
            1 => "one information set at a time".to_owned(),
            n => format!("{n} lanes"),
        }
    }
}

impl Minimizer for SampledSolver<'_> {
    fn iteration(&self) -> u64 {
        SampledSolver::iteration(self)
    }

    fn run(&mut self, n: u64) {
        SampledSolver::run(self, n);
    }

    fn average(&self) -> Policy {
        SampledSolver::average(self)
    }

    fn current(&self) -> Policy {
        SampledSolver::current(self)
    }

    fn state(&self) -> SolverState {
        SampledSolver::state(self).arrays
    }

    fn stream(&self) -> Option<StreamPosition> {
        let SampledState { seed, words_drawn, .. } = SampledSolver::state(self);
        Some(StreamPosition { seed, words_drawn })
    }

    fn restore(&mut self, saved: &SavedSolve) -> anyhow::Result<()> {
        let position = saved.stream.unwrap_or(StreamPosition { seed: 0, words_drawn: 0 });
        let StreamPosition { seed, words_drawn } = position;
        let state = SampledState { arrays: saved.state.clone(), seed, words_drawn };
        Ok(SampledSolver::restore(self, &state)?)
    }

    fn kernel(&self) -> String {
        "sampled walks".to_owned()
    }
}
