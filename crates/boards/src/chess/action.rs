//! Moves as UCI writes them, which tells every legal move apart without the position.

use cozy_chess::{Board, Color, File, Move, Piece, Square};
use std::fmt;

/// From, to and promotion in one number. Castling is the king's move by two files.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action(u16);

const PROMOTIONS: [Piece; 4] = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];

impl Action {
    /// `promotion` is a knight, bishop, rook or queen.
    #[inline]
    pub(super) fn new(from: Square, to: Square, promotion: Option<Piece>) -> Action {
        let promotion = promotion.map_or(0, |piece| piece as u16);
        Action(from as u16 | (to as u16) << 6 | promotion << 12)
    }

    #[inline]
    pub fn from(self) -> Square {
        Square::index(usize::from(self.0 & 63))
    }

    #[inline]
    pub fn to(self) -> Square {
        Square::index(usize::from(self.0 >> 6 & 63))
    }

    /// A pawn is 0 among the pieces, and no pawn becomes a pawn.
    #[inline]
    pub fn promotion(self) -> Option<Piece> {
        match self.0 >> 12 {
            0 => None,
            piece => Piece::try_index(usize::from(piece)),
        }
    }

    /// The move as the rules crate has it, where castling is the king taking its own rook.
    #[inline]
    pub(super) fn on(self, board: &Board) -> Move {
        let (from, to) = (self.from(), self.to());
        if (from as u8).abs_diff(to as u8) == 2 && from == board.king(board.side_to_move()) {
            let rook_file = if to.file() == File::G { File::H } else { File::A };
            return Move { from, to: Square::new(rook_file, to.rank()), promotion: None };
        }
        Move { from, to, promotion: self.promotion() }
    }

    /// From a king's move of the rules crate.
    #[inline]
    pub(super) fn of_king(from: Square, to: Square, own_rooks: cozy_chess::BitBoard) -> Action {
        if !own_rooks.has(to) {
            return Action::new(from, to, None);
        }
        let file = if to.file() > from.file() { File::G } else { File::C };
        Action::new(from, Square::new(file, from.rank()), None)
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
        Some(Action::new(from, to, promotion))
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Move { from: self.from(), to: self.to(), promotion: self.promotion() })
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
