//! The classifier of both probes: every configuration's score is a bilinear form of its traits and the row's columns,
//! of which only the most telling products are kept.
//!
//! There are thousands of products of a trait and a column, and some thousand rows: a form with all of them fits noise.
//! Each product is judged alone first (sure independence screening, Fan and Lv 2008), and the best few are fitted
//! together; how many, and for how long, the held rows say.

use super::candidates::{self, Candidates, ProbeRow};
use game::Stream;

/// What is fitted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Loss {
    /// Logits are the log of the posterior plus the score; softmax over all configurations.
    Posterior,
    /// Which of the true and the drawn configuration is the true one, each by its own score.
    Pairs,
}

/// One product of a trait and a column.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Product {
    trait_idx: usize,
    column: usize,
    /// Makes the trait's spread within a row 1 on average.
    scale: f32,
}

/// The sum of weighted products.
#[derive(Clone)]
pub(super) struct Bilinear {
    products: Vec<Product>,
    weights: Vec<f32>,
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

/// How much smaller the loss of all held rows together must be, in nats, before a model counts as better than none.
const LEAST_GAIN: f64 = 2.0;
/// How many products are tried together.
const N_PRODUCTS: [usize; 5] = [1, 2, 4, 16, 64];
const EPOCHS_MAX: usize = 60;
/// Epochs without a better loss on the held rows before a fit ends.
const PATIENCE: usize = 6;
const BATCH: usize = 64;
const STEP: f32 = 0.01;

impl Bilinear {
    /// The factor of each trait that has one, for a row with these columns.
    fn slopes(&self, columns: &[f32]) -> Vec<(usize, f32)> {
        let factors = self.products.iter().zip(&self.weights);
        factors.map(|(it, weight)| (it.trait_idx, it.scale * weight * columns[it.column])).collect()
    }

    fn score(slopes: &[(usize, f32)], traits: &[f32]) -> f64 {
        f64::from(slopes.iter().map(|(idx, slope)| slope * traits[*idx]).sum::<f32>())
    }

    pub fn judge(&self, row: &ProbeRow, columns: &[f32]) -> Judged {
        let slopes = self.slopes(columns);
        let candidates = &row.candidates;
        let of = |idx: usize| Bilinear::score(&slopes, candidates.traits_of(idx));
        let is_other = candidates.truth != candidates.drawn;
        let loss_posterior = -candidates.log_posterior[candidates.truth];
        // Without a product it is the posterior, to the last bit.
        let loss_probe = match slopes.is_empty() {
            true => loss_posterior,
            false => -chances(candidates, &slopes)[candidates.truth].ln(),
        };
        Judged {
            loss_probe,
            loss_posterior,
            scores: is_other.then(|| (of(candidates.truth), of(candidates.drawn))),
        }
    }
}

/// Softmax of the log posterior plus the scores.
fn chances(candidates: &Candidates, slopes: &[(usize, f32)]) -> Vec<f64> {
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
    /// The best on the held rows of the models with more and more products; the one without any if none is better.
    pub fn run(&self, stream: &mut Stream) -> Bilinear {
        let ranked = self.ranked_products();
        let none = Bilinear { products: Vec::new(), weights: Vec::new() };
        let mut best = (self.held_loss(&none) - LEAST_GAIN, none);
        for n in N_PRODUCTS {
            let products: Vec<Product> = ranked.iter().take(n).copied().collect();
            let weights = vec![0.0; products.len()];
            self.fit(Bilinear { products, weights }, &mut best, stream);
        }
        best.1
    }

    /// Every product, those first whose gradient at zero is farthest from 0 in standard errors. Rows of a game hang
    /// together, so that a game counts as one observation.
    fn ranked_products(&self) -> Vec<Product> {
        let n_columns = self.scaled.first().map_or(0, Vec::len);
        let spreads = candidates::spreads(self.rows);
        let mut sums = vec![(0.0f64, 0.0f64); spreads.len() * n_columns];
        for game in self.fitted.chunk_by(|a, b| self.rows[*a].game == self.rows[*b].game) {
            let mut of_game = vec![0.0f32; sums.len()];
            game.iter().for_each(|row| self.add_products(*row, &mut of_game));
            for (sum, it) in sums.iter_mut().zip(of_game) {
                let it = f64::from(it);
                *sum = (sum.0 + it, sum.1 + it * it);
            }
        }
        let mut ranked: Vec<(f64, Product)> = sums
            .iter()
            .enumerate()
            .map(|(idx, (sum, squares))| (idx / n_columns, idx % n_columns, sum.abs(), squares))
            .filter(|(trait_idx, ..)| spreads[*trait_idx] > 1e-5)
            .map(|(trait_idx, column, sum, squares)| {
                let scale = (1.0 / spreads[trait_idx]) as f32;
                (sum / squares.sqrt().max(1e-9), Product { trait_idx, column, scale })
            })
            .collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        ranked.into_iter().map(|(_, product)| product).collect()
    }

    /// Adds what each product says of the true configuration, against the posterior's mean or the drawn one.
    fn add_products(&self, row: usize, sums: &mut [f32]) {
        let columns = &self.scaled[row];
        let candidates = &self.rows[row].candidates;
        let traits = candidates.traits_of(candidates.truth);
        let drawn = candidates.traits_of(candidates.drawn);
        for (trait_idx, sums) in sums.chunks_exact_mut(columns.len()).enumerate() {
            let slope = match self.loss {
                Loss::Posterior => traits[trait_idx],
                Loss::Pairs => traits[trait_idx] - drawn[trait_idx],
            };
            sums.iter_mut().zip(columns).for_each(|(sum, column)| *sum += slope * column);
        }
    }

    /// Adam from zero; `best` becomes what is better on the held rows.
    fn fit(&self, mut model: Bilinear, best: &mut (f64, Bilinear), stream: &mut Stream) {
        let mut adam = Adam::new(model.weights.len());
        let (mut least, mut n_worse) = (f64::INFINITY, 0);
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
                *best = (loss, model.clone());
            }
            if loss < least {
                (least, n_worse) = (loss, 0);
            } else {
                n_worse += 1;
                if n_worse == PATIENCE {
                    return;
                }
            }
        }
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
            for (trait_idx, _) in &slopes {
                by_trait[*trait_idx] += factor as f32 * traits[*trait_idx];
            }
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
        // A trait with several products was added once for each.
        let mut times = vec![0.0f32; candidates.n_traits()];
        slopes.iter().for_each(|(trait_idx, _)| times[*trait_idx] += 1.0);
        for (sum, it) in gradient.iter_mut().zip(&model.products) {
            let of_trait = by_trait[it.trait_idx] / times[it.trait_idx];
            *sum += share * of_trait * it.scale * columns[it.column];
        }
    }
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

/// Kingma and Ba 2015.
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
        let share = |decay: f32| 1.0 - decay.powi(self.n_steps);
        let (first_share, second_share) = (share(0.9), share(0.999));
        for (((weight, slope), first), second) in
            weights.iter_mut().zip(gradient).zip(&mut self.first).zip(&mut self.second)
        {
            *first = 0.9 * *first + 0.1 * slope;
            *second = 0.999 * *second + 0.001 * slope * slope;
            *weight -= STEP * (*first / first_share) / ((*second / second_share).sqrt() + 1e-8);
        }
    }
}
