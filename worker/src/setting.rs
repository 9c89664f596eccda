//! What is played, where a command was not told: the rules of the run that a player belongs to.

use anyhow::Context;
use clap::Args;
use run::config::ArenaSection;
use run::{CheckpointRef, PlayerName, RunFolder, ValidConfig};
use std::path::{Path, PathBuf};

/// Which game and which run, on every command that plays.
#[derive(Args, Debug, Clone)]
pub struct SettingArgs {
    /// The game's name.
    #[arg(long, default_value = "war-chest")]
    pub game: String,
    /// Run folder whose rules, search constants and checkpoints hold. Left out, it is the run of the first
    /// checkpoint that is named by or lies in one.
    #[arg(long)]
    pub run: Option<PathBuf>,
}

/// The game at hand.
pub struct Setting {
    pub game: String,
    /// Options of the game, as its crate reads them.
    pub rules: toml::Table,
    pub run: Option<RunFolder>,
}

impl Setting {
    /// From `--run`, else from the players' names.
    pub fn find(args: &SettingArgs, players: &[&PlayerName]) -> anyhow::Result<Setting> {
        let run = match &args.run {
            Some(root) => Some(root.clone()),
            None => players.iter().find_map(|player| run_of(player)),
        };
        let Some(root) = run else {
            return Ok(Setting { game: args.game.clone(), rules: toml::Table::new(), run: None });
        };
        let run = RunFolder::open(&root).context("the run of the players")?;
        let config = run.config();
        Ok(Setting { game: config.run.game.clone(), rules: config.rules.clone(), run: Some(run) })
    }

    pub fn config(&self) -> Option<&ValidConfig> {
        self.run.as_ref().map(RunFolder::config)
    }

    pub fn arena(&self) -> ArenaSection {
        self.config().map(|config| config.arena.clone()).unwrap_or_default()
    }
}

/// The run folder that a player's name points into.
fn run_of(player: &PlayerName) -> Option<PathBuf> {
    let PlayerName::Checkpoint { checkpoint, .. } = player else { return None };
    match checkpoint {
        CheckpointRef::OfRun(root, _) => Some(root.clone()),
        // RUN/checkpoints/ID and RUN/retrained/ID.
        CheckpointRef::IdOrPath(path) => Path::new(path)
            .ancestors()
            .skip(1)
            .take(3)
            .find(|folder| folder.join("run.toml").is_file())
            .map(Path::to_path_buf),
    }
}
