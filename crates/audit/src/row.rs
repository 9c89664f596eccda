//! One game's audit record: a set-up row and one row a ply.
//!
//! Positions, set-ups and actions are text in the game's own notation, which reads back.

use game::{Ending, GameId, Notation};
use record::RowFault;

/// One game from its deal to its end.
#[derive(Clone, PartialEq, Debug)]
pub struct GameRecord {
    pub game: GameId,
    pub setup: SetupRow,
    /// In order, chance outcomes included.
    pub plies: Vec<PlyRow>,
}

/// What is fixed before the first ply, and how the game ended.
#[derive(Clone, PartialEq, Debug)]
pub struct SetupRow {
    /// The dealt set-up.
    pub setup: String,
    /// The complete position before the first ply.
    pub start: String,
    /// The game's options, as TOML.
    pub options: String,
    /// Who decided for each seat: in self-play the checkpoint's id for both, elsewhere a player's name.
    pub players: Vec<String>,
    /// The seed of all search streams; with game id and ply it gives those of one decision. Nothing of the deal
    /// can be computed from it.
    pub run_seed: u64,
    /// Every search constant the worker used, as text that the worker reads back.
    pub search: String,
    /// The result for each seat, in seat order; `None` when the play cap ended the game.
    pub utilities: Option<Vec<f64>>,
}

/// One action of a seat, or one chance outcome.
#[derive(Clone, PartialEq, Debug)]
pub struct PlyRow {
    /// Who acted; `None` for chance.
    pub seat: Option<u8>,
    /// What was played, its hidden part included.
    pub action: String,
    /// How a search decided; `None` for chance, for forced decisions and for players that do not search.
    pub search: Option<SearchRow>,
}

/// One searched decision. Lists over actions are in ascending order of the action index, over all legal actions.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchRow {
    /// Decided by a full search: exactly these decisions give a training row.
    pub full: bool,
    /// The belief's name and version.
    pub belief: String,
    /// The seed of the sampled worlds.
    pub belief_seed: u64,
    /// Mean value of the root in [-1, 1], from the acting seat's view.
    pub root_value: f32,
    /// Which legal action was chosen.
    pub chosen_idx: u16,
    /// Root visits summed over the worlds, one for each legal action.
    pub visits: Vec<u32>,
    /// One entry a sampled world, in the order they were sampled.
    pub worlds: Vec<WorldRow>,
}

/// One world's root.
#[derive(Clone, PartialEq, Debug)]
pub struct WorldRow {
    pub simulations: u32,
    /// Visits, one for each legal action.
    pub n: Vec<u32>,
    /// Mean value of each legal action in [-1, 1], from the acting seat's view; 0 where unvisited.
    pub q: Vec<f32>,
}

impl SetupRow {
    /// The texts of a set-up and of the position it starts from.
    pub fn texts<G: Notation>(rules: &G, setup: &G::Setup) -> (String, String) {
        (rules.setup_text(setup), rules.position_text(&rules.initial(setup)))
    }
}

/// The recorded result of an ending.
pub fn utilities(ending: Ending, n_seats: usize) -> Option<Vec<f64>> {
    match ending {
        Ending::Scored(utility) => {
            let seats = (0..n_seats).map(|idx| game::Seat::new(idx as u8));
            Some(seats.map(|seat| utility.of(seat)).collect())
        }
        Ending::Truncated => None,
    }
}

/// The most plies a recorded game may have.
pub const PLIES_MAX: usize = u16::MAX as usize;

impl GameRecord {
    /// Checks what can be checked without rules: the ply (0 for the set-up row), the column and what is wrong.
    pub fn check(&self) -> Result<(), (u32, RowFault)> {
        let fault = |ply: usize, column, reason: &str| {
            Err((ply as u32, RowFault { column, reason: reason.to_owned() }))
        };
        if self.plies.len() > PLIES_MAX {
            return fault(0, "n_plies", "more than 65,535 plies");
        }
        if self.setup.utilities.as_ref().is_some_and(|all| all.iter().any(|it| !it.is_finite())) {
            return fault(0, "utilities", "a result is not finite");
        }
        for (idx, ply) in self.plies.iter().enumerate() {
            if ply.action.is_empty() {
                return fault(idx, "action", "is empty");
            }
            let Some(search) = &ply.search else { continue };
            if ply.seat.is_none() {
                return fault(idx, "full", "chance does not search");
            }
            search.check().map_err(|fault| (idx as u32, fault))?;
        }
        Ok(())
    }
}

impl SearchRow {
    fn check(&self) -> Result<(), RowFault> {
        let fault = |column, reason: &str| Err(RowFault { column, reason: reason.to_owned() });
        let n_legal = self.visits.len();
        if n_legal < 2 || n_legal > usize::from(u16::MAX) {
            return fault("visits", "fewer than two legal actions, or too many");
        }
        if usize::from(self.chosen_idx) >= n_legal {
            return fault("chosen_idx", "is not the place of a legal action");
        }
        if !(-1.0..=1.0).contains(&self.root_value) {
            return fault("root_value", "is outside -1 to 1");
        }
        if self.worlds.is_empty() {
            return fault("world_simulations", "a search has at least one world");
        }
        for world in &self.worlds {
            if world.n.len() != n_legal || world.q.len() != n_legal {
                return fault("world_n", "has not one number for each world and legal action");
            }
            if !world.q.iter().all(|q| (-1.0..=1.0).contains(q)) {
                return fault("world_q", "is outside -1 to 1");
            }
        }
        Ok(())
    }
}
