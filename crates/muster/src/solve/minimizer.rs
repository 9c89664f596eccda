//! What the command asks of a regret minimizer, whichever it is.

use cfr::{Policy, Solver, SolverState};

pub trait Minimizer {
    /// Iterations done.
    fn iteration(&self) -> u64;
    fn run(&mut self, n: u64);
    fn average(&self) -> Policy;
    /// The last iterate.
    fn current(&self) -> Policy;
    /// Everything from which the solve can go on, and how many words were drawn from its random stream.
    fn state(&self) -> (SolverState, u128);
    fn restore(&mut self, state: &SolverState, words_drawn: u128) -> anyhow::Result<()>;
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

    fn state(&self) -> (SolverState, u128) {
        (Solver::state(self), 0)
    }

    fn restore(&mut self, state: &SolverState, _: u128) -> anyhow::Result<()> {
        Ok(Solver::restore(self, state)?)
    }

    fn kernel(&self) -> String {
        match self.n_lanes() {
            1 => "each information set by itself".to_owned(),
            n => format!("up to {n} private deals at once"),
        }
    }
}
