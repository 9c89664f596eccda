//! What players win from each other in whole games.

use super::estimate::Estimate;
use super::player::ObservingPlayer;
use game::{Ending, Hidden, Observation, Rules, Seat, Stream, Turn};

/// One seat's mean winnings against these very opponents. It bounds nothing: not what another opponent would win, and
/// not how far anybody is from equilibrium.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HeadToHead {
    pub seat: Seat,
    /// In the game's own unit, from the seat's view; one draw a game.
    pub winnings: Estimate,
}

/// A game that gave no result.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayError {
    #[error(
        "a game was truncated after {n_plies} plies: it has no result; raise the limit on plies"
    )]
    Truncated { n_plies: usize },
    #[error("{seat:?} took {action}, which is not among its legal actions")]
    IllegalAction { seat: Seat, action: String },
    #[error("{players} players were given for a game of {seats} seats")]
    WrongPlayers { players: usize, seats: usize },
}

/// Plays `n_games` games, one player a seat. Deals and chance outcomes are drawn from one stream and the players'
/// choices from others, so that with the same seed other players get the same deals.
pub fn head_to_head<G: Hidden>(
    rules: &G,
    players: &mut [&mut dyn ObservingPlayer<G>],
    n_games: u64,
    seed: u64,
) -> Result<Vec<HeadToHead>, PlayError> {
    let seats = rules.n_seats();
    if players.len() != seats {
        return Err(PlayError::WrongPlayers { players: players.len(), seats });
    }
    let mut act = |observation: &Observation<G>, stream: &mut Stream| {
        Ok(players[observation.seat().idx()].act(rules, observation, stream))
    };
    let winnings = play_games(rules, n_games, seed, &mut act)?;
    let of = |(idx, draws): (usize, &Vec<f64>)| HeadToHead {
        seat: Seat::new(idx as u8),
        winnings: Estimate::of(draws),
    };
    Ok(winnings.iter().enumerate().map(of).collect())
}

/// Who acts: given what the seat to act has observed.
pub(super) type Act<'a, G, E> =
    dyn FnMut(&Observation<G>, &mut Stream) -> Result<<G as Rules>::Action, E> + 'a;

/// The utilities of `n_games` games, by seat.
pub(super) fn play_games<G: Hidden, E: From<PlayError>>(
    rules: &G,
    n_games: u64,
    seed: u64,
    act: &mut Act<'_, G, E>,
) -> Result<Vec<Vec<f64>>, E> {
    let mut seeds = Stream::from_seed(seed);
    let mut winnings = vec![Vec::new(); rules.n_seats()];
    for _ in 0..n_games {
        let [mut chance, mut choices] = [(); 2].map(|()| Stream::from_seed(seeds.next_u64()));
        let setup = rules.deal(&mut chance);
        let mut table = Table::begin(rules, rules.initial(&setup));
        let utilities = table.finish(act, &mut chance, &mut choices)?;
        for (all, utility) in winnings.iter_mut().zip(utilities) {
            all.push(utility);
        }
    }
    Ok(winnings)
}

/// A game with what every seat has observed of it: the state stays in here, players are given observations.
pub(super) struct Table<'r, G: Hidden> {
    rules: &'r G,
    state: G::State,
    observations: Vec<Observation<G>>,
}

impl<'r, G: Hidden> Table<'r, G> {
    pub fn begin(rules: &'r G, state: G::State) -> Table<'r, G> {
        let seats = (0..rules.n_seats()).map(|idx| Seat::new(idx as u8));
        let observations =
            seats.map(|seat| Observation::begin(seat, rules.now(&state, seat))).collect();
        Table { rules, state, observations }
    }

    /// In the middle of a game, in a world that somebody imagines.
    pub fn resume(rules: &'r G, state: G::State, observations: Vec<Observation<G>>) -> Self {
        Table { rules, state, observations }
    }

    pub fn apply(&mut self, action: G::Action) {
        let Table { rules, state, observations } = self;
        let see = |seen: &Observation<G>| rules.event(state, action, seen.seat());
        let events: Vec<G::Event> = observations.iter().map(see).collect();
        rules.apply(state, action);
        for (observation, event) in observations.iter_mut().zip(events) {
            let now = rules.now(state, observation.seat());
            observation.extend(event, now);
        }
    }

    /// Plays to the end and gives the utility of each seat.
    pub fn finish<E: From<PlayError>>(
        &mut self,
        act: &mut Act<'_, G, E>,
        chance: &mut Stream,
        choices: &mut Stream,
    ) -> Result<Vec<f64>, E> {
        loop {
            let action = match self.rules.turn(&self.state) {
                Turn::Over => return Ok(self.utilities()?),
                Turn::Chance => self.rules.draw(&self.state, chance),
                Turn::Seat(seat) => {
                    let action = act(&self.observations[seat.idx()], choices)?;
                    if !self.rules.is_legal(&self.state, action) {
                        let action = format!("{action:?}");
                        return Err(PlayError::IllegalAction { seat, action }.into());
                    }
                    action
                }
            };
            self.apply(action);
        }
    }

    fn utilities(&self) -> Result<Vec<f64>, PlayError> {
        match self.rules.ending(&self.state) {
            Some(Ending::Scored(utility)) => {
                let seats = (0..self.rules.n_seats()).map(|idx| Seat::new(idx as u8));
                Ok(seats.map(|seat| utility.of(seat)).collect())
            }
            _ => Err(PlayError::Truncated { n_plies: self.observations[0].events().len() }),
        }
    }
}
