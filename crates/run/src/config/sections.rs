//! The sections and keys. Every key states its unit and range; `check.rs` enforces the range.

use serde::{Deserialize, Serialize};

/// `[run]`: what is played, from which seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunSection {
    /// A game's name in the catalogue.
    #[serde(default = "war_chest")]
    pub game: String,
    /// The seed of every search of the run (noise, temperature, worlds). Any number.
    pub seed: u64,
    /// 64 hexadecimal digits from which deals and chance derive, for a repeatable run. Left out (the rule), it
    /// is drawn when the run is created. It is never printed and never stored with what training may read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deal_secret: Option<String>,
    /// What the run shows, for its summary: free text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

fn war_chest() -> String {
    "war-chest".to_owned()
}

/// `[network]`: the kind and size of the policy and value network. The same names as in a checkpoint's header.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum NetworkSection {
    /// Residual convolutions over the board's grid.
    Residual {
        /// Residual blocks, 1 to 40.
        blocks: u32,
        /// Channels of every block, 8 to 512.
        channels: u32,
        /// Width of the layer over the whole board that feeds the value and the flat logits, 8 to 4,096.
        value_hidden: u32,
    },
    /// Two dense layers: for plumbing tests.
    Mlp {
        /// Hidden units, 8 to 4,096.
        hidden: u32,
    },
}

impl NetworkSection {
    /// As a table of its own, which the network crate reads.
    pub fn to_table(&self) -> toml::Table {
        toml::Table::try_from(self).expect("a section of plain numbers is a table")
    }
}

/// In which numbers self-play evaluates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Precision {
    /// The faster of the two on this machine, measured once at start-up.
    Auto,
    Float32,
    Bfloat16,
}

/// `[selfplay]`: how workers play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SelfplaySection {
    /// Games of one lease, 1 to 1,024. A job's games make one shard: 8 games are about 800 rows, fewer rows take
    /// more bytes each.
    pub games_per_job: u32,
    /// Games that one worker thread plays side by side, 0 to 4,096; 0 means as many as keep the batch full.
    pub games_in_flight: u32,
    /// Rows of the one fixed batch shape, 1 to 4,096. Part of `numerics`.
    pub batch: u32,
    /// Worker threads that play and evaluate, 0 to 1,024; 0 means one a core.
    pub threads: u32,
    /// Numbers of the evaluations.
    pub precision: Precision,
    /// Strength of the bias towards control, attack and advance that generation 0 adds to the priors, 0 to 10.
    /// Later generations use none.
    pub prior_shaping: f64,
    /// Evaluations that one worker thread remembers, 0 to 10,000,000.
    pub eval_cache: u32,
}

impl Default for SelfplaySection {
    fn default() -> Self {
        SelfplaySection {
            games_per_job: 16,
            games_in_flight: 0,
            batch: 64,
            threads: 0,
            precision: Precision::Auto,
            prior_shaping: 1.5,
            eval_cache: 100_000,
        }
    }
}

/// `[training]`: how the trainer learns and when it publishes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TrainingSection {
    /// Rows of one step, 1 to 65,536.
    pub batch: u32,
    /// AdamW step size, 1e-7 to 1.
    pub learning_rate: f64,
    /// AdamW decoupled weight decay, 0 to 1.
    pub weight_decay: f64,
    /// Weight of the value loss against the policy loss, 0 to 100.
    pub value_weight: f64,
    /// How many times each new row is trained on, on average, 0.01 to 1,000.
    pub replay_ratio: f64,
    /// Newest rows that training draws from, 1 to 1,000,000,000.
    pub window_rows: u64,
    /// New rows that end a generation and make the next checkpoint, 1 to 1,000,000,000.
    pub rows_per_generation: u64,
    /// Share of the games kept out of training to measure the losses, 0 to 0.5.
    pub held_out_share: f64,
    /// Threads that train, 1 to 1,024. Together with the workers' they should not exceed the cores.
    pub threads: u32,
}

