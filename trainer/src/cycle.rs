//! The trainer's cycle: wait for a generation's rows, train, save, publish. No network and no clock in here; the
//! [`Publisher`] and the [`Board`] stand for the coordinator.

use crate::TrainableGame;
use crate::board::Board;
use crate::generation::{self, Plan, Provenance, StretchError, Trained};
use crate::learner::{Learner, MeanLosses};
use crate::loader::load_all;
use crate::rows::{Decoder, ShardRows};
use crate::settings::Settings;
use crate::window::{Window, newest};
use crate::{metrics, plot};
use anyhow::{Context, ensure};
use net::{AdamW, Checkpoint, Network, NetworkShape, WindowSummary};
use record::ShardManifest;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// Makes a saved checkpoint known to the run.
pub trait Publisher {
    fn publish(&self, checkpoint: &Checkpoint) -> anyhow::Result<()>;
}

/// Where a trainer works.
pub struct Place {
    pub run: String,
    /// The game's name in the catalogue.
    pub game: String,
    pub training_root: PathBuf,
    pub checkpoints: PathBuf,
}

/// `report.json` of a checkpoint: the generation whose product it is.
#[derive(Clone, Debug, Serialize)]
pub struct GenerationReport {
    /// The games were started with checkpoint `generation`, or an older one.
    pub generation: u32,
    pub new_rows: u64,
    pub new_shards: u64,
    pub new_games: u64,
    /// Games that met the play cap: they trained the policy only.
    pub truncated_games: u64,
    pub truncated_share: f64,
    /// Shards that could not be read and were left out.
    pub unreadable_shards: u64,
    pub steps: u64,
    pub window: WindowSummary,
    pub first: MeanLosses,
    pub last: MeanLosses,
    pub held_out: Option<MeanLosses>,
    pub rows_per_s: f64,
}

/// A trainer with its newest published checkpoint.
pub struct Cycle<'a, G> {
    decoder: Decoder<G>,
    settings: Settings,
    place: Place,
    board: &'a Board,
    newest: Checkpoint,
    cache: BTreeMap<String, Arc<ShardRows>>,
    unreadable: BTreeSet<String>,
}

/// Random weights as checkpoint 0 of a run. The same seed gives the same checkpoint.
pub fn first_checkpoint<G: TrainableGame>(
    rules: &G,
    settings: &Settings,
    place: &Place,
) -> anyhow::Result<Checkpoint> {
    let network = Network::random(settings.architecture, NetworkShape::of(rules), settings.seed)?;
    let optimizer = AdamW::new(settings.optimizer, network.parameters());
    let learner = Learner::new(network, optimizer, settings.value_weight, 0);
    let provenance = Provenance {
        run: &place.run,
        game: &place.game,
        generation: 0,
        parent: None,
        seed: Some(settings.seed),
        window: WindowSummary::default(),
    };
    let folder = |id: &str| place.checkpoints.join(id);
    Ok(generation::save(rules, settings, &learner, provenance, Vec::new(), folder)?)
}

/// How many of the accepted shards belong to the next generation's training: the fewest whose rows after
/// `last_sequence` reach `rows_per_generation`. It depends on the order of acceptance alone, so that a trainer
/// started again does the same as one that went on.
pub fn cut_off(
    accepted: &[ShardManifest],
    last_sequence: u64,
    rows_per_generation: u64,
) -> Result<usize, u64> {
    let first = accepted.len().min(last_sequence as usize);
    let mut n_rows = 0;
    for (idx, manifest) in accepted.iter().enumerate().skip(first) {
        n_rows += manifest.rows;
        if n_rows >= rows_per_generation {
            return Ok(idx + 1);
        }
    }
    Err(rows_per_generation - n_rows)
}

