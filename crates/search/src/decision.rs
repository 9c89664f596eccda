//! What a search says about one decision.

use game::Rules;

/// The outcome of a search, in terms of what the real seat may do.
pub struct Decision<G: Rules> {
    /// The real seat's legal actions, by ascending action index.
    pub actions: Vec<G::Action>,
    /// Their action indices, ascending.
    pub action_indices: Vec<u16>,
    /// Simulations that began with each action, summed over the worlds; their sum is `simulations`. All zero for
    /// a forced decision.
    pub visits: Vec<u32>,
    /// Mean value of all simulations in [-1, 1], from the deciding seat's view. 0 for a forced decision.
    pub root_value: f32,
    /// The world seeds are `game::belief::world_seeds(belief_seed, worlds.len())`. 0 for a forced decision.
    pub belief_seed: u64,
    /// One report a sampled world, in order; none for a forced decision.
    pub worlds: Vec<WorldReport>,
    /// Index into `actions` of the chosen one.
    pub chosen_idx: usize,
}

impl<G: Rules> Decision<G> {
    pub fn chosen(&self) -> G::Action {
        self.actions[self.chosen_idx]
    }

    /// Whether a search decided: false where there was one legal action only.
    pub fn is_searched(&self) -> bool {
        !self.worlds.is_empty()
    }

    /// Simulations over all worlds.
    pub fn simulations(&self) -> u32 {
        self.worlds.iter().map(|world| world.simulations).sum()
    }
}

// Written out, because a derive would ask the same of the rules.
impl<G: Rules> Clone for Decision<G> {
    fn clone(&self) -> Self {
        Decision {
            actions: self.actions.clone(),
            action_indices: self.action_indices.clone(),
            visits: self.visits.clone(),
            root_value: self.root_value,
            belief_seed: self.belief_seed,
            worlds: self.worlds.clone(),
            chosen_idx: self.chosen_idx,
        }
    }
}

impl<G: Rules> PartialEq for Decision<G> {
    fn eq(&self, other: &Self) -> bool {
        let Decision {
            actions,
            action_indices,
            visits,
            root_value,
            belief_seed,
            worlds,
            chosen_idx,
        } = self;
        *actions == other.actions
            && *action_indices == other.action_indices
            && *visits == other.visits
            && *root_value == other.root_value
            && *belief_seed == other.belief_seed
            && *worlds == other.worlds
            && *chosen_idx == other.chosen_idx
    }
}

impl<G: Rules> std::fmt::Debug for Decision<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Decision")
            .field("chosen", &self.chosen())
            .field("root_value", &self.root_value)
            .field("actions", &self.actions)
            .field("visits", &self.visits)
            .field("worlds", &self.worlds)
            .finish_non_exhaustive()
    }
}

/// What one world's tree says at its root, action by action in the order of [`Decision::actions`].
#[derive(Clone, PartialEq, Debug)]
pub struct WorldReport {
    pub world_idx: u32,
    /// Simulations in this world: the sum of `n`.
    pub simulations: u32,
    /// Visits.
    pub n: Vec<u32>,
    /// Mean value from the deciding seat's view; 0 where `n` is 0.
    pub q: Vec<f32>,
}
