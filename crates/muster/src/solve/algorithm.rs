//! The algorithms by the names that the command line takes.

use super::SolveArgs;
use super::minimizer::Minimizer;
use cfr::{Rule, Solver, Tree, Updates};
use clap::ValueEnum;
use run::exit::Usage;
use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Algorithm {
    /// Counterfactual regret minimization (Zinkevich et al. 2007)
    Cfr,
    /// Negative regrets forgotten, the average weighted by t (Tammelin 2014)
    #[value(name = "cfr+")]
    CfrPlus,
    /// Regrets and average weighted by t (Brown and Sandholm 2019)
    Lcfr,
    /// Regrets and average discounted by powers of t: --alpha, --beta, --gamma (Brown and Sandholm 2019)
    Dcfr,
    /// CFR+ that expects the next regrets to be like the last (Farina, Kroer and Sandholm 2021)
    #[value(name = "pcfr+")]
    PcfrPlus,
    /// No solving: what the uniform policy earns and could lose
    Uniform,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum UpdateOrder {
    Alternating,
    Simultaneous,
}

/// What is to be done with a game.
pub enum Method {
    Minimize(Minimization),
    Uniform,
}

/// A regret minimizer with all of its parameters. Its text stands in saved solves and reports.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Minimization {
    rule: Rule,
    updates: Updates,
}

impl Algorithm {
    /// The name on the command line.
    pub fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

    /// Refuses parameters that belong to another algorithm.
    pub fn method(self, args: &SolveArgs) -> Result<Method, Usage> {
        let discounts = [("--alpha", args.alpha), ("--beta", args.beta), ("--gamma", args.gamma)];
        for (flag, value) in discounts {
            let Some(value) = value else { continue };
            if self != Algorithm::Dcfr {
                return Err(Usage(format!("{flag} is for --algorithm dcfr, not {}", self.name())));
            }
            if !(value.is_finite() && value.abs() <= EXPONENT_MAX) {
                let range = format!("a number from -{EXPONENT_MAX} to {EXPONENT_MAX}");
                return Err(Usage(format!("{flag} {value}: give {range}")));
            }
        }
        let rule = match self {
            Algorithm::Cfr => Rule::Vanilla,
            Algorithm::CfrPlus => Rule::Plus,
            Algorithm::Lcfr => Rule::Linear,
            Algorithm::Dcfr => Rule::Discounted {
                alpha: args.alpha.unwrap_or(1.5),
                beta: args.beta.unwrap_or(0.0),
                gamma: args.gamma.unwrap_or(2.0),
            },
            Algorithm::PcfrPlus => Rule::PredictivePlus,
            Algorithm::Uniform if args.updates.is_some() => {
                return Err(Usage("--updates is for regret minimizers, not uniform".to_owned()));
            }
            Algorithm::Uniform => return Ok(Method::Uniform),
        };
        let updates = match args.updates {
            None | Some(UpdateOrder::Alternating) => Updates::Alternating,
            Some(UpdateOrder::Simultaneous) => Updates::Simultaneous,
        };
        Ok(Method::Minimize(Minimization { rule, updates }))
    }
}

/// Larger exponents of t leave nothing between "all" and "nothing".
const EXPONENT_MAX: f64 = 20.0;

impl Minimization {
    pub fn begin<'t>(&self, tree: &'t Tree, _seed: u64) -> Box<dyn Minimizer + 't> {
        Box::new(Solver::new(tree, self.rule, self.updates))
    }
}

impl fmt::Display for Minimization {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.rule)?;
        match self.updates {
            Updates::Alternating => Ok(()),
            Updates::Simultaneous => f.write_str(", simultaneous"),
        }
    }
}