impl<'a, G: TrainableGame> Cycle<'a, G> {
    /// `newest` is the newest published checkpoint.
    pub fn new(
        rules: G,
        settings: Settings,
        place: Place,
        board: &'a Board,
        newest: Checkpoint,
    ) -> Cycle<'a, G> {
        Cycle {
            decoder: Decoder::new(rules),
            settings,
            place,
            board,
            newest,
            cache: BTreeMap::new(),
            unreadable: BTreeSet::new(),
        }
    }

    pub fn newest(&self) -> &Checkpoint {
        &self.newest
    }

    /// One generation after the other until the board says stop.
    pub fn run(&mut self, publisher: &impl Publisher) -> anyhow::Result<()> {
        while self.run_one(publisher)?.is_continue() {}
        Ok(())
    }

    /// Waits for one generation's rows, trains and publishes. `Break` when the trainer is to end.
    pub fn run_one(&mut self, publisher: &impl Publisher) -> anyhow::Result<ControlFlow<()>> {
        let last_sequence = self.newest.header.facts.window.last_sequence;
        let generation = self.newest.header.facts.generation;
        let wanted = self.settings.rows_per_generation;
        let step = self.newest.header.facts.step;
        let accepted = self.board.wait(|accepted, report| {
            report.doing = "waits for rows".to_owned();
            report.rate = 0.0;
            report.step = step;
            report.generation = generation;
            report.queue = (accepted.len() as u64).saturating_sub(last_sequence);
            match cut_off(accepted, last_sequence, wanted) {
                Ok(upto) => Some(accepted[..upto].to_vec()),
                Err(missing) => {
                    report.next = format!("{missing} rows to generation {}", generation + 1);
                    None
                }
            }
        });
        let Some(accepted) = accepted else { return Ok(ControlFlow::Break(())) };
        match self.train(&accepted, last_sequence as usize) {
            Ok(checkpoint) => {
                publisher.publish(&checkpoint)?;
                tracing::info!(
                    checkpoint = %checkpoint.header.id,
                    generation = generation + 1,
                    step = checkpoint.header.facts.step,
                    "checkpoint published"
                );
                self.newest = checkpoint;
                Ok(ControlFlow::Continue(()))
            }
            Err(error) if matches!(error.downcast_ref(), Some(StretchError::Stopped(_))) => {
                Ok(ControlFlow::Break(()))
            }
            Err(error) => Err(error),
        }
    }

    fn train(&mut self, accepted: &[ShardManifest], n_old: usize) -> anyhow::Result<Checkpoint> {
        let new = &accepted[n_old.min(accepted.len())..];
        let new_rows: u64 = new.iter().map(|manifest| manifest.rows).sum();
        let window = self.window(accepted)?;
        let generation = self.newest.header.facts.generation;
        let mut learner = self.learner()?;
        let plan = Plan {
            window: &window,
            order_name: format!("generation {generation}"),
            steps: self.settings.steps_for(new_rows),
            first_step: 0,
        };
        let started = Instant::now();
        let rules = self.decoder.rules.clone();
        let board = self.board;
        let batch = self.settings.batch as f64;
        let mut n_done = 0u64;
        let trained = generation::train(&rules, &self.settings, &mut learner, &plan, |step| {
            n_done += 1;
            board.update_report(|report| {
                report.doing = format!("trains generation {}", generation + 1);
                report.rate = n_done as f64 * batch / started.elapsed().as_secs_f64();
                report.rate_unit = "rows/s".to_owned();
                report.loss = step.policy_loss + step.value_loss.unwrap_or(0.0);
                report.step = step.step;
                report.next = format!("{} steps to publish", plan.steps - n_done);
            });
            if board.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        let rows_per_s = n_done as f64 * batch / started.elapsed().as_secs_f64();
        let last_sequence = accepted.len() as u64;
        let summary = generation::window_summary(&window, &trained.split, last_sequence);
        let report = self.generation_report(new, &trained, summary.clone(), rows_per_s);
        self.save(&learner, &trained, summary, &report)
    }

    fn learner(&self) -> anyhow::Result<Learner> {
        let newest = &self.newest;
        let mut optimizer = newest
            .load_optimizer()?
            .unwrap_or_else(|| AdamW::new(self.settings.optimizer, newest.network.parameters()));
        // The configuration may have changed on resume; the moments stay.
        optimizer.params = self.settings.optimizer;
        let step = newest.header.facts.step;
        Ok(Learner::new(newest.network.clone(), optimizer, self.settings.value_weight, step))
    }

    /// The newest rows. A shard that cannot be read is left out, said so, and does not end the run.
    fn window(&mut self, accepted: &[ShardManifest]) -> anyhow::Result<Window> {
        let wanted = newest(accepted, self.settings.window_rows);
        for manifest in wanted {
            let id = &manifest.shard;
            if self.cache.contains_key(id) || self.unreadable.contains(id) {
                continue;
            }
            match load_all(&self.decoder, &self.place.training_root, &[manifest]) {
                Ok(rows) => {
                    self.cache.extend(rows.into_iter().map(|rows| (id.clone(), rows)));
                }
                Err(error) => {
                    tracing::error!(shard = %id, %error, "shard left out of training");
                    self.unreadable.insert(id.clone());
                }
            }
        }
        let ids: BTreeSet<&String> = wanted.iter().map(|manifest| &manifest.shard).collect();
        self.cache.retain(|id, _| ids.contains(id));
        let shards =
            wanted.iter().filter_map(|manifest| self.cache.get(&manifest.shard).cloned()).collect();
        let window = Window::new(shards, self.settings.window_rows);
        ensure!(!window.is_empty(), "none of the window's {} shards can be read", wanted.len());
        Ok(window)
    }

    fn generation_report(
        &self,
        new: &[ShardManifest],
        trained: &Trained,
        window: WindowSummary,
        rows_per_s: f64,
    ) -> GenerationReport {
        let sum = |of: fn(&ShardManifest) -> u64| new.iter().map(of).sum::<u64>();
        let new_games = sum(|manifest| manifest.games);
        let truncated_games = sum(|manifest| manifest.truncated_games);
        GenerationReport {
            generation: self.newest.header.facts.generation,
            new_rows: sum(|manifest| manifest.rows),
            new_shards: new.len() as u64,
            new_games,
            truncated_games,
            truncated_share: truncated_games as f64 / new_games.max(1) as f64,
            unreadable_shards: self.unreadable.len() as u64,
            steps: trained.steps.len() as u64,
            window,
            first: trained.first,
            last: trained.last,
            held_out: trained.held_out,
            rows_per_s,
        }
    }

    fn save(
        &self,
        learner: &Learner,
        trained: &Trained,
        window: WindowSummary,
        report: &GenerationReport,
    ) -> anyhow::Result<Checkpoint> {
        let generation = self.newest.header.facts.generation + 1;
        let title = format!("{}: training of generation {}", self.place.run, report.generation);
        tracing::info!(
            generation = report.generation,
            policy_loss = report.last.policy,
            value_loss = report.last.value,
            truncated_share = report.truncated_share,
            "generation trained"
        );
        let extra = vec![
            ("report.json", serde_json::to_vec_pretty(report)?),
            ("metrics.jsonl", metrics::to_json_lines(&trained.steps).into_bytes()),
            ("loss.svg", plot::loss_svg(&trained.steps, &title)?.into_bytes()),
        ];
        let provenance = Provenance {
            run: &self.place.run,
            game: &self.place.game,
            generation,
            parent: Some(self.newest.header.id.clone()),
            seed: None,
            window,
        };
        let folder = |id: &str| self.place.checkpoints.join(id);
        let rules = &self.decoder.rules;
        Ok(generation::save(rules, &self.settings, learner, provenance, extra, folder)?)
    }
}

/// Loads the checkpoint a run has registered and checks that it is that one.
pub fn load_registered<G: TrainableGame>(
    rules: &G,
    root: &Path,
    named: &proto::v1::Checkpoint,
) -> anyhow::Result<Checkpoint> {
    let folder = root.join(&named.path);
    let checkpoint = Checkpoint::load(&folder, Some(&rules.fingerprint_text()))
        .with_context(|| format!("checkpoint {} of the run", named.id))?;
    ensure!(
        checkpoint.header.id == named.id && checkpoint.header.weights_digest == named.digest,
        "{} holds checkpoint {}, the run registered {} with digest {}; copy it again",
        folder.display(),
        checkpoint.header.id,
        named.id,
        named.digest
    );
    Ok(checkpoint)
}
