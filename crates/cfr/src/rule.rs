//! How regrets and strategy sums are weighted from one iteration to the next.
//!
//! All rules share one update. With r the counterfactual regrets of iteration t (counted from 1), R the accumulated
//! ones and x the seat's own plan before the update:
//!
//! R ← (R + r) · (positive where R + r ≥ 0, negative where it is below), S ← S + weight · x,
//! next strategy ∝ max(R, 0), or max(R + r, 0) if the rule predicts that the next regrets are like these.
//!
//! | rule | positive | negative | weight | source |
//! |---|---|---|---|---|
//! | `cfr` | 1 | 1 | 1 | Zinkevich, Johanson, Bowling, Piccione 2007 |
//! | `cfr+` | 1 | 0 | t | Tammelin 2014 |
//! | `lcfr` | t/(t+1) | t/(t+1) | t | Brown, Sandholm 2019 |
//! | `dcfr` | tᵅ/(tᵅ+1) | tᵝ/(tᵝ+1) | tᵞ | Brown, Sandholm 2019 |
//! | `pcfr+` | 1 | 0 | t² | Farina, Kroer, Sandholm 2021; predicts |
//!
//! Brown and Sandholm multiply the strategy sum by (t/(t+1))ᵞ at each iteration instead; the product of these factors
//! from t on is (t/(T+1))ᵞ, so that weights tᵞ give the same average.

use std::fmt;

/// A regret minimizer over the full tree.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Rule {
    Vanilla,
    Plus,
    Linear,
    Discounted { alpha: f64, beta: f64, gamma: f64 },
    PredictivePlus,
}

/// The weights of one iteration.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Discount {
    pub positive: f64,
    pub negative: f64,
    pub weight: f64,
}

impl Rule {
    /// Discounted CFR with the exponents that its paper recommends.
    pub const DCFR: Rule = Rule::Discounted { alpha: 1.5, beta: 0.0, gamma: 2.0 };

    /// The name that the command line and saved solves use.
    pub const fn name(self) -> &'static str {
        match self {
            Rule::Vanilla => "cfr",
            Rule::Plus => "cfr+",
            Rule::Linear => "lcfr",
            Rule::Discounted { .. } => "dcfr",
            Rule::PredictivePlus => "pcfr+",
        }
    }

    pub(crate) fn discount(self, iteration: u64) -> Discount {
        let t = iteration as f64;
        let share = |exponent: f64| {
            let power = t.powf(exponent);
            // A power too large for a number keeps everything.
            if power.is_finite() { power / (power + 1.0) } else { 1.0 }
        };
        let (positive, negative, weight) = match self {
            Rule::Vanilla => (1.0, 1.0, 1.0),
            Rule::Plus => (1.0, 0.0, t),
            Rule::Linear => (share(1.0), share(1.0), t),
            Rule::Discounted { alpha, beta, gamma } => (share(alpha), share(beta), t.powf(gamma)),
            Rule::PredictivePlus => (1.0, 0.0, t * t),
        };
        Discount { positive, negative, weight }
    }

    pub(crate) const fn predicts(self) -> bool {
        matches!(self, Rule::PredictivePlus)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rule::Discounted { alpha, beta, gamma } => write!(f, "dcfr({alpha}, {beta}, {gamma})"),
            other => f.write_str(other.name()),
        }
    }
}

/// When a seat learns of the others' new strategies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Updates {
    /// Seat after seat, each against the others' newest strategies.
    Alternating,
    /// All at once, against the strategies of the iteration before.
    Simultaneous,
}
