//! What a player is called on every command line.
//!
//! ```text
//! random                                     any legal action, each equally likely
//! greedy                                     takes control when it can, else attacks, else moves towards locations
//! RUN@first  RUN@last  RUN@STEP              a checkpoint of a run folder
//! checkpoint:ID-or-PATH                      a checkpoint by its id (in the run at hand) or its folder
//! …,search=pimc,sims=400,worlds=8            how a checkpoint searches; every option may be left out
//! exec:COMMAND                               any program that speaks the player protocol, run by /bin/sh
//! ```

use crate::CheckpointId;
use crate::folder::{FolderError, RunFolder};
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A player, as named.
#[derive(Clone, PartialEq, Debug)]
pub enum PlayerName {
    Random,
    Greedy,
    Checkpoint {
        checkpoint: CheckpointRef,
        options: SearchOptions,
    },
    /// A shell command, as it was given: commas, spaces and quotes are its own.
    Exec {
        command: String,
    },
}

/// Which checkpoint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CheckpointRef {
    /// An id of the run at hand, or a folder that holds `checkpoint.toml`.
    IdOrPath(String),
    OfRun(PathBuf, Which),
}

/// Which checkpoint of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Which {
    First,
    Last,
    /// After this many training steps.
    Step(u64),
}

/// How a checkpoint searches. What is left out, the command decides.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct SearchOptions {
    /// A search's name, e.g. `pimc`.
    pub search: Option<String>,
    /// Simulations a decision, 1 to 65,535.
    pub sims: Option<u32>,
    /// Worlds a decision, 1 to 1,024.
    pub worlds: Option<u32>,
    /// Temperature of the choice among visits, 0 to 10.
    pub temperature: Option<f64>,
}

/// Text that names no player.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{text:?} names no player: {problem}; say random, greedy, RUN@first, RUN@last, RUN@STEP or checkpoint:ID-or-PATH, \
     the last four with options as in runs/x@last,sims=400,worlds=8, or exec:COMMAND"
)]
pub struct NotAPlayer {
    pub text: String,
    pub problem: String,
}

/// A checkpoint that is not there.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointAbsent {
    #[error("{0} is no checkpoint: no folder of that name holds checkpoint.toml{1}")]
    NotFound(String, String),
    #[error("run {run} has no checkpoint at step {step}; it has steps {steps}")]
    NoSuchStep { run: PathBuf, step: u64, steps: String },
    #[error("run {0} has no checkpoint yet")]
    None(PathBuf),
    #[error(transparent)]
    Folder(#[from] FolderError),
}

impl FromStr for PlayerName {
    type Err = NotAPlayer;

    fn from_str(text: &str) -> Result<PlayerName, NotAPlayer> {
        let fail = |problem: String| NotAPlayer { text: text.to_owned(), problem };
        if let Some(command) = text.strip_prefix("exec:") {
            if command.trim().is_empty() || command.contains('\0') {
                return Err(fail("a command must follow exec:".to_owned()));
            }
            return Ok(PlayerName::Exec { command: command.to_owned() });
        }
        let mut parts = text.split(',');
        let head = parts.next().unwrap_or_default().trim();
        let mut options = SearchOptions::default();
        let mut has_options = false;
        for part in parts {
            options.set(part.trim()).map_err(fail)?;
            has_options = true;
        }
        let baseline = match head {
            "random" => Some(PlayerName::Random),
            "greedy" => Some(PlayerName::Greedy),
            _ => None,
        };
        if let Some(baseline) = baseline {
            return if has_options {
                Err(fail(format!("{head} does not search and takes no options")))
            } else {
                Ok(baseline)
            };
        }
        let checkpoint = head.parse().map_err(fail)?;
        Ok(PlayerName::Checkpoint { checkpoint, options })
    }
}

impl FromStr for CheckpointRef {
    type Err = String;

    /// `checkpoint:ID-or-PATH` or `RUN@WHICH`.
    fn from_str(head: &str) -> Result<CheckpointRef, String> {
        if let Some(name) = head.strip_prefix("checkpoint:") {
            return if name.is_empty() {
                Err("an id or a folder must follow checkpoint:".to_owned())
            } else {
                Ok(CheckpointRef::IdOrPath(name.to_owned()))
            };
        }
        let (run, which) =
            head.rsplit_once('@').ok_or_else(|| "there is no player of that name".to_owned())?;
        if run.is_empty() {
            return Err("a run folder must stand before @".to_owned());
        }
        let which = match which {
            "first" => Which::First,
            "last" => Which::Last,
            step => Which::Step(
                step.parse().map_err(|_| format!("{step:?} is not first, last or a step"))?,
            ),
        };
        Ok(CheckpointRef::OfRun(PathBuf::from(run), which))
    }
}

