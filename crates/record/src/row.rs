//! One training row: one decision that a full search decided.

use game::{Ending, GameId, Seat};
use std::sync::Arc;

/// How often a search's root took one action.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ActionVisits {
    /// Dense action index as the acting seat sees the board.
    pub action: u16,
    /// Root visits summed over the worlds; at least 1.
    pub visits: u16,
}

/// One decision with at least two legal actions that a full search decided. Chance, forced and cheap decisions
/// give no row.
#[derive(Clone, PartialEq, Debug)]
pub struct TrainingRow {
    /// The game's keyed id.
    pub game: GameId,
    /// Actions taken before this one since the start, chance outcomes included; counted from 0.
    pub ply: u16,
    /// The acting seat, 0 or 1.
    pub seat: u8,
    /// The id of the checkpoint whose evaluations the search used.
    pub checkpoint: Arc<str>,
    /// The canonical bytes of what the acting seat knows now; the same length in every row of a shard.
    pub now: Vec<u8>,
    /// How many legal actions there were; at least 2.
    pub n_legal: u16,
    /// The visited actions in ascending order of their index; at least 1, at most `n_legal`.
    pub visits: Vec<ActionVisits>,
    /// Mean value of the root in [-1, 1], from the acting seat's view.
    pub root_value: f32,
    /// Result of the game from the acting seat's view: 1 won, 0 drawn, -1 lost; 0 in a truncated game.
    pub outcome: i8,
    /// The game met the play cap: it has no result, and its outcome means nothing.
    pub truncated: bool,
    /// Factor of the row's policy loss; finite, at least 0.
    pub policy_weight: f32,
    /// Factor of the row's value loss; finite, at least 0; 0 in a truncated game.
    pub value_weight: f32,
}

/// The weight of a full search's policy target.
pub const POLICY_WEIGHT: f32 = 1.0;

/// The weight of a value target: a truncated game has no result to learn from.
pub const fn value_weight(truncated: bool) -> f32 {
    if truncated { 0.0 } else { 1.0 }
}

/// Merged visits as a row holds them: zero visits left out, ascending by action index. `None` when an index
/// appears twice or a count does not fit.
pub fn sparse_visits(merged: impl IntoIterator<Item = (u16, u32)>) -> Option<Vec<ActionVisits>> {
    let mut visits = Vec::new();
    for (action, count) in merged {
        if count > 0 {
            visits.push(ActionVisits { action, visits: u16::try_from(count).ok()? });
        }
    }
    visits.sort_unstable();
    visits.windows(2).all(|pair| pair[0].action < pair[1].action).then_some(visits)
}

/// The columns outcome and truncated of `seat`'s rows in a game with this ending; `None` when a result is not
/// one of 1, 0 and -1.
pub fn outcome_of(ending: Ending, seat: Seat) -> Option<(i8, bool)> {
    let Ending::Scored(utility) = ending else { return Some((0, true)) };
    let results = [(1.0, 1), (0.0, 0), (-1.0, -1)];
    let found = results.iter().find(|(value, _)| *value == utility.of(seat));
    found.map(|(_, outcome)| (*outcome, false))
}

/// What a decision gives to its row, before the end of the game is known.
#[derive(Clone, Debug)]
pub struct DecisionColumns<'a> {
    pub game: GameId,
    /// Plies before it, chance included.
    pub ply: usize,
    pub seat: Seat,
    pub checkpoint: &'a Arc<str>,
    pub now: Vec<u8>,
    /// Of all legal actions, ascending, and the visits in the same order.
    pub action_indices: &'a [u16],
    pub visits: &'a [u32],
    pub root_value: f32,
}

impl DecisionColumns<'_> {
    /// The row in a game that ends so; `None` where ply, visits or result do not fit a row.
    pub fn row(self, ending: Ending) -> Option<TrainingRow> {
        let merged = self.action_indices.iter().copied().zip(self.visits.iter().copied());
        let (outcome, truncated) = outcome_of(ending, self.seat)?;
        Some(TrainingRow {
            game: self.game,
            ply: u16::try_from(self.ply).ok()?,
            seat: self.seat.idx() as u8,
            checkpoint: Arc::clone(self.checkpoint),
            now: self.now,
            n_legal: u16::try_from(self.action_indices.len()).ok()?,
            visits: sparse_visits(merged)?,
            root_value: self.root_value,
            outcome,
            truncated,
            policy_weight: POLICY_WEIGHT,
            value_weight: value_weight(truncated),
        })
    }
}

/// A value that no row may hold.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("column {column}: {reason}")]
pub struct RowFault {
    pub column: &'static str,
    pub reason: String,
}

impl TrainingRow {
    /// Checks every column's range. `now_len` and `n_actions` belong to the game.
    pub fn check(&self, now_len: usize, n_actions: usize) -> Result<(), RowFault> {
        let fault = |column, reason: String| Err(RowFault { column, reason });
        if self.seat > 1 {
            return fault("seat", format!("{} is neither 0 nor 1", self.seat));
        }
        if self.checkpoint.is_empty() {
            return fault("checkpoint", "is empty".to_owned());
        }
        if self.now.len() != now_len {
            return fault("now", format!("{} bytes, expected {now_len}", self.now.len()));
        }
        if self.n_legal < 2 {
            return fault("n_legal", format!("{} is below 2", self.n_legal));
        }
        self.check_visits(n_actions)?;
        if !(-1.0..=1.0).contains(&self.root_value) {
            return fault("root_value", format!("{} is outside -1 to 1", self.root_value));
        }
        if !(-1..=1).contains(&self.outcome) || (self.truncated && self.outcome != 0) {
            return fault("outcome", format!("{} (truncated: {})", self.outcome, self.truncated));
        }
        if !is_weight(self.policy_weight) {
            return fault("policy_weight", format!("{} is no weight", self.policy_weight));
        }
        if !is_weight(self.value_weight) || (self.truncated && self.value_weight > 0.0) {
            let reason = format!("{} (truncated: {})", self.value_weight, self.truncated);
            return fault("value_weight", reason);
        }
        Ok(())
    }

    fn check_visits(&self, n_actions: usize) -> Result<(), RowFault> {
        let fault = |reason: String| Err(RowFault { column: "visits", reason });
        if self.visits.is_empty() || self.visits.len() > usize::from(self.n_legal) {
            let (n, n_legal) = (self.visits.len(), self.n_legal);
            return fault(format!("{n} visited of {n_legal} legal actions"));
        }
        if let Some(entry) = self.visits.iter().find(|entry| entry.visits == 0) {
            return fault(format!("action {} has no visits", entry.action));
        }
        if let Some(entry) = self.visits.iter().find(|e| usize::from(e.action) >= n_actions) {
            return fault(format!("action {} is outside 0..{n_actions}", entry.action));
        }
        if self.visits.windows(2).any(|pair| pair[0].action >= pair[1].action) {
            return fault("action indices do not ascend".to_owned());
        }
        Ok(())
    }
}

fn is_weight(weight: f32) -> bool {
    weight.is_finite() && weight >= 0.0
}
