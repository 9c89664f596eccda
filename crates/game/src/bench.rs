//! How fast a game's rules are: uniform random play on one thread.

use crate::{Chance, Stream, Turn};
use std::time::{Duration, Instant};

/// What one bench run measured. A decision is a ply, chance draws included.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RandomPlay {
    pub decisions: u64,
    pub games: u64,
    pub seconds: f64,
}

impl RandomPlay {
    pub fn decisions_per_s(&self) -> f64 {
        self.decisions as f64 / self.seconds
    }

    pub fn games_per_s(&self) -> f64 {
        self.games as f64 / self.seconds
    }
}

/// Deals and plays whole games, every legal action equally likely, until `duration` has passed; the game under way
/// is finished. Games that never end by their own rules need a cap.
pub fn random_play<R: Chance>(rules: &R, duration: Duration, seed: u64) -> RandomPlay {
    let mut stream = Stream::from_seed(seed);
    let mut actions = Vec::with_capacity(128);
    let (mut decisions, mut games) = (0, 0);
    let start = Instant::now();
    while start.elapsed() < duration || games == 0 {
        let mut state = rules.initial(&rules.deal(&mut stream));
        decisions += play_out(rules, &mut state, &mut stream, &mut actions);
        games += 1;
    }
    RandomPlay { decisions, games, seconds: start.elapsed().as_secs_f64() }
}

/// Plays to the end; gives the number of plies. `actions` is scratch space.
fn play_out<R: Chance>(
    rules: &R,
    state: &mut R::State,
    stream: &mut Stream,
    actions: &mut Vec<R::Action>,
) -> u64 {
    let mut plies = 0;
    loop {
        let action = match rules.turn(state) {
            Turn::Over => return plies,
            Turn::Chance => rules.draw(state, stream),
            Turn::Seat(_) => {
                actions.clear();
                let _ = rules.actions(state, actions);
                actions[stream.below(actions.len() as u32) as usize]
            }
        };
        rules.apply(state, action);
        plies += 1;
    }
}
