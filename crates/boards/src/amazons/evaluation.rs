//! What a position is worth at a glance, in hundredths of a square.

use super::queen_lines::{Squares, reach};
use super::rules::{Amazons, State};
use game::Seat;

/// The differences between the side to move and the other side, counted in squares or moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Terms {
    /// Moves of the amazons without their arrows.
    pub mobility: i32,
    /// Empty squares that one side reaches in fewer moves than the other, if both reach them.
    pub nearer: i32,
    /// Empty squares that only one side can still reach: cut off for good.
    pub cut_off: i32,
}

/// What one unit of each term is worth, in hundredths of a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weights {
    pub mobility: i32,
    pub nearer: i32,
    pub cut_off: i32,
}

impl Default for Weights {
    /// A square cut off is a move that nobody can take away; a nearer one is contested, and a move of mobility less
    /// than either.
    fn default() -> Weights {
        Weights { mobility: 10, nearer: 60, cut_off: 100 }
    }
}

/// For the side to move. The same position with sides exchanged, or turned or mirrored, has the same value.
pub fn evaluate(rules: &Amazons, state: &State, weights: &Weights) -> i32 {
    let terms = Terms::of(rules, state);
    terms.mobility * weights.mobility
        + terms.nearer * weights.nearer
        + terms.cut_off * weights.cut_off
}

impl Terms {
    pub fn of(rules: &Amazons, state: &State) -> Terms {
        let empty = rules.empty(state);
        let (own, other) = (state.to_move(), state.to_move().other());
        let mobility = |seat: Seat| -> i32 {
            state.amazons(seat).map(|amazon| reach(amazon, empty).len() as i32).sum()
        };
        let (nearer, cut_off) = territory(state, empty);
        Terms { mobility: mobility(own) - mobility(other), nearer, cut_off }
    }
}

/// Squares that the side to move reaches first minus those of the other, and those that only one reaches at all.
fn territory(state: &State, empty: Squares) -> (i32, i32) {
    let seats = [state.to_move(), state.to_move().other()];
    let mut frontier = seats.map(|seat| state.amazons(seat));
    let mut reached = [Squares::NONE; 2];
    let mut first = [Squares::NONE; 2];
    while !frontier[0].is_empty() || !frontier[1].is_empty() {
        for side in 0..2 {
            let next = frontier[side].fold(Squares::NONE, |set, square| set | reach(square, empty));
            frontier[side] = next & !reached[side];
        }
        for side in 0..2 {
            first[side] = first[side] | frontier[side] & !(reached[1 - side] | frontier[1 - side]);
        }
        for side in 0..2 {
            reached[side] = reached[side] | frontier[side];
        }
    }
    let both = reached[0] & reached[1];
    let len = |squares: Squares| squares.len() as i32;
    let nearer = len(first[0] & both) - len(first[1] & both);
    let cut_off = len(reached[0] & !reached[1]) - len(reached[1] & !reached[0]);
    (nearer, cut_off)
}
