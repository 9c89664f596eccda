//! A game in normal form, and how far a way to play it is from equilibrium.

/// The payoffs of both players. Rows are the first player's choices, columns the second's.
#[derive(Clone, PartialEq, Debug)]
pub struct Bimatrix {
    n_columns: usize,
    /// `[first player, second player]`, row by row.
    payoffs: Vec<[f64; 2]>,
}

/// Payoffs that make no game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotAGame {
    #[error("a game needs at least one row and one column")]
    Empty,
    #[error("{found} payoffs do not fill rows of {n_columns}")]
    Ragged { found: usize, n_columns: usize },
    #[error("payoff {cell}, counted row by row, is not finite")]
    NotFinite { cell: usize },
}

/// One mixed strategy each.
#[derive(Clone, PartialEq, Debug)]
pub struct Profile {
    pub rows: Vec<f64>,
    pub columns: Vec<f64>,
}

/// A probability for every cell, row by row: what a mediator or a history of play makes of the game.
#[derive(Clone, PartialEq, Debug)]
pub struct JointPlay(pub Vec<f64>);

impl Bimatrix {
    /// `payoffs` row by row, `[first player, second player]`.
    pub fn new(n_columns: usize, payoffs: Vec<[f64; 2]>) -> Result<Bimatrix, NotAGame> {
        if n_columns == 0 || payoffs.is_empty() {
            return Err(NotAGame::Empty);
        }
        if !payoffs.len().is_multiple_of(n_columns) {
            return Err(NotAGame::Ragged { found: payoffs.len(), n_columns });
        }
        match payoffs.iter().position(|cell| !cell.iter().all(|value| value.is_finite())) {
            Some(cell) => Err(NotAGame::NotFinite { cell }),
            None => Ok(Bimatrix { n_columns, payoffs }),
        }
    }

    /// The first player's payoffs; the second player's are their negatives.
    pub fn zero_sum(n_columns: usize, first: &[f64]) -> Result<Bimatrix, NotAGame> {
        Bimatrix::new(n_columns, first.iter().map(|value| [*value, 0.0 - value]).collect())
    }

    pub fn n_rows(&self) -> usize {
        self.payoffs.len() / self.n_columns
    }

    pub fn n_columns(&self) -> usize {
        self.n_columns
    }

    /// What both get.
    pub fn payoff(&self, row: usize, column: usize) -> [f64; 2] {
        self.payoffs[row * self.n_columns + column]
    }

    pub fn is_zero_sum(&self) -> bool {
        self.payoffs.iter().all(|[first, second]| first + second == 0.0)
    }

    /// The number of choices of player 0 or 1.
    pub fn n_choices(&self, player: usize) -> usize {
        if player == 0 { self.n_rows() } else { self.n_columns }
    }

    /// What `player` gets from its choice `own` against `other`.
    pub fn payoff_of(&self, player: usize, own: usize, other: usize) -> f64 {
        if player == 0 { self.payoff(own, other)[0] } else { self.payoff(other, own)[1] }
    }

    /// What each of `player`'s choices earns against a mixed strategy of the other.
    pub fn values_against(&self, player: usize, other: &[f64]) -> Vec<f64> {
        let value = |own: usize| {
            let cells = other.iter().enumerate();
            cells.map(|(other, share)| share * self.payoff_of(player, own, other)).sum()
        };
        (0..self.n_choices(player)).map(value).collect()
    }
}

impl Profile {
    pub fn of(&self, player: usize) -> &[f64] {
        if player == 0 { &self.rows } else { &self.columns }
    }

    /// What both players expect.
    pub fn values(&self, game: &Bimatrix) -> [f64; 2] {
        [0, 1].map(|player| {
            let values = game.values_against(player, self.of(1 - player));
            values.iter().zip(self.of(player)).map(|(value, share)| value * share).sum()
        })
    }

    /// The most that either player gains by another choice while the other keeps its strategy: 0 in an equilibrium,
    /// never less but for rounding.
    pub fn largest_gain(&self, game: &Bimatrix) -> f64 {
        let gain = |player: usize| {
            let values = game.values_against(player, self.of(1 - player));
            values.into_iter().fold(f64::NEG_INFINITY, f64::max) - self.values(game)[player]
        };
        gain(0).max(gain(1))
    }

    /// The cells' probabilities when both choose independently.
    pub fn joint(&self) -> JointPlay {
        JointPlay(
            self.rows
                .iter()
                .flat_map(|row| self.columns.iter().map(move |column| row * column))
                .collect(),
        )
    }
}

impl JointPlay {
    /// What both players expect.
    pub fn values(&self, game: &Bimatrix) -> [f64; 2] {
        [0, 1].map(|player| {
            let cells = self.0.iter().zip(&game.payoffs);
            cells.map(|(share, payoff)| share * payoff[player]).sum()
        })
    }

    /// The most that either player gains by taking another choice wherever it is told one: at most 0 in a correlated
    /// equilibrium.
    pub fn largest_gain(&self, game: &Bimatrix) -> f64 {
        let mut largest = f64::NEG_INFINITY;
        for player in [0, 1] {
            for told in 0..game.n_choices(player) {
                for taken in 0..game.n_choices(player) {
                    largest = largest.max(self.gain(game, player, told, taken));
                }
            }
        }
        largest
    }

    fn gain(&self, game: &Bimatrix, player: usize, told: usize, taken: usize) -> f64 {
        let cell = |other: usize| {
            let (row, column) = if player == 0 { (told, other) } else { (other, told) };
            let difference =
                game.payoff_of(player, taken, other) - game.payoff_of(player, told, other);
            self.0[row * game.n_columns + column] * difference
        };
        (0..game.n_choices(1 - player)).map(cell).sum()
    }
}
