//! The algorithms by the names that the command line takes.

use super::SolveArgs;
use super::minimizer::Minimizer;
use cfr::sampling::{Exploration, SampledSolver, Sampling};
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
    /// Monte Carlo CFR by external sampling (Lanctot et al. 2009)
    EsMccfr,
    /// Monte Carlo CFR by outcome sampling: one history an update (Lanctot et al. 2009)
    OsMccfr,
    /// CFR with the chance outcomes sampled (Zinkevich et al. 2007)
    CsMccfr,
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
pub enum Minimization {
    FullTree { rule: Rule, updates: Updates },
    Sampled(Sampling),
}

/// Larger exponents of t leave nothing between "all" and "nothing".
const EXPONENT_MAX: f64 = 20.0;

impl Algorithm {
    /// The name on the command line.
    pub fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

    /// Refuses parameters that belong to another algorithm.
    pub fn method(self, args: &SolveArgs) -> Result<Method, Usage> {
        self.check_parameters(args)?;
        let exploration = args.exploration.map_or(Ok(Exploration::USUAL), Exploration::new);
        let exploration = exploration.map_err(|bad| Usage(format!("--exploration: {bad}")))?;
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
            Algorithm::EsMccfr => return sampled(Sampling::External),
            Algorithm::OsMccfr => return sampled(Sampling::Outcome(exploration)),
            Algorithm::CsMccfr => return sampled(Sampling::Chance),
            Algorithm::Uniform => return Ok(Method::Uniform),
        };
        let updates = match args.updates {
            None | Some(UpdateOrder::Alternating) => Updates::Alternating,
            Some(UpdateOrder::Simultaneous) => Updates::Simultaneous,
        };
        Ok(Method::Minimize(Minimization::FullTree { rule, updates }))
    }

    fn check_parameters(self, args: &SolveArgs) -> Result<(), Usage> {
        let is_full_tree = matches!(
            self,
            Algorithm::Cfr
                | Algorithm::CfrPlus
                | Algorithm::Lcfr
                | Algorithm::Dcfr
                | Algorithm::PcfrPlus
        );
        let is_sampled =
            matches!(self, Algorithm::EsMccfr | Algorithm::OsMccfr | Algorithm::CsMccfr);
        let dcfr = self == Algorithm::Dcfr;
        let given = [
            ("--alpha", args.alpha.is_some(), dcfr, "dcfr"),
            ("--beta", args.beta.is_some(), dcfr, "dcfr"),
            ("--gamma", args.gamma.is_some(), dcfr, "dcfr"),
            ("--exploration", args.exploration.is_some(), self == Algorithm::OsMccfr, "os-mccfr"),
            ("--seed", args.seed.is_some(), is_sampled, "es-mccfr, os-mccfr and cs-mccfr"),
            ("--updates", args.updates.is_some(), is_full_tree, "cfr, cfr+, lcfr, dcfr and pcfr+"),
        ];
        for (flag, is_given, belongs, to) in given {
            if is_given && !belongs {
                return Err(Usage(format!("{flag} is for {to}, not for {}", self.name())));
            }
        }
        for (flag, value) in
            [("--alpha", args.alpha), ("--beta", args.beta), ("--gamma", args.gamma)]
        {
            if value.is_some_and(|value| value.is_nan() || EXPONENT_MAX < value.abs()) {
                return Err(Usage(format!(
                    "{flag}: give a number from -{EXPONENT_MAX} to {EXPONENT_MAX}"
                )));
            }
        }
        Ok(())
    }
}

fn sampled(sampling: Sampling) -> Result<Method, Usage> {
    Ok(Method::Minimize(Minimization::Sampled(sampling)))
}

impl Minimization {
    pub fn begin<'t>(&self, tree: &'t Tree, seed: u64) -> Box<dyn Minimizer + 't> {
        match self {
            Minimization::FullTree { rule, updates } => {
                Box::new(Solver::new(tree, *rule, *updates))
            }
            Minimization::Sampled(sampling) => Box::new(SampledSolver::new(tree, *sampling, seed)),
        }
    }
}

impl fmt::Display for Minimization {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Minimization::FullTree { rule, updates: Updates::Alternating } => rule.fmt(f),
            Minimization::FullTree { rule, updates: Updates::Simultaneous } => {
                write!(f, "{rule}, simultaneous")
            }
            Minimization::Sampled(sampling) => sampling.fmt(f),
        }
    }
}
