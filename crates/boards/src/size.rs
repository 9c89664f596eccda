//! Board sizes that a game does not have.

/// Parameters for which a game is not defined here.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{game} is not played on {width}×{height}: {reason}")]
pub struct UnsupportedSize {
    pub game: &'static str,
    pub width: usize,
    pub height: usize,
    /// Which sizes there are.
    pub reason: &'static str,
}
