//! All equilibria of a game by trying every pair of supports of equal size, in rationals.
//!
//! In a nondegenerate game every equilibrium has supports of equal size, and a pair of supports has at most one. The
//! strategies are the solution of two linear systems (each makes the other player indifferent among its support), which
//! is exact here: whether a share is 0 or a deviation gains nothing is decided without rounding.

use super::{Bimatrix, Profile};
use num_bigint::BigInt;
use num_rational::Ratio;

type Rational = Ratio<BigInt>;

/// What was found.
#[derive(Clone, PartialEq, Debug)]
pub struct Equilibria {
    pub profiles: Vec<Profile>,
    /// Whether the game may have more: some equilibrium has another best answer outside its support, or a system had
    /// no unique solution.
    pub is_degenerate: bool,
}

/// More choices than this of one player would take too long.
pub const CHOICES_MAX: usize = 12;

/// A game with too many choices.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "support enumeration takes games of at most {CHOICES_MAX} choices a player, not {n_choices}"
)]
pub struct TooManyChoices {
    pub n_choices: usize,
}

pub fn equilibria(game: &Bimatrix) -> Result<Equilibria, TooManyChoices> {
    let n_choices = game.n_rows().max(game.n_columns());
    if CHOICES_MAX < n_choices {
        return Err(TooManyChoices { n_choices });
    }
    let mut found = Equilibria { profiles: Vec::new(), is_degenerate: false };
    for rows in supports(game.n_rows()) {
        for columns in supports(game.n_columns()).filter(|it| it.len() == rows.len()) {
            found.try_supports(game, &[rows.clone(), columns]);
        }
    }
    Ok(found)
}

/// All sets of choices but the empty one.
fn supports(n_choices: usize) -> impl Iterator<Item = Vec<usize>> {
    let member = move |mask: u32| (0..n_choices).filter(|k| mask >> k & 1 == 1).collect();
    (1..1u32 << n_choices).map(member)
}

impl Equilibria {
    fn try_supports(&mut self, game: &Bimatrix, supports: &[Vec<usize>; 2]) {
        let mut strategies = Vec::new();
        for player in [0, 1] {
            match self.mixing(game, player, supports) {
                Some(strategy) => strategies.push(strategy),
                None => return,
            }
        }
        for player in [0, 1] {
            let values = exact_values(game, player, &strategies[1 - player]);
            let earned = &values[supports[player][0]];
            let outside = |own: &usize| !supports[player].contains(own);
            if values.iter().any(|value| earned < value) {
                return;
            }
            self.is_degenerate |=
                (0..values.len()).filter(outside).any(|own| values[own] == *earned);
        }
        let [rows, columns] =
            [0, 1].map(|player: usize| strategies[player].iter().map(to_float).collect());
        self.profiles.push(Profile { rows, columns });
    }

    /// The strategy of `player` on its support, all shares positive, that makes the other player indifferent among its
    /// own support.
    fn mixing(
        &mut self,
        game: &Bimatrix,
        player: usize,
        supports: &[Vec<usize>; 2],
    ) -> Option<Vec<Rational>> {
        let (own, other) = (&supports[player], &supports[1 - player]);
        let n = own.len();
        // Unknown are the shares and, last, what the other player earns.
        let mut system: Vec<Vec<Rational>> = Vec::new();
        for answer in other {
            let payoff = |choice: &usize| exact(game.payoff_of(1 - player, *answer, *choice));
            let mut row: Vec<Rational> = own.iter().map(payoff).collect();
            row.extend([exact(-1.0), exact(0.0)]);
            system.push(row);
        }
        let mut sum = vec![exact(1.0); n];
        sum.extend([exact(0.0), exact(1.0)]);
        system.push(sum);
        let Some(solution) = solve_exactly(system) else {
            // Pure strategies always have a solution; larger supports without one make the game degenerate.
            self.is_degenerate |= 1 < n && is_indifferent_anywhere(game, player, supports);
            return None;
        };
        let zero = exact(0.0);
        if solution[..n].iter().any(|share| *share <= zero) {
            return None;
        }
        let mut strategy = vec![zero; game.n_choices(player)];
        for (choice, share) in own.iter().zip(solution) {
            strategy[*choice] = share;
        }
        Some(strategy)
    }
}

/// Whether two of the other player's choices earn the same against every choice of the support: then the system has many
/// solutions and not none.
fn is_indifferent_anywhere(game: &Bimatrix, player: usize, supports: &[Vec<usize>; 2]) -> bool {
    let (own, other) = (&supports[player], &supports[1 - player]);
    let earn_alike = |a: usize, b: usize| {
        own.iter().all(|choice| {
            game.payoff_of(1 - player, a, *choice) == game.payoff_of(1 - player, b, *choice)
        })
    };
    other.iter().any(|a| other.iter().any(|b| a < b && earn_alike(*a, *b)))
}

fn exact_values(game: &Bimatrix, player: usize, other: &[Rational]) -> Vec<Rational> {
    let value = |own: usize| {
        let cells = other.iter().enumerate();
        cells.map(|(other, share)| share * exact(game.payoff_of(player, own, other))).sum()
    };
    (0..game.n_choices(player)).map(value).collect()
}

/// The unique solution of a square system, each row with its right-hand side last; `None` if there is not exactly one.
fn solve_exactly(mut rows: Vec<Vec<Rational>>) -> Option<Vec<Rational>> {
    let n = rows.len();
    let zero = exact(0.0);
    for column in 0..n {
        let pivot = (column..n).find(|row| rows[*row][column] != zero)?;
        rows.swap(column, pivot);
        let scale = rows[column][column].clone();
        rows[column].iter_mut().for_each(|value| *value /= &scale);
        let pivot_row = rows[column].clone();
        for (idx, row) in rows.iter_mut().enumerate() {
            let factor = row[column].clone();
            if idx != column && factor != zero {
                for (value, pivot) in row.iter_mut().zip(&pivot_row) {
                    *value -= &factor * pivot;
                }
            }
        }
    }
    Some(rows.into_iter().filter_map(|mut row| row.pop()).collect())
}

/// The number that a finite floating-point value stands for.
fn exact(value: f64) -> Rational {
    // Times 2^1074 every finite value is whole; payoffs are small numbers with few binary places.
    let (mut numerator, mut n_places) = (value, 0usize);
    while numerator.fract() != 0.0 {
        numerator *= 2.0;
        n_places += 1;
    }
    Ratio::new(whole(numerator), BigInt::from(1) << n_places)
}

/// A whole floating-point number as an integer.
fn whole(value: f64) -> BigInt {
    let mut magnitude = value.abs();
    let mut shift = 0usize;
    while 2f64.powi(53) <= magnitude {
        magnitude /= 2.0;
        shift += 1;
    }
    let unsigned = BigInt::from(magnitude as u64) << shift;
    if value < 0.0 { -unsigned } else { unsigned }
}

/// The nearest floating-point number of a share between 0 and 1.
fn to_float(share: &Rational) -> f64 {
    const BITS: usize = 80;
    let scaled: BigInt = (share.numer() << BITS) / share.denom();
    let digits = scaled.to_u64_digits().1;
    let sum = digits.iter().rev().fold(0.0, |sum, digit| sum * 2f64.powi(64) + *digit as f64);
    sum * 2f64.powi(-(BITS as i32))
}
