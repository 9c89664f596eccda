//! The random streams of one decision.

use game::{GameId, Purpose, RunSeed, Stream};

/// One stream a purpose, so that how much one of them is used never moves another. None derives from the deal.
#[derive(Clone, Debug)]
pub struct SearchStreams {
    /// Exploration noise at the root.
    pub noise: Stream,
    /// The choice among visited actions.
    pub temperature: Stream,
    /// The belief seed and the chance outcomes inside the worlds.
    pub worlds: Stream,
}

impl SearchStreams {
    /// The streams of the decision at `ply` (plies of the game so far, chance included) of one game of a run.
    pub fn at(seed: RunSeed, game: GameId, ply: u32) -> SearchStreams {
        SearchStreams {
            noise: seed.stream(Purpose::Noise, game, ply),
            temperature: seed.stream(Purpose::Temperature, game, ply),
            worlds: seed.stream(Purpose::Worlds, game, ply),
        }
    }

    /// For tests and tools: from a plain number.
    pub fn from_seed(seed: u64) -> SearchStreams {
        SearchStreams::at(RunSeed(seed), GameId([0; 16]), 0)
    }
}
