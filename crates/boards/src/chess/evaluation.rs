//! What a position looks worth, in hundredths of a pawn: material, and a little for where it stands.

use super::rules::{Chess, State};
use cozy_chess::{
    Board, Color, Piece, Rank, Square, get_bishop_moves, get_knight_moves, get_rook_moves,
};
use game::StaticEvaluation;

/// Every number of the static score, in hundredths. Written for White and used for both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weights {
    /// Pawn, knight, bishop, rook, queen; the king has none.
    pub piece: [i32; Piece::NUM],
    /// How far the pieces that are left make a middle game; [`Weights::PHASE_MAX`] at the beginning.
    pub phase: [i32; Piece::NUM],
    /// More for any pawn when no other pieces are left; in between, the share that has gone.
    pub pawn_in_endgame: i32,
    /// More for each rank that a pawn has advanced when no other pieces are left; in between, the share.
    pub pawn_rank_in_endgame: i32,
    /// For each square that a piece reaches, own pieces aside.
    pub mobility: [i32; Piece::NUM],
    /// For each step nearer to the middle of the board, of three.
    pub centre: [i32; Piece::NUM],
    /// The king's own centre term when no other pieces are left; until then its share.
    pub king_centre_in_endgame: i32,
    /// For a king on its back rank away from the files d, e and f; the share of pieces that are left.
    pub king_sheltered: i32,
    /// For two bishops.
    pub both_bishops: i32,
    /// All terms but material together count for no more than this, so that none outweighs a free capture.
    pub position_max: i32,
}

impl Weights {
    /// The sum of [`Weights::phase`] over the pieces of the beginning.
    pub const PHASE_MAX: i32 = 24;

    pub const STANDARD: Weights = Weights {
        piece: [100, 300, 300, 500, 900, 0],
        phase: [0, 1, 1, 2, 4, 0],
        pawn_in_endgame: 20,
        pawn_rank_in_endgame: 10,
        mobility: [0, 2, 2, 1, 0, 0],
        centre: [2, 3, 1, 0, 0, 0],
        king_centre_in_endgame: 6,
        king_sheltered: 16,
        both_bishops: 15,
        position_max: 45,
    };
}

impl StaticEvaluation for Chess {
    fn static_score(&self, state: &State) -> i32 {
        let weights = &Weights::STANDARD;
        let (board, us) = (&state.board, state.board.side_to_move());
        let phase = phase(weights, board);
        let position =
            position_terms(weights, board, us, phase) - position_terms(weights, board, !us, phase);
        material(weights, board, us, phase) - material(weights, board, !us, phase)
            + position.clamp(-weights.position_max, weights.position_max)
    }
}

/// 0 where only kings and pawns are left, [`Weights::PHASE_MAX`] at the beginning.
pub fn phase(weights: &Weights, board: &Board) -> i32 {
    let left: i32 = Piece::ALL
        .into_iter()
        .map(|piece| weights.phase[piece as usize] * board.pieces(piece).len() as i32)
        .sum();
    left.min(Weights::PHASE_MAX)
}

/// The worth of a side's pieces; pawns rise as pieces go.
pub fn material(weights: &Weights, board: &Board, color: Color, phase: i32) -> i32 {
    let pieces: i32 = Piece::ALL
        .into_iter()
        .map(|piece| {
            weights.piece[piece as usize] * board.colored_pieces(color, piece).len() as i32
        })
        .sum();
    let risen: i32 = board
        .colored_pieces(color, Piece::Pawn)
        .into_iter()
        .map(|square| {
            let rank = square.rank() as i32;
            let advanced = if color == Color::White { rank - 1 } else { 6 - rank };
            weights.pawn_in_endgame + weights.pawn_rank_in_endgame * advanced
        })
        .sum();
    pieces + risen * (Weights::PHASE_MAX - phase) / Weights::PHASE_MAX
}

/// Everything of a side's score that is not material.
pub fn position_terms(weights: &Weights, board: &Board, color: Color, phase: i32) -> i32 {
    let own = board.colors(color);
    let mut score = 0;
    for piece in [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook] {
        for square in board.colored_pieces(color, piece) {
            let reached = match piece {
                Piece::Knight => get_knight_moves(square),
                Piece::Bishop => get_bishop_moves(square, board.occupied()),
                Piece::Rook => get_rook_moves(square, board.occupied()),
                _ => own,
            };
            score += weights.mobility[piece as usize] * (reached & !own).len() as i32;
            score += weights.centre[piece as usize] * nearness_to_centre(square);
        }
    }
    if board.colored_pieces(color, Piece::Bishop).len() >= 2 {
        score += weights.both_bishops;
    }
    score + king_terms(weights, board.king(color), color, phase)
}

fn king_terms(weights: &Weights, king: Square, color: Color, phase: i32) -> i32 {
    let gone = Weights::PHASE_MAX - phase;
    let file = king.file() as i32;
    let is_sheltered = king.rank() == Rank::First.relative_to(color) && !(3..=5).contains(&file);
    let sheltered = if is_sheltered { weights.king_sheltered * phase } else { 0 };
    let centre = weights.king_centre_in_endgame * nearness_to_centre(king) * gone;
    (sheltered + centre) / Weights::PHASE_MAX
}

/// 0 on the edge, 3 on the four middle squares.
fn nearness_to_centre(square: Square) -> i32 {
    let nearness = |line: i32| line.min(7 - line);
    nearness(square.file() as i32).min(nearness(square.rank() as i32))
}
