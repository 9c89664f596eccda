//! Regret minimization over the full tree: one kernel, many rules.
//!
//! An iteration of one seat is three passes over flat arrays: over the payoffs (what each of its sequences earns
//! against the others' plans), backwards over its sets (values, regrets, next strategies), forwards over its sets (its
//! next plan). Where private information is dealt before anyone acts, all private deals of one public situation are
//! updated together, one lane each.

mod kernel;
mod lane_form;
mod lanes;
mod payoffs;

use crate::policy::Policy;
use crate::rule::{Rule, Updates};
use crate::tree::Tree;
use kernel::Kernel;
use lane_form::LaneForm;

/// The most private deals of a seat that are updated together.
const LANES_MAX: usize = 32;

/// What a solve has accumulated. All arrays are over the tree's entries.
#[derive(Clone, PartialEq, Debug)]
pub struct SolverState {
    /// Iterations done.
    pub iteration: u64,
    pub regrets: Vec<f64>,
    /// The regrets of the last iteration alone, if the rule predicts by them; else empty.
    pub predictions: Vec<f64>,
    /// The seats' plans, summed with the rule's weights.
    pub strategy_sums: Vec<f64>,
}

/// A state that belongs to another game or rule.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the saved {what} have {found} numbers; this game and rule need {expected}")]
pub struct ForeignState {
    pub what: &'static str,
    pub expected: usize,
    pub found: usize,
}

/// A solve of one game by one rule.
pub struct Solver<'t> {
    tree: &'t Tree,
    rule: Rule,
    updates: Updates,
    iteration: u64,
    engine: Engine,
}

/// The kernel by the width of its lanes.
enum Engine {
    Flat(Kernel<1>),
    Lanes4(Kernel<4>),
    Lanes8(Kernel<8>),
    Lanes16(Kernel<16>),
    Lanes32(Kernel<32>),
}

/// Evaluates an expression with the kernel, whatever its width.
macro_rules! with_kernel {
    ($engine:expr, $kernel:ident => $body:expr) => {
        match $engine {
            Engine::Flat($kernel) => $body,
            Engine::Lanes4($kernel) => $body,
            Engine::Lanes8($kernel) => $body,
            Engine::Lanes16($kernel) => $body,
            Engine::Lanes32($kernel) => $body,
        }
    };
}

impl<'t> Solver<'t> {
    /// Updates all private deals of a public situation together where the game allows it.
    pub fn new(tree: &'t Tree, rule: Rule, updates: Updates) -> Solver<'t> {
        let form = LaneForm::of_public_tree(tree).filter(|form| form.n_lanes() <= LANES_MAX);
        Solver::with_form(tree, rule, updates, &form.unwrap_or_else(|| LaneForm::flat(tree)))
    }

    /// Updates every information set by itself, whatever the game: the plain form that the other is compared with.
    pub fn flat(tree: &'t Tree, rule: Rule, updates: Updates) -> Solver<'t> {
        Solver::with_form(tree, rule, updates, &LaneForm::flat(tree))
    }

    fn with_form(tree: &'t Tree, rule: Rule, updates: Updates, form: &LaneForm) -> Solver<'t> {
        let predicts = rule.predicts();
        let engine = match form.n_lanes() {
            1 => Engine::Flat(Kernel::new(form, predicts)),
            2..=4 => Engine::Lanes4(Kernel::new(form, predicts)),
            5..=8 => Engine::Lanes8(Kernel::new(form, predicts)),
            9..=16 => Engine::Lanes16(Kernel::new(form, predicts)),
            _ => Engine::Lanes32(Kernel::new(form, predicts)),
        };
        Solver { tree, rule, updates, iteration: 0, engine }
    }

    pub fn tree(&self) -> &'t Tree {
        self.tree
    }

    pub fn rule(&self) -> Rule {
        self.rule
    }

    pub fn updates(&self) -> Updates {
        self.updates
    }

    /// Iterations done.
    pub fn iteration(&self) -> u64 {
        self.iteration
    }

    /// How many private deals are updated together; 1 for the plain form.
    pub fn n_lanes(&self) -> usize {
        with_kernel!(&self.engine, kernel => kernel.width())
    }

    /// Runs `n` more iterations; in each, every seat is updated once.
    pub fn run(&mut self, n: u64) {
        for _ in 0..n {
            self.iteration += 1;
            let discount = self.rule.discount(self.iteration);
            with_kernel!(&mut self.engine, kernel => kernel.iterate(discount, self.updates));
        }
    }

    /// The average strategy, which approaches an equilibrium in a zero-sum game of two seats.
    pub fn average(&self) -> Policy {
        Policy::from_weights(self.tree, &self.gather(|kernel| kernel.strategy_sums()))
    }

    /// The strategies that the next iteration begins with. They need not approach anything.
    pub fn current(&self) -> Policy {
        Policy::from_weights(self.tree, &self.gather(|kernel| kernel.strategies()))
    }

    /// Everything from which the solve can go on.
    pub fn state(&self) -> SolverState {
        let predictions =
            if self.rule.predicts() { self.gather(|kernel| kernel.predictions()) } else { vec![] };
        SolverState {
            iteration: self.iteration,
            regrets: self.gather(|kernel| kernel.regrets()),
            predictions,
            strategy_sums: self.gather(|kernel| kernel.strategy_sums()),
        }
    }

    /// Goes on from a state of the same game and rule.
    pub fn restore(&mut self, state: &SolverState) -> Result<(), ForeignState> {
        let n_entries = self.tree.n_entries();
        let n_predictions = if self.rule.predicts() { n_entries } else { 0 };
        let lengths = [
            ("regrets", state.regrets.len(), n_entries),
            ("predictions", state.predictions.len(), n_predictions),
            ("strategy sums", state.strategy_sums.len(), n_entries),
        ];
        for (what, found, expected) in lengths {
            if found != expected {
                return Err(ForeignState { what, expected, found });
            }
        }
        self.iteration = state.iteration;
        with_kernel!(&mut self.engine, kernel => kernel.restore(state));
        Ok(())
    }

    fn gather(&self, array: impl Fn(&dyn Arrays) -> Vec<f64>) -> Vec<f64> {
        with_kernel!(&self.engine, kernel => array(kernel))
    }
}

/// A kernel's arrays in the order of the tree's entries.
trait Arrays {
    fn regrets(&self) -> Vec<f64>;
    fn predictions(&self) -> Vec<f64>;
    fn strategy_sums(&self) -> Vec<f64>;
    fn strategies(&self) -> Vec<f64>;
}
