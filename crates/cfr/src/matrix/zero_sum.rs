//! Value and optimal strategies of a zero-sum game.

use super::{Bimatrix, NotSolved, Profile, solve};
use microlp::{ComparisonOp, OptimizationDirection, Problem, Variable};

/// Why there is no solution.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoSolution {
    #[error("the payoffs do not sum to 0: use support enumeration")]
    NotZeroSum,
    #[error(transparent)]
    NotSolved(#[from] NotSolved),
}

/// Optimal strategies of both players and the value for the first.
#[derive(Clone, PartialEq, Debug)]
pub struct Solution {
    pub value: f64,
    pub profile: Profile,
}

/// Two linear programs: each player maximizes what it secures.
pub fn solution(game: &Bimatrix) -> Result<Solution, NoSolution> {
    if !game.is_zero_sum() {
        return Err(NoSolution::NotZeroSum);
    }
    let (value, rows) = maximin(game, 0)?;
    let (_, columns) = maximin(game, 1)?;
    Ok(Solution { value, profile: Profile { rows, columns } })
}

/// maximize v such that against every choice of the other the mixed strategy earns at least v.
fn maximin(game: &Bimatrix, player: usize) -> Result<(f64, Vec<f64>), NotSolved> {
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let secured = problem.add_var(1.0, (f64::NEG_INFINITY, f64::INFINITY));
    let shares: Vec<Variable> =
        (0..game.n_choices(player)).map(|_| problem.add_var(0.0, (0.0, 1.0))).collect();
    for other in 0..game.n_choices(1 - player) {
        let earned = shares.iter().enumerate();
        let mut terms: Vec<(Variable, f64)> =
            earned.map(|(own, share)| (*share, game.payoff_of(player, own, other))).collect();
        terms.push((secured, -1.0));
        problem.add_constraint(&terms, ComparisonOp::Ge, 0.0);
    }
    let sum: Vec<(Variable, f64)> = shares.iter().map(|share| (*share, 1.0)).collect();
    problem.add_constraint(&sum, ComparisonOp::Eq, 1.0);
    let solution = solve(game, &problem)?;
    let strategy = shares.iter().map(|share| solution.var_value(*share)).collect();
    Ok((solution.objective(), strategy))
}
