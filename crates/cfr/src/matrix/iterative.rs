//! Playing a game again and again: what the average of simple learners comes to.

use super::{Bimatrix, JointPlay, Profile};

/// A pair of learners.
#[derive(Clone, Debug)]
pub struct Learning<'g> {
    game: &'g Bimatrix,
    method: Method,
    /// Rounds played.
    rounds: u64,
    /// Per player and choice: what it would have earned so far minus what was earned (regret matching), or what it
    /// would have earned (fictitious play).
    scores: [Vec<f64>; 2],
    /// The strategies of all rounds, added up.
    sums: [Vec<f64>; 2],
    /// The joint distributions of all rounds, added up.
    joint: Vec<f64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Each plays a best answer to what the other did on average; among equals the first. Converges in zero-sum games
    /// (Robinson 1951), not in all (Shapley 1964).
    FictitiousPlay,
    /// Each plays in proportion to its positive regrets, both at once; no regret in the long run, so that the average
    /// of the joint play approaches the coarse correlated equilibria.
    RegretMatching,
}

impl<'g> Learning<'g> {
    pub fn new(game: &'g Bimatrix, method: Method) -> Self {
        let zeros = || [0, 1].map(|player| vec![0.0; game.n_choices(player)]);
        let joint = vec![0.0; game.n_rows() * game.n_columns()];
        Learning { game, method, rounds: 0, scores: zeros(), sums: zeros(), joint }
    }

    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// Plays `n` more rounds.
    pub fn play(&mut self, n: u64) {
        for _ in 0..n {
            self.play_one();
        }
    }

    fn play_one(&mut self) {
        self.rounds += 1;
        let strategies = [self.strategy(0), self.strategy(1)];
        for player in [0, 1] {
            let values = self.game.values_against(player, &strategies[1 - player]);
            let earned: f64 = match self.method {
                Method::FictitiousPlay => 0.0,
                Method::RegretMatching => {
                    values.iter().zip(&strategies[player]).map(|(v, share)| v * share).sum()
                }
            };
            for (score, value) in self.scores[player].iter_mut().zip(values) {
                *score += value - earned;
            }
            for (sum, share) in self.sums[player].iter_mut().zip(&strategies[player]) {
                *sum += share;
            }
        }
        let [rows, columns] = strategies;
        let played = Profile { rows, columns }.joint();
        self.joint.iter_mut().zip(played.0).for_each(|(sum, share)| *sum += share);
    }

    fn strategy(&self, player: usize) -> Vec<f64> {
        let scores = &self.scores[player];
        match self.method {
            Method::FictitiousPlay => {
                let best = (0..scores.len()).rev().max_by(|a, b| scores[*a].total_cmp(&scores[*b]));
                let mut pure = vec![0.0; scores.len()];
                pure[best.unwrap_or(0)] = 1.0;
                pure
            }
            Method::RegretMatching => {
                let positive: Vec<f64> = scores.iter().map(|score| score.max(0.0)).collect();
                let mut strategy = vec![0.0; scores.len()];
                crate::policy::normalize(&positive, &mut strategy);
                strategy
            }
        }
    }

    /// Each player's strategies of all rounds, averaged.
    pub fn average(&self) -> Profile {
        let [rows, columns] = [0, 1].map(|player| {
            let mut average = vec![0.0; self.sums[player].len()];
            crate::policy::normalize(&self.sums[player], &mut average);
            average
        });
        Profile { rows, columns }
    }

    /// The joint play of all rounds, averaged.
    pub fn joint(&self) -> JointPlay {
        let n = self.rounds.max(1) as f64;
        JointPlay(self.joint.iter().map(|sum| sum / n).collect())
    }

    /// The most that a player would have earned more by one choice in all rounds, per round: at most 0 in a coarse
    /// correlated equilibrium.
    pub fn largest_regret(&self) -> f64 {
        let values = self.joint().values(self.game);
        let average = self.average();
        let gain = |player: usize| {
            let fixed = self.game.values_against(player, average.of(1 - player));
            fixed.into_iter().fold(f64::NEG_INFINITY, f64::max) - values[player]
        };
        gain(0).max(gain(1))
    }
}
