//! The seven kinds of pieces of each side.

use game::Seat;

/// Red moves first and is [`Seat::FIRST`].
pub const RED: Seat = Seat::FIRST;
pub const BLACK: Seat = Seat::SECOND;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    King,
    Advisor,
    Bishop,
    Knight,
    Rook,
    Cannon,
    Pawn,
}

impl Kind {
    pub const ALL: [Kind; 7] = [
        Kind::King,
        Kind::Advisor,
        Kind::Bishop,
        Kind::Knight,
        Kind::Rook,
        Kind::Cannon,
        Kind::Pawn,
    ];

    pub const fn idx(self) -> usize {
        self as usize
    }

    /// How many of them one side begins with, and so the most it can have.
    pub const fn n_max(self) -> usize {
        match self {
            Kind::King => 1,
            Kind::Pawn => 5,
            _ => 2,
        }
    }

    pub const fn name(self) -> &'static str {
        match self {
            Kind::King => "king",
            Kind::Advisor => "advisor",
            Kind::Bishop => "bishop",
            Kind::Knight => "knight",
            Kind::Rook => "rook",
            Kind::Cannon => "cannon",
            Kind::Pawn => "pawn",
        }
    }

    const fn letter(self) -> char {
        match self {
            Kind::King => 'k',
            Kind::Advisor => 'a',
            Kind::Bishop => 'b',
            Kind::Knight => 'n',
            Kind::Rook => 'r',
            Kind::Cannon => 'c',
            Kind::Pawn => 'p',
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    pub seat: Seat,
    pub kind: Kind,
}

impl Piece {
    /// Upper case for Red.
    pub fn letter(self) -> char {
        let letter = self.kind.letter();
        if self.seat == RED { letter.to_ascii_uppercase() } else { letter }
    }

    pub fn from_letter(letter: char) -> Option<Piece> {
        let seat = if letter.is_ascii_uppercase() { RED } else { BLACK };
        let lower = letter.to_ascii_lowercase();
        let kind = Kind::ALL.into_iter().find(|kind| kind.letter() == lower)?;
        Some(Piece { seat, kind })
    }

    /// 0 to 13.
    pub const fn idx(self) -> usize {
        self.seat.idx() * Kind::ALL.len() + self.kind as usize
    }
}

pub const fn side_name(seat: Seat) -> &'static str {
    if seat.idx() == 0 { "red" } else { "black" }
}
