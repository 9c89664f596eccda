//! A game rebuilt from its record: the set-up, then every recorded ply through the rules.

use crate::row::{GameRecord, utilities};
use game::{Ending, Hidden, Notation, Observation, PipelineGame, Seat, Turn};

/// A replayed game: the truth at every ply.
pub struct Replay<G: Hidden> {
    pub setup: G::Setup,
    /// Chance outcomes included.
    pub plies: Vec<G::Action>,
    /// The state before each ply, and the last one after them: one more than plies.
    pub states: Vec<G::State>,
    pub ending: Ending,
}

/// Where a record stops being a game of these rules.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}{reason}", .ply.map(|ply| format!("ply {ply}: ")).unwrap_or_default())]
pub struct ReplayFault {
    /// `None`: before the first ply, or the end.
    pub ply: Option<u16>,
    pub reason: String,
}

/// Replays a whole game: every action is possible, every actor and every state is right, the end is the recorded
/// one.
pub fn replay<G: PipelineGame>(rules: &G, record: &GameRecord) -> Result<Replay<G>, ReplayFault> {
    let replayed = replay_plies(rules, record)?;
    let found = utilities(replayed.ending, rules.n_seats());
    if found == record.setup.utilities {
        return Ok(replayed);
    }
    let reason = format!("the game ends with {found:?}, recorded is {:?}", record.setup.utilities);
    Err(ReplayFault { ply: None, reason })
}

fn replay_plies<G: PipelineGame>(rules: &G, record: &GameRecord) -> Result<Replay<G>, ReplayFault> {
    let fault = |ply, reason: String| ReplayFault { ply, reason };
    let setup =
        rules.parse_setup(&record.setup.setup).map_err(|error| fault(None, error.to_string()))?;
    let mut state = rules.initial(&setup);
    let start = rules.position_text(&state);
    if start != record.setup.start {
        let recorded = &record.setup.start;
        return Err(fault(None, format!("the set-up starts at {start:?}, recorded {recorded:?}")));
    }
    let mut plies = Vec::with_capacity(record.plies.len());
    let mut states = Vec::with_capacity(record.plies.len() + 1);
    for (idx, row) in record.plies.iter().enumerate() {
        let at = |reason: String| fault(u16::try_from(idx).ok(), reason);
        let turn = rules.turn(&state);
        let recorded = row.seat.map_or(Turn::Chance, |seat| Turn::Seat(Seat::new(seat)));
        if turn != recorded {
            return Err(at(format!("{turn:?} is to act, recorded is {recorded:?}")));
        }
        let action = rules.parse_action(&row.action).map_err(|error| at(error.to_string()))?;
        states.push(state.clone());
        rules.play(&mut state, action).map_err(|error| at(error.to_string()))?;
        rules.validate(&state).map_err(|error| at(error.to_string()))?;
        plies.push(action);
    }
    let ending = rules.ending(&state);
    states.push(state);
    match ending {
        Some(ending) => Ok(Replay { setup, plies, states, ending }),
        None => Err(fault(None, "the record ends and the game goes on".to_owned())),
    }
}

impl<G: Hidden + Notation> Replay<G> {
    /// The state in which ply number `ply` was played.
    pub fn before(&self, ply: usize) -> &G::State {
        &self.states[ply]
    }

    /// What `seat` had seen when ply number `ply` came up.
    pub fn observation(&self, rules: &G, seat: Seat, ply: usize) -> Observation<G> {
        let start = rules.now(&self.states[0], seat);
        let mut observation = Observation::begin(seat, start);
        for (idx, &action) in self.plies[..ply].iter().enumerate() {
            let event = rules.event(&self.states[idx], action, seat);
            observation.extend(event, rules.now(&self.states[idx + 1], seat));
        }
        observation
    }
}
