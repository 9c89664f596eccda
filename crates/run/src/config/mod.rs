//! The configuration of a run: one TOML file, unknown keys refused, every number checked against its range.
//!
//! Order of precedence: built-in defaults, the file, `--set key=value`. The resolved form is written to the run
//! folder and is what every role reads.

mod check;
mod sections;

pub use check::Problem;
pub use sections::{
    Admission, ArenaSection, AuditSection, CoordinatorSection, NetworkSection, Precision,
    RunSection, SelfplaySection, StoresSection, TrainingSection, UpSection,
};

use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// A configuration as written, with the defaults filled in and the ranges not yet checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunConfig {
    pub run: RunSection,
    /// Options of the game (pool, cap, …). The game's own crate reads and checks them.
    #[serde(default)]
    pub rules: toml::Table,
    pub network: NetworkSection,
    /// Search parameters (`sims`, `worlds`, …). The search crate reads and checks them.
    #[serde(default)]
    pub search: toml::Table,
    #[serde(default)]
    pub selfplay: SelfplaySection,
    #[serde(default)]
    pub training: TrainingSection,
    #[serde(default)]
    pub coordinator: CoordinatorSection,
    #[serde(default)]
    pub stores: StoresSection,
    #[serde(default)]
    pub audit: AuditSection,
    #[serde(default)]
    pub arena: ArenaSection,
    #[serde(default)]
    pub up: UpSection,
}

/// A configuration whose every value lies in its range. Only [`RunConfig::validate`] makes one.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct ValidConfig(RunConfig);

impl std::ops::Deref for ValidConfig {
    type Target = RunConfig;

    fn deref(&self) -> &RunConfig {
        &self.0
    }
}

/// Why a configuration cannot be used. Each names the place and what to do.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("config file {path}: {source}; give an existing file, e.g. one of configs/*.toml")]
    Read { path: PathBuf, source: std::io::Error },
    #[error("config {place}: {message}; compare with configs/README.md, which lists every key")]
    Parse { place: String, message: String },
    #[error("--set {text}: {message}")]
    Set { text: String, message: String },
    #[error("config {place}: {}", list(.problems))]
    Range { place: String, problems: Vec<Problem> },
    #[error(
        "config {place}: {} cannot change on resume: {}; keep the value of the run, or start another run folder",
        if .keys.len() == 1 { "this key" } else { "these keys" },
        .keys.join(", ")
    )]
    ChangedOnResume { place: String, keys: Vec<String> },
}

fn list(problems: &[Problem]) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

impl RunConfig {
    /// Reads a file and applies `--set key=value` overrides to it.
    pub fn load(path: &Path, overrides: &[String]) -> Result<RunConfig, ConfigError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| ConfigError::Read { path: path.to_owned(), source })?;
        RunConfig::parse(&text, &path.display().to_string(), overrides)
    }

    /// `place` names the text in errors.
    pub fn parse(text: &str, place: &str, overrides: &[String]) -> Result<RunConfig, ConfigError> {
        let parse_error = |error: toml::de::Error| ConfigError::Parse {
            place: place.to_owned(),
            message: error.to_string().trim_end().to_owned(),
        };
        // Read without the overrides first: these errors can point at a line.
        let plain: RunConfig = toml::from_str(text).map_err(parse_error)?;
        if overrides.is_empty() {
            return Ok(plain);
        }
        let mut table: toml::Table = toml::from_str(text).map_err(parse_error)?;
        for text in overrides {
            set(&mut table, text)
                .map_err(|message| ConfigError::Set { text: text.clone(), message })?;
        }
        table.try_into().map_err(|error: toml::de::Error| ConfigError::Parse {
            place: format!("{place} with --set {}", overrides.join(" --set ")),
            message: error.to_string().trim_end().to_owned(),
        })
    }

    /// Checks every range. `place` names the configuration in errors.
    pub fn validate(self, place: &str) -> Result<ValidConfig, ConfigError> {
        let problems = check::problems(&self);
        if problems.is_empty() {
            return Ok(ValidConfig(self));
        }
        Err(ConfigError::Range { place: place.to_owned(), problems })
    }

    /// Reads, overrides and validates in one step.
    pub fn load_valid(path: &Path, overrides: &[String]) -> Result<ValidConfig, ConfigError> {
        RunConfig::load(path, overrides)?.validate(&path.display().to_string())
    }
}

impl ValidConfig {
    pub fn config(&self) -> &RunConfig {
        &self.0
    }

    /// The resolved configuration as TOML, every default written out, the deal secret left out.
    pub fn to_toml(&self) -> String {
        let mut shown = self.0.clone();
        shown.run.deal_secret = None;
        toml::to_string(&shown).expect("a configuration holds only values that TOML can write")
    }

    /// The same configuration, sealing to `recipient` unless it names one itself.
    pub(crate) fn with_recipient(&self, recipient: Option<String>) -> ValidConfig {
        let mut config = self.0.clone();
        config.audit.recipient = config.audit.recipient.or(recipient);
        ValidConfig(config)
    }

    /// Refuses a configuration that differs from the run's in a key which a resume may not change.
    pub fn may_resume(&self, stored: &ValidConfig, place: &str) -> Result<(), ConfigError> {
        let keys = check::changed_keys(&stored.0, &self.0)
            .into_iter()
            .filter(|key| !check::may_change_on_resume(key))
            .collect::<Vec<_>>();
        if keys.is_empty() {
            return Ok(());
        }
        Err(ConfigError::ChangedOnResume { place: place.to_owned(), keys })
    }
}

/// Applies one `key=value` override; the value is TOML, or a bare string.
fn set(table: &mut toml::Table, text: &str) -> Result<(), String> {
    let (key, value) = text
        .split_once('=')
        .ok_or("expected key=value, e.g. --set selfplay.batch=64".to_owned())?;
    let value = match toml::from_str::<toml::Table>(&format!("v = {value}")) {
        Ok(mut parsed) if parsed.len() == 1 => parsed.remove("v").expect("v was parsed"),
        _ => toml::Value::String(value.to_owned()),
    };
    let mut parts: Vec<&str> = key.trim().split('.').collect();
    let last = parts.pop().filter(|last| !last.is_empty() && !parts.is_empty()).ok_or(format!(
        "{key:?} is not section.key; `muster config print` shows every key of a configuration"
    ))?;
    let mut place = table;
    for part in parts {
        place = place
            .entry(part)
            .or_insert_with(|| toml::Value::Table(toml::Table::new()))
            .as_table_mut()
            .ok_or(format!("{part:?} is a value, not a section"))?;
    }
    place.insert(last.to_owned(), value);
    Ok(())
}

#[cfg(test)]
mod tests;
