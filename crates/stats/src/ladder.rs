//! Ratings of many players from all their games: a Bradley–Terry fit.

use crate::elo::ELO_LIMIT;
use crate::wilson::Z_95;
use serde::Serialize;

/// Games between two players of the table.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Encounter {
    pub a: usize,
    pub b: usize,
    /// A's points: a win 1, a draw or truncated game ½.
    pub points: f64,
    pub n_games: f64,
}

/// One player's place, in Elo relative to player 0, with a 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Rating {
    pub elo: f64,
    pub elo_low: f64,
    pub elo_high: f64,
    pub points: f64,
    pub games: f64,
}

/// Elo in natural units.
const ELO_PER_NAT: f64 = 400.0 / std::f64::consts::LN_10;

/// The most likely ratings. Player 0 is the anchor with rating 0. Each encounter gets one more game that ended
/// evenly, so that a player without a loss has a finite rating; players that no chain of games joins to player 0
/// stay at 0 with the widest interval. Games count as independent, which makes the intervals of paired games
/// rather too wide than too narrow.
pub fn fit_ladder(n_players: usize, encounters: &[Encounter]) -> Vec<Rating> {
    let mut ratings = vec![0.0; n_players];
    let mut information = Matrix::zero(n_players);
    for _ in 0..100 {
        let (slope, curvature) = derivatives(&ratings, encounters);
        information = curvature;
        let Some(step) = information.clone().solve(&slope) else { break };
        // A bounded step keeps the first rounds of a lopsided table on course.
        let longest = step.iter().fold(0.0f64, |longest, x| longest.max(x.abs()));
        let share = if longest > 2.0 { 2.0 / longest } else { 1.0 };
        ratings.iter_mut().zip(&step).for_each(|(rating, step)| *rating += share * step);
        if longest < 1e-10 {
            break;
        }
    }
    (0..n_players).map(|player| rating_of(player, &ratings, &information, encounters)).collect()
}

/// Slope and negative curvature of the log-likelihood; the anchor's row is the identity.
fn derivatives(ratings: &[f64], encounters: &[Encounter]) -> (Vec<f64>, Matrix) {
    let mut slope = vec![0.0; ratings.len()];
    let mut curvature = Matrix::zero(ratings.len());
    for encounter in encounters.iter().filter(|encounter| encounter.n_games > 0.0) {
        let Encounter { a, b, points, n_games } = *encounter;
        let (points, n) = (points + 0.5, n_games + 1.0);
        let expected = 1.0 / (1.0 + (ratings[b] - ratings[a]).exp());
        slope[a] += points - n * expected;
        slope[b] -= points - n * expected;
        let weight = n * expected * (1.0 - expected);
        curvature.add(a, a, weight);
        curvature.add(b, b, weight);
        curvature.add(a, b, -weight);
        curvature.add(b, a, -weight);
    }
    // A ridge far below one game keeps players without games at 0.
    for player in 0..ratings.len() {
        slope[player] -= RIDGE * ratings[player];
        curvature.add(player, player, RIDGE);
    }
    if !ratings.is_empty() {
        slope[0] = 0.0;
        curvature.anchor_first();
    }
    (slope, curvature)
}

const RIDGE: f64 = 1e-6;

fn rating_of(player: usize, ratings: &[f64], information: &Matrix, all: &[Encounter]) -> Rating {
    let mut unit = vec![0.0; ratings.len()];
    unit[player] = 1.0;
    let variance = match (player, information.clone().solve(&unit)) {
        (0, _) => 0.0,
        (_, Some(column)) => column[player],
        (_, None) => f64::MAX,
    };
    let elo = ratings[player] * ELO_PER_NAT;
    let half = Z_95 * variance.sqrt() * ELO_PER_NAT;
    let mine = all.iter().filter(|encounter| encounter.a == player || encounter.b == player);
    let (mut points, mut games) = (0.0, 0.0);
    for encounter in mine {
        games += encounter.n_games;
        points += match encounter.a == player {
            true => encounter.points,
            false => encounter.n_games - encounter.points,
        };
    }
    let bounded = |elo: f64| elo.clamp(-2.0 * ELO_LIMIT, 2.0 * ELO_LIMIT);
    Rating {
        elo: bounded(elo),
        elo_low: bounded(elo - half),
        elo_high: bounded(elo + half),
        points,
        games,
    }
}

