//! Text for positions, set-ups and actions, that reads back to the same value.

use crate::Rules;

/// Text from outside that does not read as a position, a set-up or an action.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{what} {text:?} does not read: {reason}")]
pub struct NotationError {
    /// `action`, `position`, `set-up`, or the part of one that failed.
    pub what: &'static str,
    pub text: String,
    pub reason: String,
}

pub trait Notation: Rules {
    fn action_text(&self, action: Self::Action) -> String;
    fn parse_action(&self, text: &str) -> Result<Self::Action, NotationError>;

    fn setup_text(&self, setup: &Self::Setup) -> String;
    fn parse_setup(&self, text: &str) -> Result<Self::Setup, NotationError>;

    /// The complete state in one line.
    fn position_text(&self, state: &Self::State) -> String;
    /// Reads a position and validates it.
    fn parse_position(&self, text: &str) -> Result<Self::State, NotationError>;
}
