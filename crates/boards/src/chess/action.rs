//! Moves as UCI writes them, which tells every legal move apart without the position.

use cozy_chess::{Board, Color, File, Move, Piece, Square};
use std::fmt;

/// What a UCI move says. Castling is the king's move by two files.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action {
    pub from: Square,
    pub to: Square,
    /// A knight, bishop, rook or queen.
    pub promotion: Option<Piece>,
}

const PROMOTIONS: [Piece; 4] = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];

impl Action {
    /// The move as the rules crate has it, where castling is the king taking its own rook.
    #[inline]
    pub(super) fn on(self, board: &Board) -> Move {
        let Action { from, to, promotion } = self;
        if (from as u8).abs_diff(to as u8) == 2 && from == board.king(board.side_to_move()) {
            let rook_file = if to.file() == File::G { File::H } else { File::A };
            return Move { from, to: Square::new(rook_file, to.rank()), promotion: None };
        }
        Move { from, to, promotion }
    }

    /// From a king's move of the rules crate.
    #[inline]
    pub(super) fn of_king(from: Square, to: Square, own_rooks: cozy_chess::BitBoard) -> Action {
        if !own_rooks.has(to) {
            return Action { from, to, promotion: None };
        }
        let file = if to.file() > from.file() { File::G } else { File::C };
        Action { from, to: Square::new(file, from.rank()), promotion: None }
    }

    /// From and to as in `e2e4`, with `n`, `b`, `r` or `q` for a promotion.
    pub(super) fn parse(text: &str) -> Option<Action> {
        let from = text.get(0..2)?.parse().ok()?;
        let to: Square = text.get(2..4)?.parse().ok()?;
        let promotion = match text.get(4..)? {
            "" => None,
            letter => {
                let piece = letter.parse().ok()?;
                Some(PROMOTIONS.into_iter().find(|promotion| *promotion == piece)?)
            }
        };
        Some(Action { from, to, promotion })
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Action { from, to, promotion } = *self;
        write!(f, "{}", Move { from, to, promotion })
    }
}

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

pub(super) fn seat_of(color: Color) -> game::Seat {
    match color {
        Color::White => game::Seat::FIRST,
        Color::Black => game::Seat::SECOND,
    }
}
