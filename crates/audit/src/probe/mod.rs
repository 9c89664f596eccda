//! A statistical probe of written rows, for what equality cannot show: whether the columns together tell more of the
//! opponent's hidden part than its exact posterior does.
//!
//! It needs games in which the opponent plays exactly the model that the belief assumes: then the posterior is the
//! Bayes bound, and nothing that depends on what the seat may know alone can beat it. Everything public goes together
//! with a hand, so that chance level would be the wrong thing to test against.
//!
//! | probe | sees | leaks show as |
//! |---|---|---|
//! | log-loss | the columns and every configuration with its posterior | a gain over the posterior, interval above 0 |
//! | pairs | the columns and one configuration, the true one or one drawn from the posterior | an AUC, interval above 0.5 |
//!
//! Both are fitted on half of the games and judged on the other half, and the other way round; intervals are
//! percentiles over games drawn anew with replacement.

mod bilinear;
mod candidates;
mod columns;
mod foresight;
mod interval;

pub use candidates::{Candidates, ProbeRow, probe_rows};
pub use columns::Columns;
pub use interval::Interval;

use bilinear::{Bilinear, Fit, Loss};
use game::{GameId, Stream};
use rayon::prelude::*;

/// What the two probes found.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ProbeOutcome {
    /// Mean over rows, in nats: the fitted classifier's on games it was not fitted on, and the posterior's.
    pub log_loss_probe: f64,
    pub log_loss_posterior: f64,
    /// Of `log_loss_posterior - log_loss_probe`.
    pub gain: Interval,
    pub auc: Interval,
}

impl ProbeOutcome {
    /// Both probes know more than the posterior.
    pub fn is_caught_by_both(&self) -> bool {
        self.gain.low > 0.0 && self.auc.low > 0.5
    }
}

/// Fits and judges both probes. `rows` are of at least four games, a game's rows together.
pub fn examine(rows: &[ProbeRow], seed: u64) -> ProbeOutcome {
    let games = games_of(rows);
    let scaled = columns::standardized(rows);
    let [posterior, pairs] = [Loss::Posterior, Loss::Pairs].map(|loss| {
        let fits: Vec<Bilinear> = [0, 1]
            .par_iter()
            .map(|fold| fit_on(rows, &scaled, &games, *fold, loss, seed))
            .collect();
        let judged = games.par_iter().enumerate().map(|(idx, game)| {
            let model = &fits[usize::from(idx % 2 == 0)];
            game.clone().map(|row| model.judge(&rows[row], &scaled[row])).collect::<Vec<_>>()
        });
        judged.collect::<Vec<_>>()
    });
    let gains: Vec<Vec<f64>> = posterior
        .iter()
        .map(|game| game.iter().map(|row| row.loss_posterior - row.loss_probe).collect())
        .collect();
    let n = rows.len() as f64;
    let mean =
        |of: fn(&bilinear::Judged) -> f64| posterior.iter().flatten().map(of).sum::<f64>() / n;
    let scores: Vec<Vec<(f64, f64)>> =
        pairs.iter().map(|game| game.iter().filter_map(|row| row.scores).collect()).collect();
    ProbeOutcome {
        log_loss_probe: mean(|row| row.loss_probe),
        log_loss_posterior: mean(|row| row.loss_posterior),
        gain: interval::of_mean(&gains, seed),
        auc: interval::of_auc(&scores, seed),
    }
}

/// A model fitted on the games of one fold, of which every fifth only says when to stop.
fn fit_on(
    rows: &[ProbeRow],
    scaled: &[Vec<f32>],
    games: &[std::ops::Range<usize>],
    fold: usize,
    loss: Loss,
    seed: u64,
) -> Bilinear {
    let mine = games.iter().skip(fold).step_by(2).enumerate();
    let (held, fitted): (Vec<_>, Vec<_>) = mine.partition(|(idx, _)| idx % 5 == 4);
    let rows_of = |games: Vec<(usize, &std::ops::Range<usize>)>| -> Vec<usize> {
        games.into_iter().flat_map(|(_, range)| range.clone()).collect()
    };
    let fit = Fit { rows, scaled, fitted: rows_of(fitted), held: rows_of(held), loss };
    fit.run(&mut Stream::from_seed(seed ^ fold as u64))
}

/// The rows of each game.
fn games_of(rows: &[ProbeRow]) -> Vec<std::ops::Range<usize>> {
    let mut games: Vec<std::ops::Range<usize>> = Vec::new();
    let mut last: Option<GameId> = None;
    for (idx, row) in rows.iter().enumerate() {
        match games.last_mut() {
            Some(range) if last == Some(row.game) => range.end = idx + 1,
            _ => games.push(idx..idx + 1),
        }
        last = Some(row.game);
    }
    games
}

/// The rows with one more column, which carries 0.1 bit of the hidden part: a bit of the true configuration (whether
/// the trait that varies most lies above its mean under the posterior), wrong with the probability at which a channel
/// of one bit carries a tenth. Shows how little the probes can still see.
pub fn with_a_tenth_of_a_bit(rows: &[ProbeRow], seed: u64) -> Vec<ProbeRow> {
    /// 1 - H(p) = 0.1.
    const FLIPPED: f64 = 0.316;
    let mut stream = Stream::from_seed(seed);
    let trait_idx = candidates::most_varying(rows);
    rows.iter()
        .map(|row| {
            let mean = row.candidates.mean(trait_idx);
            let is_above =
                f64::from(row.candidates.traits_of(row.candidates.truth)[trait_idx]) > mean;
            let bit = is_above != (stream.unit() < FLIPPED);
            let mut row = row.clone();
            row.columns.push(if bit { 1.0 } else { -1.0 });
            row
        })
        .collect()
}
