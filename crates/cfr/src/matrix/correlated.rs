//! The correlated equilibrium that gives both players together the most.

use super::{Bimatrix, JointPlay, NotSolved, solve};
use microlp::{ComparisonOp, OptimizationDirection, Problem, Variable};

/// maximize the sum of both players' payoffs over all distributions on the cells from which nobody gains by taking
/// another choice than the one it is told.
pub fn of_greatest_welfare(game: &Bimatrix) -> Result<JointPlay, NotSolved> {
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let mut cells: Vec<Variable> = Vec::new();
    for row in 0..game.n_rows() {
        for column in 0..game.n_columns() {
            let [first, second] = game.payoff(row, column);
            cells.push(problem.add_var(first + second, (0.0, 1.0)));
        }
    }
    let cell = |player: usize, own: usize, other: usize| {
        let (row, column) = if player == 0 { (own, other) } else { (other, own) };
        cells[row * game.n_columns() + column]
    };
    for player in [0, 1] {
        for told in 0..game.n_choices(player) {
            for taken in (0..game.n_choices(player)).filter(|taken| *taken != told) {
                let others = 0..game.n_choices(1 - player);
                let terms: Vec<(Variable, f64)> = others
                    .map(|other| {
                        let told_value = game.payoff_of(player, told, other);
                        let gain = game.payoff_of(player, taken, other) - told_value;
                        (cell(player, told, other), gain)
                    })
                    .collect();
                problem.add_constraint(&terms, ComparisonOp::Le, 0.0);
            }
        }
    }
    let sum: Vec<(Variable, f64)> = cells.iter().map(|cell| (*cell, 1.0)).collect();
    problem.add_constraint(&sum, ComparisonOp::Eq, 1.0);
    let solution = solve(game, &problem)?;
    Ok(JointPlay(cells.iter().map(|cell| solution.var_value(*cell)).collect()))
}
