//! Seats on the command line.

use clap::ValueEnum;
use game::Seat;

/// Whose knowledge is shown.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum SeatArg {
    /// The first seat.
    #[value(alias = "first")]
    White,
    /// The second seat.
    #[value(alias = "second")]
    Black,
    /// Everything.
    Truth,
}

impl SeatArg {
    /// `None` for the truth.
    pub fn seat(self) -> Option<Seat> {
        match self {
            SeatArg::White => Some(Seat::FIRST),
            SeatArg::Black => Some(Seat::SECOND),
            SeatArg::Truth => None,
        }
    }
}
