//! `muster bench loader`: how fast shards become features.

use crate::TrainableGame;
use crate::batch::expand;
use crate::confine::{confine, open_run};
use crate::rows::Decoder;
use crate::settings::Settings;
use crate::train::load_window;
use anyhow::Context;
use catalog::GameVisitor;
use game::{Belief, PipelineGame};
use rayon::prelude::*;
use run::{Exit, Openings, RunFolder};
use serde::Serialize;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Measure how fast the loader decodes shards and expands features.
#[derive(clap::Args, Debug, Clone)]
pub struct LoaderArgs {
    /// The run folder whose shards are read.
    #[arg(long, value_name = "FOLDER", default_value = "runs/quickstart")]
    pub run: PathBuf,
    /// Seconds to measure, after one pass to warm up.
    #[arg(long, value_name = "SECONDS", default_value_t = 3)]
    pub seconds: u64,
    /// Print one JSON object on standard output.
    #[arg(long)]
    pub json: bool,
}

/// What `--json` prints.
#[derive(Clone, Debug, Serialize)]
pub struct LoaderReport {
    /// Rows read from shards, checked and expanded, each second.
    pub rows_per_s: f64,
    /// Feature planes written each second.
    pub planes_per_s: f64,
    /// Rows of the window.
    pub rows: u64,
    pub threads: usize,
    /// The processor level that kernels are chosen by.
    pub level: String,
}

/// The command.
pub fn run_loader(args: &LoaderArgs) -> anyhow::Result<Exit> {
    let folder = open_run(&args.run)?;
    confine(&folder, Openings::default())?;
    let (game, options) = (folder.config().run.game.clone(), folder.config().rules.clone());
    let visitor = LoaderVisitor { folder: &folder, duration: Duration::from_secs(args.seconds) };
    let report = catalog::visit(&game, &options, visitor).context("run.toml")??;
    if args.json {
        println!("{}", serde_json::to_string(&report)?);
    } else {
        println!(
            "{:.0} rows/s, {:.0} planes/s ({} rows, {} threads, {})",
            report.rows_per_s, report.planes_per_s, report.rows, report.threads, report.level
        );
    }
    Ok(Exit::Done)
}

struct LoaderVisitor<'a> {
    folder: &'a RunFolder,
    duration: Duration,
}

impl GameVisitor for LoaderVisitor<'_> {
    type Output = anyhow::Result<LoaderReport>;

    fn visit<G: PipelineGame, B: Belief<G>>(self, rules: G, _: B) -> Self::Output {
        measure(rules, self.folder, self.duration)
    }
}

/// Whole passes over the window: read, check, decode, expand.
pub fn measure<G: TrainableGame>(
    rules: G,
    folder: &RunFolder,
    duration: Duration,
) -> anyhow::Result<LoaderReport> {
    let settings = Settings::of(folder.config());
    let planes = rules.feature_layout().planes;
    let mut n_rows = pass(&rules, folder, &settings)?;
    let window_rows = n_rows as u64;
    n_rows = 0;
    let started = Instant::now();
    while started.elapsed() < duration {
        n_rows += pass(&rules, folder, &settings)?;
    }
    let rows_per_s = n_rows as f64 / started.elapsed().as_secs_f64();
    Ok(LoaderReport {
        rows_per_s,
        planes_per_s: rows_per_s * planes as f64,
        rows: window_rows,
        threads: rayon::current_num_threads(),
        level: net::kernel_level(),
    })
}

fn pass<G: TrainableGame>(
    rules: &G,
    folder: &RunFolder,
    settings: &Settings,
) -> anyhow::Result<usize> {
    let decoder = Decoder::new(rules.clone());
    let (window, _) = load_window(folder, decoder.rules.clone(), settings)?;
    let row_len = rules.feature_layout().row_len();
    (0..window.len()).into_par_iter().try_for_each_init(
        || vec![0.0f32; row_len],
        |out, idx| expand(rules, window.row(idx).now, out).map_err(anyhow::Error::msg),
    )?;
    Ok(window.len())
}
