//! The run's configuration as training reads it.

use net::{AdamWParams, Architecture};
use run::RunConfig;
use run::config::NetworkSection;

/// What training needs of a configuration.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    pub architecture: Architecture,
    /// Seed of random weights and of the order of rows.
    pub seed: u64,
    /// Rows of one step.
    pub batch: usize,
    pub optimizer: AdamWParams,
    /// Weight of the value loss against the policy loss.
    pub value_weight: f64,
    pub replay_ratio: f64,
    pub window_rows: u64,
    pub rows_per_generation: u64,
    pub held_out_share: f64,
    pub threads: usize,
}

impl Settings {
    pub fn of(config: &RunConfig) -> Settings {
        let training = &config.training;
        Settings {
            architecture: architecture(&config.network),
            seed: config.run.seed,
            batch: training.batch.max(1) as usize,
            optimizer: AdamWParams {
                learning_rate: training.learning_rate,
                weight_decay: training.weight_decay,
                ..AdamWParams::default()
            },
            value_weight: training.value_weight,
            replay_ratio: training.replay_ratio,
            window_rows: training.window_rows,
            rows_per_generation: training.rows_per_generation,
            held_out_share: training.held_out_share,
            threads: training.threads.max(1) as usize,
        }
    }

    /// Steps that train each of `new_rows` rows `replay_ratio` times on average; at least 1.
    pub fn steps_for(&self, new_rows: u64) -> u64 {
        let steps = self.replay_ratio * new_rows as f64 / self.batch as f64;
        (steps.round() as u64).max(1)
    }

    /// What the bits of trained weights depend on.
    pub fn numerics(&self) -> String {
        format!(
            "torch {}, cpu, float32, {}, {} threads, batch {}",
            net::torch_version(),
            net::kernel_level(),
            self.threads,
            self.batch
        )
    }
}

/// A configuration's network.
pub fn architecture(section: &NetworkSection) -> Architecture {
    match *section {
        NetworkSection::Residual { blocks, channels, value_hidden } => Architecture::Residual {
            blocks: blocks as usize,
            channels: channels as usize,
            value_hidden: value_hidden as usize,
        },
        NetworkSection::Mlp { hidden } => Architecture::Mlp { hidden: hidden as usize },
    }
}
