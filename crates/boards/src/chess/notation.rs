//! Positions as FEN, moves as UCI writes them.

use super::action::Action;
use super::rules::{Chess, State, color_name};
use cozy_chess::{Board, Color, FenParseError, Piece};
use game::{Notation, NotationError};

const STANDARD_SETUP: &str = "standard";

fn error(what: &'static str, text: &str, reason: impl Into<String>) -> NotationError {
    NotationError { what, text: text.to_owned(), reason: reason.into() }
}

impl Notation for Chess {
    /// `e2e4`, `e7e8q`; castling is the king's move, `e1g1`.
    fn action_text(&self, action: Action) -> String {
        action.to_string()
    }

    fn parse_action(&self, text: &str) -> Result<Action, NotationError> {
        Action::parse(text).ok_or_else(|| {
            error("action", text, "a move is two squares and perhaps n, b, r or q, as in e7e8q")
        })
    }

    fn setup_text(&self, (): &()) -> String {
        STANDARD_SETUP.to_owned()
    }

    fn parse_setup(&self, text: &str) -> Result<(), NotationError> {
        match text {
            STANDARD_SETUP => Ok(()),
            _ => Err(error("set-up", text, "the only one is \"standard\"")),
        }
    }

    fn position_text(&self, state: &State) -> String {
        state.board.to_string()
    }

    /// The two counters may be missing.
    fn parse_position(&self, text: &str) -> Result<State, NotationError> {
        let fail = |reason: String| error("position", text, reason);
        let mut fields: Vec<&str> = text.split_whitespace().collect();
        check_pieces(fields.first().unwrap_or(&"")).map_err(fail)?;
        match fields.len() {
            4 => fields.extend(["0", "1"]),
            5 => fields.push("1"),
            _ => {}
        }
        match Board::from_fen(&fields.join(" "), false) {
            Ok(board) => Ok(State { board }),
            Err(refused) => Err(fail(explain(refused, &fields))),
        }
    }
}

/// What can be said of the pieces before the rules crate reads them: it gives no square.
fn check_pieces(text: &str) -> Result<(), String> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 8 {
        return Err(format!("the board has {} ranks instead of 8", ranks.len()));
    }
    let mut kings = [0; 2];
    for (rank, letters) in (1..=8).rev().zip(ranks) {
        let mut file = 0;
        for letter in letters.chars() {
            if let Some(n_empty) = letter.to_digit(10) {
                file += n_empty;
                continue;
            }
            let square = format!("{}{rank}", (b'a' + file.min(25) as u8) as char);
            if file >= 8 {
                return Err(format!("rank {rank} has more than 8 squares"));
            }
            let piece: Piece = letter
                .to_ascii_lowercase()
                .try_into()
                .map_err(|_| format!("{letter:?} on {square} is no piece (pnbrqk or PNBRQK)"))?;
            if piece == Piece::Pawn && (rank == 1 || rank == 8) {
                return Err(format!("a pawn cannot stand on {square}"));
            }
            kings[usize::from(letter.is_ascii_lowercase())] += u32::from(piece == Piece::King);
            file += 1;
        }
        if file != 8 {
            return Err(format!("rank {rank} has {file} squares instead of 8"));
        }
    }
    for (color, n_kings) in [Color::White, Color::Black].into_iter().zip(kings) {
        if n_kings != 1 {
            return Err(format!("{} has {n_kings} kings instead of 1", color_name(color)));
        }
    }
    Ok(())
}

fn explain(refused: FenParseError, fields: &[&str]) -> String {
    let field = |idx: usize| fields.get(idx).unwrap_or(&"");
    match refused {
        FenParseError::InvalidBoard => {
            "the king of the side that is not to move is attacked, a side has more than 16 pieces \
             or 8 pawns, or the checks cannot have come about"
                .to_owned()
        }
        FenParseError::InvalidSideToMove => {
            format!("the side to move is w or b, not {:?}", field(1))
        }
        FenParseError::InvalidCastlingRights => format!(
            "the castling rights {:?} need the king on its e-file square and rooks in the corners",
            field(2)
        ),
        FenParseError::InvalidEnPassant => {
            format!("no pawn can have passed over the en passant square {:?}", field(3))
        }
        FenParseError::InvalidHalfMoveClock => {
            format!("{:?} is no number of plies without progress from 0 to 100", field(4))
        }
        FenParseError::InvalidFullmoveNumber => {
            format!("{:?} is no move number from 1 to 65535", field(5))
        }
        FenParseError::MissingField => {
            "the four fields are board, side, castling rights and en passant square".to_owned()
        }
        FenParseError::TooManyFields => "there are more than six fields".to_owned(),
    }
}
