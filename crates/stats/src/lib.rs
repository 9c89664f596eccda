//! Statistics of evaluation: Elo with intervals from pairs of games, sequential tests, a ladder of many players.
//!
//! The unit of observation is the *pair*: two games with the same deal and the same chance stream, seats swapped.
//! Games of a pair are correlated, pairs are not, so every variance here is one over pairs. Everything is from
//! the first player's (A's) view, and every number is finite, so that it can stand in JSON.

mod elo;
mod ladder;
mod pairs;
mod sprt;
mod wilson;

pub use elo::{ELO_LIMIT, EloEstimate, elo_of_score, score_of_elo};
pub use ladder::{Encounter, Rating, fit_ladder};
pub use pairs::{GameResult, PairCounts};
pub use sprt::{Sprt, SprtDecision, SprtError};
pub use wilson::{Z_95, wilson};
