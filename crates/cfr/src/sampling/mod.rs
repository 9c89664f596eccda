//! Monte Carlo counterfactual regret minimization: an iteration looks at a part of the tree that is drawn at random.
//!
//! | name | chance | the others | the updated seat | source |
//! |---|---|---|---|---|
//! | `es-mccfr` | one outcome | one action, by their strategy | all actions | Lanctot et al. 2009, external sampling |
//! | `os-mccfr` | one outcome | one action, by their strategy | one action, explored | the same, outcome sampling |
//! | `cs-mccfr` | one outcome | all actions | all actions | Zinkevich et al. 2007, chance sampling |
//!
//! One walk serves all; a scheme says what it samples; the update of the learner is the same. An iteration
//! is one walk for each seat in turn. In games of more than two seats a further walk averages each seat's strategy.

mod estimate;
mod layout;
mod learner;
mod scheme;
mod walk;

pub use estimate::Estimator;

use crate::policy::Policy;
use crate::solver::{ForeignState, SolverState};
use crate::tree::Tree;
use game::Stream;
use layout::Layout;
use learner::Learner;
use scheme::{ChanceOnly, External, Outcome, Scheme};
use std::fmt;
use walk::{Ledger, Walk, average_walk};

/// What an iteration draws at random.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Sampling {
    External,
    Outcome(Exploration),
    Chance,
}

/// The probability with which outcome sampling draws an action of the updated seat uniformly instead of by its
/// strategy.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Exploration(f64);

/// Not an exploration.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[error(
    "exploration {0} is not above 0 and at most 1: with 0 some actions would never be tried; 0.6 is usual"
)]
pub struct BadExploration(pub f64);

impl Exploration {
    /// What Lanctot et al. 2009 recommend and OpenSpiel uses.
    pub const USUAL: Exploration = Exploration(0.6);

    pub fn new(probability: f64) -> Result<Exploration, BadExploration> {
        if probability > 0.0 && probability <= 1.0 {
            Ok(Exploration(probability))
        } else {
            Err(BadExploration(probability))
        }
    }

    pub fn probability(self) -> f64 {
        self.0
    }
}

impl Sampling {
    /// The name that the command line and saved solves use.
    pub const fn name(self) -> &'static str {
        match self {
            Sampling::External => "es-mccfr",
            Sampling::Outcome(_) => "os-mccfr",
            Sampling::Chance => "cs-mccfr",
        }
    }
}

impl fmt::Display for Sampling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sampling::Outcome(exploration) => write!(f, "os-mccfr({})", exploration.0),
            other => f.write_str(other.name()),
        }
    }
}

/// Everything from which a sampled solve can go on to the same bytes as if it had not been interrupted.
#[derive(Clone, PartialEq, Debug)]
pub struct SampledState {
    pub arrays: SolverState,
    pub seed: u64,
    /// How much of the seed's stream is used up, see [`Stream::words_drawn`].
    pub words_drawn: u128,
}

/// A solve of one game by sampled walks.
pub struct SampledSolver<'t> {
    tree: &'t Tree,
    sampling: Sampling,
    layout: Layout,
    learner: Learner,
    iteration: u64,
    seed: u64,
    stream: Stream,
    scratch: Vec<f64>,
}

impl<'t> SampledSolver<'t> {
    /// The same tree, sampling and seed give the same solve.
    pub fn new(tree: &'t Tree, sampling: Sampling, seed: u64) -> SampledSolver<'t> {
        let layout = Layout::new(tree);
        let strategies = Policy::uniform(tree).probabilities().to_vec();
        SampledSolver {
            tree,
            sampling,
            learner: Learner::new(&layout, tree.information_sets().len(), strategies),
            iteration: 0,
            seed,
            stream: Stream::from_seed(seed),
            scratch: Vec::with_capacity(layout.n_values_max),
            layout,
        }
    }

    pub fn tree(&self) -> &'t Tree {
        self.tree
    }

    pub fn sampling(&self) -> Sampling {
        self.sampling
    }

    /// Iterations done.
    pub fn iteration(&self) -> u64 {
        self.iteration
    }

    /// Runs `n` more iterations; in each, every seat is updated once.
    pub fn run(&mut self, n: u64) {
        let SampledSolver { layout, learner, stream, scratch, .. } = self;
        for _ in 0..n {
            for seat in 0..layout.n_seats {
                sampled_turn(self.sampling, layout, seat, learner, stream, scratch);
                learner.choose();
            }
        }
        self.iteration += n;
    }

    /// The average strategy, which approaches an equilibrium in a zero-sum game of two seats.
    pub fn average(&self) -> Policy {
        Policy::from_weights(self.tree, &self.learner.strategy_sums)
    }

    /// The strategies that the next iteration begins with. They need not approach anything.
    pub fn current(&self) -> Policy {
        Policy::from_weights(self.tree, self.learner.strategies())
    }

    pub fn state(&self) -> SampledState {
        SampledState {
            arrays: SolverState {
                iteration: self.iteration,
                regrets: self.learner.regrets.clone(),
                predictions: Vec::new(),
                strategy_sums: self.learner.strategy_sums.clone(),
            },
            seed: self.seed,
            words_drawn: self.stream.words_drawn(),
        }
    }

    /// Goes on from a state of the same game and sampling.
    pub fn restore(&mut self, state: &SampledState) -> Result<(), ForeignState> {
        let arrays = &state.arrays;
        let n_entries = self.layout.n_entries;
        let lengths = [
            ("regrets", arrays.regrets.len(), n_entries),
            ("predictions", arrays.predictions.len(), 0),
            ("strategy sums", arrays.strategy_sums.len(), n_entries),
        ];
        for (what, found, expected) in lengths {
            if found != expected {
                return Err(ForeignState { what, expected, found });
            }
        }
        let hopes: Vec<f64> = arrays.regrets.iter().map(|regret| regret.max(0.0)).collect();
        let strategies = Policy::from_weights(self.tree, &hopes);
        self.learner.restore(&arrays.regrets, &arrays.strategy_sums, strategies.probabilities());
        self.iteration = arrays.iteration;
        self.seed = state.seed;
        self.stream = Stream::from_seed_at(state.seed, state.words_drawn);
        Ok(())
    }
}

/// One walk for `seat` from the root, by the scheme that `sampling` names, and what the average needs.
fn sampled_turn<L: Ledger>(
    sampling: Sampling,
    layout: &Layout,
    seat: usize,
    ledger: &mut L,
    stream: &mut Stream,
    values: &mut Vec<f64>,
) {
    match sampling {
        Sampling::External => walk(External, layout, seat, ledger, stream, values),
        Sampling::Outcome(share) => walk(Outcome(share.0), layout, seat, ledger, stream, values),
        Sampling::Chance => walk(ChanceOnly, layout, seat, ledger, stream, values),
    }
    if layout.n_seats > 2 {
        average_walk(layout, seat, ledger, stream);
    }
}

fn walk<S: Scheme, L: Ledger>(
    scheme: S,
    layout: &Layout,
    seat: usize,
    ledger: &mut L,
    stream: &mut Stream,
    values: &mut Vec<f64>,
) {
    let averages = layout.n_seats <= 2;
    Walk { layout, scheme, seat, averages, ledger, stream, values }.visit(0, 1.0);
}