/// A square matrix, row by row.
#[derive(Clone)]
struct Matrix {
    n: usize,
    cells: Vec<f64>,
}

impl Matrix {
    fn zero(n: usize) -> Matrix {
        Matrix { n, cells: vec![0.0; n * n] }
    }

    fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.n + column]
    }

    fn add(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.n + column] += value;
    }

    fn anchor_first(&mut self) {
        for idx in 0..self.n {
            self.cells[idx] = 0.0;
            self.cells[idx * self.n] = 0.0;
        }
        self.cells[0] = 1.0;
    }

    /// Gauss–Jordan with pivots; `None` for a singular matrix.
    fn solve(mut self, right: &[f64]) -> Option<Vec<f64>> {
        let mut right = right.to_vec();
        for column in 0..self.n {
            let pivot = (column..self.n)
                .max_by(|&x, &y| self.at(x, column).abs().total_cmp(&self.at(y, column).abs()))?;
            if self.at(pivot, column).abs() < 1e-12 {
                return None;
            }
            for idx in 0..self.n {
                self.cells.swap(column * self.n + idx, pivot * self.n + idx);
            }
            right.swap(column, pivot);
            for row in (0..self.n).filter(|&row| row != column) {
                let factor = self.at(row, column) / self.at(column, column);
                for idx in column..self.n {
                    self.add(row, idx, -factor * self.at(column, idx));
                }
                right[row] -= factor * right[column];
            }
        }
        (0..self.n).for_each(|idx| right[idx] /= self.at(idx, idx));
        Some(right)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elo::{elo_of_score, score_of_elo};

    fn encounter(a: usize, b: usize, points: f64, n_games: f64) -> Encounter {
        Encounter { a, b, points, n_games }
    }

    /// Two players: the fit is the score with half a game added on each side.
    #[test]
    fn two_players_have_the_elo_of_their_score() {
        let ratings = fit_ladder(2, &[encounter(1, 0, 75.0, 100.0)]);
        assert_eq!((ratings[0].elo, ratings[0].elo_low, ratings[0].elo_high), (0.0, 0.0, 0.0));
        assert!((ratings[1].elo - elo_of_score(75.5 / 101.0)).abs() < 1e-3, "{ratings:?}");
        assert_eq!((ratings[1].points, ratings[1].games), (75.0, 100.0));
        // sd of the log odds: 1 / sqrt(n p (1 - p)).
        let p: f64 = 75.5 / 101.0;
        let half = Z_95 / (101.0 * p * (1.0 - p)).sqrt() * ELO_PER_NAT;
        assert!((ratings[1].elo_high - ratings[1].elo - half).abs() < 1e-2, "{ratings:?}");
    }

    /// Expected scores of known ratings, played very often, give the ratings back.
    #[test]
    fn known_ratings_come_back() {
        let truth = [0.0, 120.0, -80.0, 300.0];
        let mut encounters = Vec::new();
        for a in 0..4 {
            for b in 0..a {
                let n = 1e6;
                encounters.push(encounter(a, b, n * score_of_elo(truth[a] - truth[b]), n));
            }
        }
        for (rating, elo) in fit_ladder(4, &encounters).iter().zip(truth) {
            assert!((rating.elo - elo).abs() < 0.1, "{rating:?} {elo}");
        }
    }

    #[test]
    fn sweeps_chains_and_strangers_stay_finite() {
        let encounters = [encounter(1, 0, 80.0, 80.0), encounter(2, 1, 80.0, 80.0)];
        let ratings = fit_ladder(4, &encounters);
        assert!(ratings[2].elo > ratings[1].elo && ratings[1].elo > 500.0, "{ratings:?}");
        assert!(ratings.iter().all(|r| r.elo_low.is_finite() && r.elo_high.is_finite()));
        assert_eq!((ratings[3].elo, ratings[3].games), (0.0, 0.0));
        assert!(ratings[3].elo_high > 1000.0);
        assert!(fit_ladder(0, &[]).is_empty());
    }
}
