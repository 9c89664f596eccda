//! One stretch of training over one window: what both `train` and the service do.

use crate::TrainableGame;
use crate::batch::Batch;
use crate::learner::{Learner, MeanLosses, TrainError};
use crate::metrics::StepMetrics;
use crate::order::Order;
use crate::settings::Settings;
use crate::split::Split;
use crate::window::Window;
use net::{Checkpoint, CheckpointError, CheckpointFacts, WindowSummary};
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Rows of the training side on which the losses before and after are compared.
const COMPARED_ROWS: usize = 2_048;

/// How far to train over a window.
pub struct Plan<'a> {
    pub window: &'a Window,
    /// Keeps this stretch's order of rows apart from others of the run.
    pub order_name: String,
    /// Steps of the stretch; at least 1.
    pub steps: u64,
    /// Steps of the stretch that the learner has behind it.
    pub first_step: u64,
}

/// What a finished stretch did.
pub struct Trained {
    pub steps: Vec<StepMetrics>,
    /// On the same training rows, before the first step and after the last.
    pub first: MeanLosses,
    pub last: MeanLosses,
    /// On the games kept out, after the last step; `None` where there are none.
    pub held_out: Option<MeanLosses>,
    pub split: Split,
}

/// Why a stretch did not finish.
#[derive(Debug, thiserror::Error)]
pub enum StretchError {
    #[error(transparent)]
    Train(#[from] TrainError),
    #[error("there is no row to train on; play games first, or enlarge training.window_rows")]
    NoRows,
    #[error("training was stopped before step {0}")]
    Stopped(u64),
}

impl From<crate::batch::BadFeatures> for StretchError {
    fn from(error: crate::batch::BadFeatures) -> StretchError {
        StretchError::Train(error.into())
    }
}

/// Trains; `after_step` sees every step and may stop the stretch.
pub fn train<G: TrainableGame>(
    rules: &G,
    settings: &Settings,
    learner: &mut Learner,
    plan: &Plan<'_>,
    mut after_step: impl FnMut(&StepMetrics) -> ControlFlow<()>,
) -> Result<Trained, StretchError> {
    let split = Split::by_game(plan.window, settings.held_out_share);
    let stride = split.train.len().div_ceil(COMPARED_ROWS).max(1);
    let compared: Vec<u32> = split.train.iter().copied().step_by(stride).collect();
    let measure = |learner: &Learner, rows: &[u32]| learner.measure(rules, plan.window, rows);
    let first = measure(learner, &compared)?.ok_or(StretchError::NoRows)?;
    let mut order = Order::new(settings.seed, &plan.order_name, split.train.clone());
    let mut steps = Vec::new();
    for step in plan.first_step..plan.steps {
        let batch = Batch::of(rules, plan.window, &order.batch(step, settings.batch))?;
        let report = learner.step(&batch)?;
        let metrics = StepMetrics::new(learner.step_count(), &report);
        steps.push(metrics);
        if after_step(&metrics).is_break() {
            return Err(StretchError::Stopped(learner.step_count() + 1));
        }
    }
    let last = measure(learner, &compared)?.ok_or(StretchError::NoRows)?;
    let held_out = measure(learner, &split.held_out)?;
    Ok(Trained { steps, first, last, held_out, split })
}

/// Where a checkpoint stands in its run.
pub struct Provenance<'a> {
    pub run: &'a str,
    /// The game's name in the catalogue.
    pub game: &'a str,
    pub generation: u32,
    pub parent: Option<String>,
    pub seed: Option<u64>,
    pub window: WindowSummary,
}

/// Which rows of a window training drew from.
pub fn window_summary(window: &Window, split: &Split, last_sequence: u64) -> WindowSummary {
    WindowSummary {
        shards: window.n_shards() as u64,
        rows: split.train.len() as u64,
        games: window.n_games() as u64,
        held_out_rows: split.held_out.len() as u64,
        last_sequence,
    }
}

/// Writes the learner's state as a checkpoint; `folder` gives its place from its id.
pub fn save<G: TrainableGame>(
    rules: &G,
    settings: &Settings,
    learner: &Learner,
    provenance: Provenance<'_>,
    extra: Vec<(&'static str, Vec<u8>)>,
    folder: impl FnOnce(&str) -> PathBuf,
) -> Result<Checkpoint, CheckpointError> {
    let step = learner.step_count();
    let facts = CheckpointFacts {
        run: provenance.run.to_owned(),
        step,
        generation: provenance.generation,
        parent: provenance.parent,
        game: provenance.game.to_owned(),
        fingerprint_text: rules.fingerprint_text(),
        numerics: settings.numerics(),
        window: provenance.window,
        seed: provenance.seed,
    };
    let run = provenance.run;
    Checkpoint::save(learner.network(), Some(learner.optimizer()), facts, extra, |digest| {
        let id = run::CheckpointId::new(run, step, digest)
            .map_or_else(|error| error.0, |id| id.to_string());
        let folder = folder(&id);
        (id, folder)
    })
}
