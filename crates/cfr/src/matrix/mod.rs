//! Two-player games of one simultaneous choice each.
//!
//! | module | what it computes |
//! |---|---|
//! | [`bimatrix`] | payoffs, mixed profiles, and the check of every profile: its largest one-sided gain |
//! | [`zero_sum`] | value and optimal strategies by linear program (von Neumann 1928) |
//! | [`support_enumeration`] | all equilibria of a nondegenerate game, in rationals (Porter, Nudelman, Shoham 2008) |
//! | [`correlated`] | the correlated equilibrium of greatest welfare by linear program (Aumann 1974) |
//! | [`iterative`] | fictitious play (Brown 1951) and regret matching (Hart, Mas-Colell 2000) |

pub mod bimatrix;
pub mod correlated;
pub mod iterative;
pub mod support_enumeration;
pub mod zero_sum;

pub use bimatrix::{Bimatrix, JointPlay, Profile};

/// A linear program that was not solved: a fault of the program or of the crate that solves it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the linear program of a {n_rows} x {n_columns} game was not solved: {reason}")]
pub struct NotSolved {
    pub n_rows: usize,
    pub n_columns: usize,
    pub reason: String,
}

/// The solution of a program over the cells or choices of `game`.
fn solve(game: &Bimatrix, problem: &microlp::Problem) -> Result<microlp::Solution, NotSolved> {
    let failed = |reason: String| {
        let (n_rows, n_columns) = (game.n_rows(), game.n_columns());
        NotSolved { n_rows, n_columns, reason }
    };
    let outcome = problem.solve().map_err(|error| failed(error.to_string()))?;
    outcome.into_solution().map_err(|_| failed("it was stopped".to_owned()))
}
