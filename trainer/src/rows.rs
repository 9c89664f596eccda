//! The rows of one shard in memory, checked against the game and ready to be expanded.

use crate::TrainableGame;
use game::GameId;
use net::{LogitPlaces, NetworkShape};
use record::{RowFault, TrainingRow};

/// What decoding needs of a game, once for all shards.
pub struct Decoder<G> {
    pub rules: G,
    places: LogitPlaces,
}

/// One shard's rows, column by column. Row `i` has the legal actions `legal_start[i]..legal_start[i + 1]`.
pub struct ShardRows {
    /// The shard's id.
    pub shard: String,
    games: Vec<GameId>,
    now_len: usize,
    now: Vec<u8>,
    legal_start: Vec<u32>,
    /// The place of each legal action's logit.
    legal_place: Vec<u32>,
    /// Root visits of each legal action; 0 where the search never went.
    legal_visits: Vec<u16>,
    outcome: Vec<f32>,
    policy_weight: Vec<f32>,
    value_weight: Vec<f32>,
}

/// One row, borrowed.
#[derive(Clone, Copy, Debug)]
pub struct RowRef<'a> {
    pub game: GameId,
    /// Canonical bytes of what the acting seat knew.
    pub now: &'a [u8],
    pub legal_place: &'a [u32],
    pub legal_visits: &'a [u16],
    /// Result in [-1, 1] from the acting seat's view.
    pub outcome: f32,
    pub policy_weight: f32,
    pub value_weight: f32,
}

impl<G: TrainableGame> Decoder<G> {
    pub fn new(rules: G) -> Decoder<G> {
        let places = NetworkShape::of(&rules).logit_places();
        Decoder { rules, places }
    }

    /// Checks every row against the game: `now` decodes, the acting seat is the row's, the legal actions are as
    /// many as it says, every visited action is one of them. The error carries the row's number.
    pub fn decode(
        &self,
        shard: &str,
        rows: &[TrainingRow],
    ) -> Result<ShardRows, (usize, RowFault)> {
        let now_len = self.rules.now_len();
        let mut out = ShardRows {
            shard: shard.to_owned(),
            games: Vec::with_capacity(rows.len()),
            now_len,
            now: Vec::with_capacity(rows.len() * now_len),
            legal_start: vec![0],
            legal_place: Vec::new(),
            legal_visits: Vec::new(),
            outcome: Vec::with_capacity(rows.len()),
            policy_weight: Vec::with_capacity(rows.len()),
            value_weight: Vec::with_capacity(rows.len()),
        };
        for (idx, row) in rows.iter().enumerate() {
            self.push(&mut out, row).map_err(|fault| (idx, fault))?;
        }
        Ok(out)
    }

    fn push(&self, out: &mut ShardRows, row: &TrainingRow) -> Result<(), RowFault> {
        let fault = |column, reason: String| RowFault { column, reason };
        let rules = &self.rules;
        let now = rules.read_now(&row.now).map_err(|error| fault("now", error.to_string()))?;
        let seat = rules.now_observer(&now);
        if seat.idx() != usize::from(row.seat) || rules.now_turn(&now) != game::Turn::Seat(seat) {
            return Err(fault("seat", format!("seat {} does not act in `now`", row.seat)));
        }
        let mut actions: Vec<G::Action> = Vec::new();
        let _ = rules.now_actions(&now, &mut actions);
        if actions.len() != usize::from(row.n_legal) {
            let (found, n_legal) = (actions.len(), row.n_legal);
            return Err(fault(
                "n_legal",
                format!("{n_legal}, but `now` has {found} legal actions"),
            ));
        }
        let setup = rules.now_setup(&now);
        let mut n_found = 0;
        for action in actions {
            let index = rules.action_index(&setup, seat, action);
            let place = self.places.place(index).ok_or_else(|| {
                fault("now", format!("legal action {index} has no place on the board"))
            })?;
            let visits = row.visits.binary_search_by_key(&index, |entry| entry.action);
            n_found += usize::from(visits.is_ok());
            out.legal_place.push(place as u32);
            out.legal_visits.push(visits.map_or(0, |at| row.visits[at].visits));
        }
        if n_found != row.visits.len() {
            let reason = format!("{} visited, {n_found} of them legal", row.visits.len());
            return Err(fault("visits", reason));
        }
        out.legal_start.push(out.legal_place.len() as u32);
        out.games.push(row.game);
        out.now.extend_from_slice(&row.now);
        out.outcome.push(f32::from(row.outcome));
        out.policy_weight.push(row.policy_weight);
        out.value_weight.push(row.value_weight);
        Ok(())
    }
}

impl ShardRows {
    pub fn len(&self) -> usize {
        self.games.len()
    }

    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    pub fn row(&self, idx: usize) -> RowRef<'_> {
        let legal = self.legal_start[idx] as usize..self.legal_start[idx + 1] as usize;
        RowRef {
            game: self.games[idx],
            now: &self.now[idx * self.now_len..(idx + 1) * self.now_len],
            legal_place: &self.legal_place[legal.clone()],
            legal_visits: &self.legal_visits[legal],
            outcome: self.outcome[idx],
            policy_weight: self.policy_weight[idx],
            value_weight: self.value_weight[idx],
        }
    }
}
