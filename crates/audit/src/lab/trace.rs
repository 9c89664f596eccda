//! What one decision leaves behind.

use super::channel::Test;

/// One thing that a decision leaves behind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Part {
    /// The canonical bytes of the observation, history included.
    Observation,
    /// Legal actions in order, with their indices.
    Actions,
    Features,
    /// The table of the belief.
    Belief,
    /// A stream of sampled worlds.
    Worlds,
    /// Root visits, merged and world by world.
    Visits,
    /// Root value and the values of the actions in every world.
    Value,
    Resignation,
    Chosen,
    /// Visits as the row holds them.
    PolicyTarget,
    /// The row's columns but outcome and truncated.
    Row,
    Log,
    /// What the seat is sent: its events, its legal actions, its board.
    Shown,
    /// The text of a refusal.
    ErrorText,
    /// How many random words were drawn.
    Draws,
    /// What was asked of the network, in order.
    Requests,
    /// How the position is judged when checkpoints are compared.
    Verdict,
    /// How many requests and batches, and how long the messages are.
    Sizes,
}

impl Part {
    pub const ALL: [Part; 18] = [
        Part::Observation,
        Part::Actions,
        Part::Features,
        Part::Belief,
        Part::Worlds,
        Part::Visits,
        Part::Value,
        Part::Resignation,
        Part::Chosen,
        Part::PolicyTarget,
        Part::Row,
        Part::Log,
        Part::Shown,
        Part::ErrorText,
        Part::Draws,
        Part::Requests,
        Part::Verdict,
        Part::Sizes,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Part::Observation => "observation",
            Part::Actions => "legal actions",
            Part::Features => "features",
            Part::Belief => "belief table",
            Part::Worlds => "worlds",
            Part::Visits => "root visits",
            Part::Value => "value",
            Part::Resignation => "resignation",
            Part::Chosen => "chosen action",
            Part::PolicyTarget => "policy target",
            Part::Row => "training row",
            Part::Log => "log lines",
            Part::Shown => "messages to the seat",
            Part::ErrorText => "error text",
            Part::Draws => "random draws",
            Part::Requests => "requests to the network",
            Part::Verdict => "verdict",
            Part::Sizes => "message sizes and call counts",
        }
    }

    pub const fn test(self) -> Test {
        match self {
            Part::Sizes => Test::Sizes,
            _ => Test::TwoWorlds,
        }
    }
}

/// The bytes of every part; kept from decision to decision for their memory.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Trace {
    parts: [Vec<u8>; Part::ALL.len()],
}

impl Trace {
    pub(super) fn clear(&mut self) {
        self.parts.iter_mut().for_each(Vec::clear);
    }

    /// Where the bytes of a part go.
    pub(super) fn part_mut(&mut self, part: Part) -> &mut Vec<u8> {
        &mut self.parts[part as usize]
    }

    pub fn part(&self, part: Part) -> &[u8] {
        &self.parts[part as usize]
    }

    /// The parts in which two traces differ.
    pub fn differing<'a>(&'a self, other: &'a Trace) -> impl Iterator<Item = Part> + 'a {
        Part::ALL.into_iter().filter(|&part| self.part(part) != other.part(part))
    }
}
