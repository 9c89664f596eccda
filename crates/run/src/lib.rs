//! What all binaries share: resolved configuration, run folder, player names, stores, logging, progress and
//! exit codes. No rules and no rows: nothing here knows a game.

pub mod audit_key;
pub mod checkpoint_id;
pub mod config;
pub mod confine;
pub mod exit;
pub mod files;
pub mod folder;
pub mod logging;
pub mod player_name;
pub mod progress;
pub mod store;

pub use checkpoint_id::CheckpointId;
pub use config::{ConfigError, RunConfig, ValidConfig};
pub use confine::{Confinement, Openings};
pub use exit::Exit;
pub use folder::{FolderError, RunFacts, RunFolder};
pub use player_name::{CheckpointRef, PlayerName};
pub use progress::Progress;
pub use store::Store;

/// The build that made a file: the crate version, and the revision where the packager set `MUSTER_BUILD`.
pub const fn build_id() -> &'static str {
    match option_env!("MUSTER_BUILD") {
        Some(build) => build,
        None => concat!("muster ", env!("CARGO_PKG_VERSION")),
    }
}
