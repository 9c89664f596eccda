//! Intervals over games drawn anew: rows of one game hang together, games do not.

use game::Stream;

/// An estimate with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

impl Interval {
    pub fn width(&self) -> f64 {
        self.high - self.low
    }
}

const N_DRAWS: usize = 1000;

/// Percentiles of `of` over games drawn with replacement; `of` is given how often each game was drawn.
fn bootstrap(n_games: usize, seed: u64, of: impl Fn(&[u32]) -> f64) -> Interval {
    let value = of(&vec![1; n_games]);
    let mut stream = Stream::from_seed(seed);
    let mut drawn: Vec<f64> = (0..N_DRAWS)
        .map(|_| {
            let mut times = vec![0; n_games];
            (0..n_games).for_each(|_| times[stream.below(n_games as u32) as usize] += 1);
            of(&times)
        })
        .collect();
    drawn.sort_by(f64::total_cmp);
    Interval { value, low: drawn[N_DRAWS * 25 / 1000], high: drawn[N_DRAWS * 975 / 1000 - 1] }
}

/// Of the mean over all rows.
pub(super) fn of_mean(games: &[Vec<f64>], seed: u64) -> Interval {
    let sums: Vec<(f64, f64)> =
        games.iter().map(|game| (game.iter().sum(), game.len() as f64)).collect();
    bootstrap(games.len(), seed, |times| {
        let (sum, n) = sums.iter().zip(times).fold((0.0, 0.0), |(sum, n), (game, times)| {
            (sum + f64::from(*times) * game.0, n + f64::from(*times) * game.1)
        });
        if n > 0.0 { sum / n } else { 0.0 }
    })
}

/// Of the area under the receiver operating curve: the chance that a true configuration scores above a drawn one of
/// any row, ties counting half. Each game gives (score of the true, score of the drawn) for its rows.
pub(super) fn of_auc(games: &[Vec<(f64, f64)>], seed: u64) -> Interval {
    // Sorted once; a draw of games only changes how often each score counts.
    let mut all: Vec<(f64, bool, usize)> = Vec::new();
    for (game, rows) in games.iter().enumerate() {
        for (truth, drawn) in rows {
            all.push((*truth, true, game));
            all.push((*drawn, false, game));
        }
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    bootstrap(games.len(), seed, |times| auc(&all, times))
}

fn auc(sorted: &[(f64, bool, usize)], times: &[u32]) -> f64 {
    let (mut below, mut wins, mut n_true) = (0.0, 0.0, 0.0);
    for tied in sorted.chunk_by(|a, b| a.0 == b.0) {
        let count = |of: bool| -> f64 {
            tied.iter().filter(|it| it.1 == of).map(|it| f64::from(times[it.2])).sum()
        };
        let (trues, drawns) = (count(true), count(false));
        wins += trues * (below + drawns / 2.0);
        n_true += trues;
        below += drawns;
    }
    if n_true * below > 0.0 { wins / (n_true * below) } else { 0.5 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_area_is_the_share_of_pairs_in_order() {
        let games = vec![vec![(2.0, 1.0), (0.5, 1.0)], vec![(1.0, 0.0)]];
        // True 2, 0.5, 1 against drawn 1, 1, 0: 3 + 1 + (0.5 + 0.5 + 1) of 9.
        assert!((of_auc(&games, 1).value - 6.0 / 9.0).abs() < 1e-12);
    }

    #[test]
    fn the_interval_of_a_mean_holds_it() {
        let mut stream = Stream::from_seed(5);
        let games: Vec<Vec<f64>> = (0..200).map(|_| vec![stream.unit(); 3]).collect();
        let found = of_mean(&games, 2);
        assert!(found.low < found.value && found.value < found.high);
        // Uniform numbers, 200 independent ones: 1.96 sigma is 0.04 to either side.
        assert!((0.05..0.12).contains(&found.width()), "{found:?}");
    }
}
