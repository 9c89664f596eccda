//! What every game must satisfy, as functions over random walks. Each stops at the first violation and otherwise
//! gives counts, so that a test can insist that its cases really occurred.

mod actions;
mod chance;
mod keys;
mod moves;
mod notation;
mod observations;

pub use actions::{ActionIndexes, action_index};
pub use chance::{ChanceWeights, chance_weights};
pub use keys::{Keys, Symmetries, keys, symmetry};
pub use moves::{Moves, moves};
pub use notation::{NotationRoundTrips, notation};
pub use observations::{Observations, observations};

use crate::{Chance, Rules, Stream, Turn};

/// A property that does not hold, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{property} violated in game {game} after {plies} plies: {detail}")]
pub struct Violation {
    pub property: &'static str,
    pub game: u64,
    pub plies: u64,
    pub detail: String,
}

/// How long to walk, and from which seed.
#[derive(Clone, Copy, Debug)]
pub struct Walk {
    pub games: u64,
    /// A game is left after this many plies.
    pub plies_max: u64,
    pub seed: u64,
}

/// Chooses among the legal actions of the seat to act: a number below the length of the list.
pub trait Pick<R: Rules> {
    fn pick(
        &mut self,
        rules: &R,
        state: &R::State,
        legal: &[R::Action],
        stream: &mut Stream,
    ) -> usize;
}

impl<R: Rules, F: FnMut(&R, &R::State, &[R::Action], &mut Stream) -> usize> Pick<R> for F {
    fn pick(
        &mut self,
        rules: &R,
        state: &R::State,
        legal: &[R::Action],
        stream: &mut Stream,
    ) -> usize {
        self(rules, state, legal, stream)
    }
}

/// Every legal action equally likely.
#[derive(Clone, Copy, Debug)]
pub struct Uniform;

impl<R: Rules> Pick<R> for Uniform {
    fn pick(&mut self, _: &R, _: &R::State, legal: &[R::Action], stream: &mut Stream) -> usize {
        stream.below(legal.len() as u32) as usize
    }
}

/// One position of a walk.
struct Place<'a, R: Rules> {
    rules: &'a R,
    setup: &'a R::Setup,
    state: &'a R::State,
    property: &'static str,
    game: u64,
    plies: u64,
}

impl<R: Rules> Place<'_, R> {
    fn violation(&self, detail: impl Into<String>) -> Violation {
        let Place { property, game, plies, .. } = *self;
        Violation { property, game, plies, detail: detail.into() }
    }

    fn ensure(&self, holds: bool, detail: impl FnOnce() -> String) -> Result<(), Violation> {
        if holds { Ok(()) } else { Err(self.violation(detail())) }
    }
}

/// Walks and calls `visit` at every position, the last one included. `visit` may answer with the ply that follows.
fn walk<R: Chance>(
    rules: &R,
    walk: Walk,
    pick: &mut impl Pick<R>,
    property: &'static str,
    mut visit: impl FnMut(&Place<R>, &mut Stream) -> Result<(), Violation>,
    mut played: impl FnMut(&R::State, R::Action, &R::State),
) -> Result<(), Violation> {
    let mut stream = Stream::from_seed(walk.seed);
    for game in 0..walk.games {
        let setup = rules.deal(&mut stream);
        let mut state = rules.initial(&setup);
        for plies in 0..=walk.plies_max {
            let place = Place { rules, setup: &setup, state: &state, property, game, plies };
            visit(&place, &mut stream)?;
            let action = match rules.turn(&state) {
                Turn::Over => break,
                Turn::Chance => rules.draw(&state, &mut stream),
                Turn::Seat(_) => {
                    let legal = rules.legal(&state);
                    legal[pick.pick(rules, &state, &legal, &mut stream)]
                }
            };
            let before = state.clone();
            rules.apply(&mut state, action);
            played(&before, action, &state);
        }
    }
    Ok(())
}