impl Default for TrainingSection {
    fn default() -> Self {
        TrainingSection {
            batch: 256,
            learning_rate: 1e-3,
            weight_decay: 1e-4,
            value_weight: 1.0,
            replay_ratio: 4.0,
            window_rows: 100_000,
            rows_per_generation: 2_000,
            held_out_share: 0.05,
            threads: 1,
        }
    }
}

/// `[coordinator]`: leases and listening.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CoordinatorSection {
    /// HOST:PORT; port 0 takes a free one. Anything but loopback needs `--insecure` as well.
    pub listen: String,
    /// Seconds without progress after which a lease ends, 1 to 86,400.
    pub lease_ttl_s: u32,
    /// Attempts after which a job is parked for a person, 1 to 100.
    pub attempts_max: u32,
    /// How a checkpoint becomes the one that plays. `none`: publishing promotes at once.
    pub gate: String,
}

impl Default for CoordinatorSection {
    fn default() -> Self {
        CoordinatorSection {
            listen: "127.0.0.1:0".to_owned(),
            lease_ttl_s: 60,
            attempts_max: 5,
            gate: "none".to_owned(),
        }
    }
}

/// `[stores]`: where shards lie. Left out, they lie in the run folder.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StoresSection {
    /// URL of the training root, e.g. `file:///data/training`. The trainer reads this one and no other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub training: Option<String>,
    /// URL of the audit root, which holds the full truth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audit: Option<String>,
}

/// Which accepted shards training may read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Admission {
    /// All of them.
    None,
    /// Those that an auditor has verified. The first difference stops the run from growing.
    Required,
}

/// `[audit]`: who may read the truth of the run's games, whether shards are verified while the run goes on, and how
/// much of each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AuditSection {
    /// The public key (`x25519:…`) that workers seal audit shards to. Left out, a key pair is made with the run, its
    /// private half in `RUN/audit.key`. Given, the private half is elsewhere, with the auditor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recipient: Option<String>,
    pub admission: Admission,
    /// Decisions of one job for which a second truth is searched, 0 to 100,000. Every row is derived again whatever
    /// this says.
    pub pairs: u32,
    /// Decisions of one job whose worlds are sampled again, 0 to 100,000.
    pub worlds: u32,
}

impl Default for AuditSection {
    fn default() -> Self {
        AuditSection { recipient: None, admission: Admission::None, pairs: 8, worlds: 64 }
    }
}

/// `[arena]`: the defaults of head-to-head games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ArenaSection {
    /// Simulations a decision, 1 to 65,535.
    pub simulations: u32,
    /// Worlds a decision, 1 to 1,024.
    pub worlds: u32,
    /// Pairs of one match, 1 to 100,000; each pair is two games.
    pub pairs: u32,
    /// Plies of a game that still choose by temperature, 0 to 1,000.
    pub temperature_plies: u32,
}

impl Default for ArenaSection {
    fn default() -> Self {
        ArenaSection { simulations: 64, worlds: 4, pairs: 40, temperature_plies: 10 }
    }
}

/// `[up]`: what `muster up` starts, when it stops and what it checks then.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct UpSection {
    /// Worker processes, 1 to 256.
    pub workers: u32,
    /// Generations after which the run stops, 0 to 1,000,000; 0 means only a person or `--hours` stops it.
    pub generations: u64,
    /// Whether the end of the run plays the arena and verifies the audit for `summary.json`.
    pub evaluate: bool,
    /// Pairs of each match of the summary, 1 to 100,000.
    pub pairs: u32,
    /// Decisions of the summary's two-world test, 0 to 1,000,000.
    pub two_world_pairs: u32,
}

impl Default for UpSection {
    fn default() -> Self {
        UpSection { workers: 1, generations: 0, evaluate: true, pairs: 40, two_world_pairs: 2_000 }
    }
}