impl SearchOptions {
    fn set(&mut self, option: &str) -> Result<(), String> {
        let (key, value) =
            option.split_once('=').ok_or_else(|| format!("{option:?} is not key=value"))?;
        let whole = |max: u32| match value.parse::<u32>() {
            Ok(number) if (1..=max).contains(&number) => Ok(Some(number)),
            _ => Err(format!("{key} must be a whole number from 1 to {max}")),
        };
        match key {
            "search" if !value.is_empty() => self.search = Some(value.to_owned()),
            "search" => return Err("search needs a name".to_owned()),
            "sims" => self.sims = whole(65_535)?,
            "worlds" => self.worlds = whole(1_024)?,
            "temperature" => match value.parse::<f64>() {
                Ok(number) if (0.0..=10.0).contains(&number) => self.temperature = Some(number),
                _ => return Err("temperature must be a number from 0 to 10".to_owned()),
            },
            _ => {
                return Err(format!(
                    "unknown option {key:?} (search, sims, worlds and temperature exist)"
                ));
            }
        }
        Ok(())
    }
}

impl CheckpointRef {
    /// The checkpoint's folder. `run` is the run at hand, where there is one.
    pub fn folder(&self, run: Option<&RunFolder>) -> Result<PathBuf, CheckpointAbsent> {
        match self {
            CheckpointRef::OfRun(path, which) => of_run(path, *which),
            CheckpointRef::IdOrPath(name) => {
                let path = Path::new(name);
                if is_checkpoint(path) {
                    return Ok(path.to_owned());
                }
                let of_run = run
                    .zip(name.parse::<CheckpointId>().ok())
                    .map(|(run, id)| run.checkpoint_dir(&id))
                    .filter(|path| is_checkpoint(path));
                of_run.ok_or_else(|| {
                    let hint = match run {
                        Some(run) => format!(", nor does {}", run.checkpoints_dir().display()),
                        None => "; an id alone needs --run RUN".to_owned(),
                    };
                    CheckpointAbsent::NotFound(name.clone(), hint)
                })
            }
        }
    }
}

fn is_checkpoint(path: &Path) -> bool {
    path.join("checkpoint.toml").is_file()
}

fn of_run(path: &Path, which: Which) -> Result<PathBuf, CheckpointAbsent> {
    let run = RunFolder::open(path)?;
    let ids = run.checkpoints()?;
    let found = match which {
        Which::First => ids.first(),
        Which::Last => ids.last(),
        Which::Step(step) => {
            let at_step = ids.iter().rfind(|id| id.step() == step);
            if at_step.is_none() && !ids.is_empty() {
                let steps = ids.iter().map(|id| id.step().to_string()).collect::<Vec<_>>();
                return Err(CheckpointAbsent::NoSuchStep {
                    run: path.to_owned(),
                    step,
                    steps: steps.join(", "),
                });
            }
            at_step
        }
    };
    found.map(|id| run.checkpoint_dir(id)).ok_or_else(|| CheckpointAbsent::None(path.to_owned()))
}

impl fmt::Display for PlayerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerName::Random => f.write_str("random"),
            PlayerName::Greedy => f.write_str("greedy"),
            PlayerName::Checkpoint { checkpoint, options } => write!(f, "{checkpoint}{options}"),
            PlayerName::Exec { command } => write!(f, "exec:{command}"),
        }
    }
}

impl fmt::Display for CheckpointRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckpointRef::IdOrPath(name) => write!(f, "checkpoint:{name}"),
            CheckpointRef::OfRun(run, Which::First) => write!(f, "{}@first", run.display()),
            CheckpointRef::OfRun(run, Which::Last) => write!(f, "{}@last", run.display()),
            CheckpointRef::OfRun(run, Which::Step(step)) => write!(f, "{}@{step}", run.display()),
        }
    }
}

impl fmt::Display for SearchOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(search) = &self.search {
            write!(f, ",search={search}")?;
        }
        if let Some(sims) = self.sims {
            write!(f, ",sims={sims}")?;
        }
        if let Some(worlds) = self.worlds {
            write!(f, ",worlds={worlds}")?;
        }
        if let Some(temperature) = self.temperature {
            write!(f, ",temperature={temperature}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
