//! A stable dense number for every action, which is also the place of its logit in the policy head.

use crate::{Rules, Seat};

/// The shape of the policy head: `planes` maps over a `height` × `width` grid, then `flat` single logits.
/// Action index = plane · height · width + row · width + column, or planes · height · width + k.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PolicyLayout {
    pub planes: usize,
    pub height: usize,
    pub width: usize,
    pub flat: usize,
}

impl PolicyLayout {
    pub const fn n_actions(&self) -> usize {
        self.planes * self.height * self.width + self.flat
    }
}

pub trait ActionSpace: Rules {
    fn policy_layout(&self) -> PolicyLayout;

    /// The index of an action as `seat`, which is about to take it, sees the board: both seats look alike under
    /// the game's symmetry. Injective on the legal actions of any one position. Chance outcomes have none.
    fn action_index(&self, setup: &Self::Setup, seat: Seat, action: Self::Action) -> u16;

    /// One line per plane and per flat logit: what it stands for. Part of the fingerprint.
    fn action_spec(&self) -> String;
}
