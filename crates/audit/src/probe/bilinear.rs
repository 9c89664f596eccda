//! The classifier of both probes: every configuration's score is a bilinear form of its traits and the row's columns.

use super::candidates::{Candidates, ProbeRow};
use game::Stream;

/// What is fitted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Loss {
    /// Logits are the log of the posterior plus the score; softmax over all configurations.
    Posterior,
    /// Which of the true and the drawn configuration is the true one, each by its own score.
    Pairs,
}

/// The matrix of the form, columns fastest.
#[derive(Clone)]
pub(super) struct Bilinear {
    weights: Vec<f32>,
    n_columns: usize,
}

/// One row, judged by a model that was not fitted on its game.
pub(super) struct Judged {
    pub loss_probe: f64,
    pub loss_posterior: f64,
    /// Scores of the true and of the drawn configuration; none where the two are the same.
    pub scores: Option<(f64, f64)>,
}

/// One fit: which rows, and which of them say when to stop.
pub(super) struct Fit<'a> {
    pub rows: &'a [ProbeRow],
    pub scaled: &'a [Vec<f32>],
    pub fitted: Vec<usize>,
    pub held: Vec<usize>,
    pub loss: Loss,
}

const EPOCHS_MAX: usize = 40;
/// Epochs without a better loss on the held rows before the fit ends.
const PATIENCE: usize = 5;
const BATCH: usize = 64;
const STEP: f32 = 0.003;
const DECAY: f32 = 0.01;

impl Bilinear {
    /// The factor of each trait for a row with these columns.
    fn slopes(&self, columns: &[f32]) -> Vec<f32> {
        self.weights
            .chunks_exact(self.n_columns)
            .map(|weights| weights.iter().zip(columns).map(|(w, c)| w * c).sum())
            .collect()
    }

    fn score(slopes: &[f32], traits: &[f32]) -> f64 {
        f64::from(slopes.iter().zip(traits).map(|(slope, it)| slope * it).sum::<f32>())
    }

    pub fn judge(&self, row: &ProbeRow, columns: &[f32]) -> Judged {
        let slopes = self.slopes(columns);
        let candidates = &row.candidates;
        let chances = chances(candidates, &slopes);
        let of = |idx: usize| Bilinear::score(&slopes, candidates.traits_of(idx));
        let is_other = candidates.truth != candidates.drawn;
        Judged {
            loss_probe: -chances[candidates.truth].ln(),
            loss_posterior: -candidates.log_posterior[candidates.truth],
            scores: is_other.then(|| (of(candidates.truth), of(candidates.drawn))),
        }
    }
}

/// Softmax of the log posterior plus the scores.
fn chances(candidates: &Candidates, slopes: &[f32]) -> Vec<f64> {
    let logit = |idx: usize| {
        candidates.log_posterior[idx] + Bilinear::score(slopes, candidates.traits_of(idx))
    };
    let logits: Vec<f64> = (0..candidates.len()).map(logit).collect();
    let most = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let exps: Vec<f64> = logits.iter().map(|it| (it - most).exp()).collect();
    let sum: f64 = exps.iter().sum();
    exps.into_iter().map(|it| (it / sum).max(1e-300)).collect()
}

impl Fit<'_> {
    /// Adam with decoupled decay, from zero; keeps what was best on the held rows.
    pub fn run(&self, stream: &mut Stream) -> Bilinear {
        let n_columns = self.scaled.first().map_or(1, Vec::len);
        let n_traits = self.rows.first().map_or(0, |row| row.candidates.n_traits());
        let mut model = Bilinear { weights: vec![0.0; n_columns * n_traits], n_columns };
        let mut adam = Adam::new(model.weights.len());
        let mut best = (self.held_loss(&model), model.clone());
        let mut n_worse = 0;
        let mut order = self.fitted.clone();
        for _ in 0..EPOCHS_MAX {
            stream.shuffle(&mut order);
            for batch in order.chunks(BATCH) {
                let mut gradient = vec![0.0; model.weights.len()];
                for row in batch {
                    self.add_gradient(&model, *row, 1.0 / batch.len() as f32, &mut gradient);
                }
                adam.step(&mut model.weights, &gradient);
            }
            let loss = self.held_loss(&model);
            if loss < best.0 {
                best = (loss, model.clone());
                n_worse = 0;
            } else {
                n_worse += 1;
                if n_worse == PATIENCE {
                    break;
                }
            }
        }
        best.1
    }

    fn held_loss(&self, model: &Bilinear) -> f64 {
        let loss = |row: &usize| {
            let judged = model.judge(&self.rows[*row], &self.scaled[*row]);
            match self.loss {
                Loss::Posterior => judged.loss_probe,
                Loss::Pairs => judged.scores.map_or(0.0, |(a, b)| softplus(-a) + softplus(b)),
            }
        };
        self.held.iter().map(loss).sum()
    }

    fn add_gradient(&self, model: &Bilinear, row: usize, share: f32, gradient: &mut [f32]) {
        let columns = &self.scaled[row];
        let candidates = &self.rows[row].candidates;
        let slopes = model.slopes(columns);
        let mut by_trait = vec![0.0f32; candidates.n_traits()];
        let mut add = |idx: usize, factor: f64| {
            let traits = candidates.traits_of(idx);
            by_trait.iter_mut().zip(traits).for_each(|(sum, it)| *sum += factor as f32 * it);
        };
        match self.loss {
            Loss::Posterior => {
                for (idx, chance) in chances(candidates, &slopes).into_iter().enumerate() {
                    add(idx, chance - f64::from(u8::from(idx == candidates.truth)));
                }
            }
            Loss::Pairs if candidates.truth == candidates.drawn => return,
            Loss::Pairs => {
                let of = |idx: usize| Bilinear::score(&slopes, candidates.traits_of(idx));
                add(candidates.truth, -sigmoid(-of(candidates.truth)));
                add(candidates.drawn, sigmoid(of(candidates.drawn)));
            }
        }
        for (sum, of_trait) in gradient.chunks_exact_mut(model.n_columns).zip(&by_trait) {
            sum.iter_mut().zip(columns).for_each(|(sum, it)| *sum += share * of_trait * it);
        }
    }
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

/// Kingma and Ba 2015, with the decay decoupled (Loshchilov and Hutter 2019).
struct Adam {
    first: Vec<f32>,
    second: Vec<f32>,
    n_steps: i32,
}

impl Adam {
    fn new(n: usize) -> Adam {
        Adam { first: vec![0.0; n], second: vec![0.0; n], n_steps: 0 }
    }

    fn step(&mut self, weights: &mut [f32], gradient: &[f32]) {
        self.n_steps += 1;
        let [first_share, second_share] =
            [1.0 - 0.9f32.powi(self.n_steps), 1.0 - 0.999f32.powi(self.n_steps)];
        for (((weight, slope), first), second) in
            weights.iter_mut().zip(gradient).zip(&mut self.first).zip(&mut self.second)
        {
            *first = 0.9 * *first + 0.1 * slope;
            *second = 0.999 * *second + 0.001 * slope * slope;
            let size = (*second / second_share).sqrt() + 1e-8;
            *weight -= STEP * (*first / first_share / size + DECAY * *weight);
        }
    }
}
