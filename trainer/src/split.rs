//! Which games are kept out of training to measure the losses. Rows of one game never lie on both sides.

use crate::window::Window;
use record::split::{rank, threshold};

/// The rows of a window by side.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Split {
    pub train: Vec<u32>,
    pub held_out: Vec<u32>,
}

impl Split {
    /// A game is held out by its id alone, so that it stays held out in every later window. Only where that
    /// leaves none of several games, the one that is nearest to it is taken.
    pub fn by_game(window: &Window, held_out_share: f64) -> Split {
        let threshold = threshold(held_out_share);
        let games = || (0..window.len()).map(|idx| window.row(idx).game);
        let nearest = games().min_by_key(|game| rank(*game));
        let any_held_out = nearest.is_some_and(|game| rank(game) < threshold);
        let one_game = games().all(|game| Some(game) == nearest);
        let take_nearest = !any_held_out && !one_game && threshold > 0;
        let mut split = Split::default();
        for (idx, game) in games().enumerate() {
            let held_out = rank(game) < threshold || (take_nearest && Some(game) == nearest);
            let side = if held_out { &mut split.held_out } else { &mut split.train };
            side.push(idx as u32);
        }
        split
    }
}
