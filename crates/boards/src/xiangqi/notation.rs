//! Positions as FEN, moves as UCCI writes them.

use super::generate::Action;
use super::piece::{BLACK, Piece, RED};
use super::rules::Xiangqi;
use super::square::{N_FILES, N_RANKS, Square};
use super::state::State;
use game::{Notation, NotationError, Rules, Seat};

/// The beginning of a game. Upper case is Red, at the bottom; `w` is Red to move, for which `r` is read too.
pub const STANDARD_START: &str =
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

const STANDARD_SETUP: &str = "standard";

fn error(what: &'static str, text: &str, reason: impl Into<String>) -> NotationError {
    NotationError { what, text: text.to_owned(), reason: reason.into() }
}

impl Notation for Xiangqi {
    /// From and to, file a–i and rank 0–9: `h2e2`.
    fn action_text(&self, action: Action) -> String {
        action.to_string()
    }

    fn parse_action(&self, text: &str) -> Result<Action, NotationError> {
        let squares = text
            .is_ascii()
            .then(|| {
                (text.len() == 4).then(|| (Square::parse(&text[..2]), Square::parse(&text[2..])))
            })
            .flatten();
        match squares {
            Some((Some(from), Some(to))) => Ok(Action { from, to }),
            _ => Err(error("action", text, "a move is two points, each a–i and 0–9, as in h2e2")),
        }
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

    /// Board, side, two empty fields, plies without a capture, and a move number that is always 1.
    fn position_text(&self, state: &State) -> String {
        let side = if state.to_move() == RED { 'w' } else { 'b' };
        format!("{} {side} - - {} 1", board_text(state), state.plies_without_capture())
    }

    /// The fields after the side may be missing; the move number is not kept.
    fn parse_position(&self, text: &str) -> Result<State, NotationError> {
        let fail = |reason: String| error("position", text, reason);
        let mut fields = text.split_whitespace();
        let board = fields.next().unwrap_or_default();
        let to_move = match fields.next() {
            Some("w" | "r") => RED,
            Some("b") => BLACK,
            Some(side) => return Err(fail(format!("the side to move is w or b, not {side:?}"))),
            None => return Err(fail("the side to move is missing".to_owned())),
        };
        let fields: Vec<&str> = fields.collect();
        let plies = match fields.as_slice() {
            [] | ["-"] | ["-", "-"] => 0,
            ["-", "-", plies] | ["-", "-", plies, _] => plies
                .parse()
                .map_err(|_| fail(format!("{plies:?} is no number of plies without a capture")))?,
            _ => return Err(fail("after the side come - - and two numbers".to_owned())),
        };
        let state = read_board(board, to_move, plies).map_err(fail)?;
        self.validate(&state).map_err(|invalid| fail(invalid.0))?;
        Ok(state)
    }
}

fn board_text(state: &State) -> String {
    let mut text = String::new();
    for rank in (0..N_RANKS).rev() {
        let mut n_empty = 0;
        for file in 0..N_FILES {
            match state.piece_at(Square::new(rank * N_FILES + file)) {
                None => n_empty += 1,
                Some(piece) => {
                    if n_empty > 0 {
                        text.push_str(&n_empty.to_string());
                    }
                    n_empty = 0;
                    text.push(piece.letter());
                }
            }
        }
        if n_empty > 0 {
            text.push_str(&n_empty.to_string());
        }
        if rank > 0 {
            text.push('/');
        }
    }
    text
}

fn read_board(text: &str, to_move: Seat, plies: u16) -> Result<State, String> {
    let mut state = State::empty(to_move, plies);
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != N_RANKS {
        return Err(format!("the board has {} ranks instead of {N_RANKS}", ranks.len()));
    }
    for (rank, letters) in (0..N_RANKS).rev().zip(ranks) {
        let mut file = 0;
        for letter in letters.chars() {
            if let Some(n_empty) = letter.to_digit(10) {
                file += n_empty as i32;
                continue;
            }
            let square = Square::at(file, rank as i32)
                .ok_or_else(|| format!("rank {rank} has more than {N_FILES} points"))?;
            let piece = Piece::from_letter(letter).ok_or_else(|| {
                format!("{letter:?} on {square} is no piece (kabnrcp or KABNRCP)")
            })?;
            state.put(square, piece);
            file += 1;
        }
        if file != N_FILES as i32 {
            return Err(format!("rank {rank} has {file} points instead of {N_FILES}"));
        }
    }
    Ok(state)
}
