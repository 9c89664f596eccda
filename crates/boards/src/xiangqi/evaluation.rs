//! What a position looks worth, in hundredths of a pawn: material, and a little for where it stands.

use super::generate::reach;
use super::piece::{BLACK, Kind, Piece, RED};
use super::rules::Xiangqi;
use super::square::{Square, Squares};
use super::state::State;
use super::tables::approach_to;
use game::{Seat, StaticEvaluation};

/// Every number of the static score, in hundredths. Written for Red and used for both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weights {
    /// By [`Kind::idx`]; the king has none.
    pub piece: [i32; Kind::ALL.len()],
    /// More for a pawn beyond the river.
    pub pawn_beyond_river: i32,
    /// More again for a pawn on the files and ranks of the enemy palace.
    pub pawn_near_palace: i32,
    /// For both advisors.
    pub both_advisors: i32,
    /// For both bishops.
    pub both_bishops: i32,
    /// Less for a piece that alone stands between the kings: it cannot leave the file.
    pub alone_between_kings: i32,
    /// For each point that a knight, rook or cannon reaches, own pieces aside.
    pub mobility: [i32; Kind::ALL.len()],
    /// All terms but material together count for no more than this, so that none outweighs a free capture.
    pub position_max: i32,
}

impl Weights {
    pub const STANDARD: Weights = Weights {
        piece: [0, 200, 200, 400, 900, 450, 100],
        pawn_beyond_river: 30,
        pawn_near_palace: 50,
        both_advisors: 15,
        both_bishops: 10,
        alone_between_kings: 12,
        mobility: [0, 0, 0, 4, 2, 1, 0],
        position_max: 45,
    };

    /// What a piece on a point is worth.
    pub fn piece(&self, piece: Piece, square: Square) -> i32 {
        let worth = self.piece[piece.kind.idx()];
        if piece.kind != Kind::Pawn {
            return worth;
        }
        let from_red = if piece.seat == RED { square } else { square.across() };
        let is_beyond = from_red.rank() >= 5;
        let is_near_palace = from_red.rank() >= 7 && (3..=5).contains(&from_red.file());
        worth
            + if is_beyond { self.pawn_beyond_river } else { 0 }
            + if is_near_palace { self.pawn_near_palace } else { 0 }
    }
}

impl StaticEvaluation for Xiangqi {
    fn static_score(&self, state: &State) -> i32 {
        let weights = &Weights::STANDARD;
        let position = position_terms(weights, state, RED) - position_terms(weights, state, BLACK);
        let red = material(weights, state, RED) - material(weights, state, BLACK)
            + position.clamp(-weights.position_max, weights.position_max);
        if state.to_move() == RED { red } else { -red }
    }
}

/// The worth of a side's pieces.
pub fn material(weights: &Weights, state: &State, seat: Seat) -> i32 {
    let others = [Kind::Advisor, Kind::Bishop, Kind::Knight, Kind::Rook, Kind::Cannon];
    let pieces: i32 = others
        .into_iter()
        .map(|kind| weights.piece[kind.idx()] * state.of(seat, kind).len() as i32)
        .sum();
    let pawn = Piece { seat, kind: Kind::Pawn };
    let pawns: i32 = state.of(seat, Kind::Pawn).map(|square| weights.piece(pawn, square)).sum();
    pieces + pawns
}

/// Everything of a side's score that is not material.
pub fn position_terms(weights: &Weights, state: &State, seat: Seat) -> i32 {
    complete_guard(weights, state, seat) + mobility(weights, state, seat)
        - alone_between_kings(weights, state, seat)
}

fn complete_guard(weights: &Weights, state: &State, seat: Seat) -> i32 {
    let is_complete = |kind: Kind| state.of(seat, kind).len() == kind.n_max();
    let advisors = if is_complete(Kind::Advisor) { weights.both_advisors } else { 0 };
    let bishops = if is_complete(Kind::Bishop) { weights.both_bishops } else { 0 };
    advisors + bishops
}

fn mobility(weights: &Weights, state: &State, seat: Seat) -> i32 {
    let own = state.of_seat(seat);
    [Kind::Knight, Kind::Rook, Kind::Cannon]
        .into_iter()
        .map(|kind| {
            let points: usize = state
                .of(seat, kind)
                .map(|from| (reach(state, seat, kind, from) & !own).len())
                .sum();
            weights.mobility[kind.idx()] * points as i32
        })
        .sum()
}

fn alone_between_kings(weights: &Weights, state: &State, seat: Seat) -> i32 {
    let (king, other) = (state.king(seat), state.king(seat.other()));
    if king.file() != other.file() {
        return 0;
    }
    let between = Squares(approach_to(king).between[other.idx()]) & state.occupied();
    let is_pinned = between.len() == 1 && state.of_seat(seat).contains(between.first());
    if is_pinned { weights.alone_between_kings } else { 0 }
}
