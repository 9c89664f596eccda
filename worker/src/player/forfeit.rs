//! A game lost by what a program did, not by the rules.

use serde::{Deserialize, Serialize};
use std::fmt;

/// What a program did.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// No whole line within the time limit.
    Silence,
    /// A line that is no message of the protocol, or not the one that was asked for.
    Nonsense,
    /// An action that is not among the legal ones.
    Illegal,
    /// The program ended, or closed its output.
    Crash,
    /// A line beyond the limit, or one that nobody had asked for.
    Output,
    /// The program said that it cannot follow.
    Refused,
    /// Not started again after it had failed to start several times in a row.
    Unstartable,
}

impl Fault {
    pub fn name(self) -> &'static str {
        match self {
            Fault::Silence => "silence",
            Fault::Nonsense => "nonsense",
            Fault::Illegal => "illegal",
            Fault::Crash => "crash",
            Fault::Output => "output",
            Fault::Refused => "refused",
            Fault::Unstartable => "unstartable",
        }
    }
}

/// Why a seat lost its game. It is made of what that seat was told and what it said.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}: {reason}", fault.name())]
pub struct Forfeit {
    pub fault: Fault,
    pub reason: String,
}

impl Forfeit {
    pub fn new(fault: Fault, reason: impl Into<String>) -> Forfeit {
        Forfeit { fault, reason: reason.into() }
    }
}

/// The beginning of what a program said, fit for one line of a report.
pub struct Excerpt<'a>(pub &'a [u8]);

const EXCERPT_LEN: usize = 80;

impl fmt::Display for Excerpt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = String::from_utf8_lossy(&self.0[..self.0.len().min(4 * EXCERPT_LEN)]);
        let short: String = text.chars().take(EXCERPT_LEN).collect();
        let more = if short.len() < self.0.len() { "…" } else { "" };
        write!(f, "{short:?}{more}")
    }
}
