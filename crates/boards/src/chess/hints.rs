//! What a search looks at first.

use super::action::Action;
use super::evaluation::Weights;
use super::rules::{Chess, State, is_in_check};
use cozy_chess::{Color, Piece, Square};
use game::{ActionSink, Rules, SearchHints};
use std::ops::ControlFlow;

impl SearchHints for Chess {
    fn is_forced(&self, state: &State) -> bool {
        is_in_check(state)
    }

    /// Captures, en passant too, and promotions.
    fn noisy_actions(&self, state: &State, sink: &mut impl ActionSink<Action>) -> ControlFlow<()> {
        let mut noisy = Noisy { state, sink };
        self.actions(state, &mut noisy)
    }

    fn gain(&self, state: &State, action: Action) -> i32 {
        let worth = |piece: Piece| Weights::STANDARD.piece[piece as usize];
        let Some(moved) = state.board.piece_on(action.from) else { return 0 };
        let taken = match taken(state, action) {
            Some(piece) => worth(piece) - worth(moved).max(100) / 32,
            None => 0,
        };
        let promoted = action.promotion.map_or(0, |piece| worth(piece) - worth(Piece::Pawn));
        taken + promoted
    }

    /// Moves towards the middle and forward first.
    fn promise(&self, state: &State, action: Action) -> i32 {
        let is_white = state.board.side_to_move() == Color::White;
        let place = |square: Square| {
            let (file, rank) = (square.file() as i32, square.rank() as i32);
            let forward = if is_white { rank } else { 7 - rank };
            2 * file.min(7 - file) + forward
        };
        16 + place(action.to) - place(action.from)
    }

    /// In check, and with nothing but pawns, a side may be glad to pass.
    fn after_null_move(&self, state: &State) -> Option<State> {
        let board = &state.board;
        let weak = board.pieces(Piece::Pawn) | board.pieces(Piece::King);
        if (board.colors(board.side_to_move()) & !weak).is_empty() {
            return None;
        }
        board.null_move().map(State::on)
    }
}

/// What a move takes.
fn taken(state: &State, action: Action) -> Option<Piece> {
    let board = &state.board;
    if let Some(piece) = board.piece_on(action.to) {
        return Some(piece);
    }
    let is_en_passant =
        board.piece_on(action.from) == Some(Piece::Pawn) && action.from.file() != action.to.file();
    is_en_passant.then_some(Piece::Pawn)
}

/// Passes on what is noisy.
struct Noisy<'a, S> {
    state: &'a State,
    sink: &'a mut S,
}

impl<S: ActionSink<Action>> ActionSink<Action> for Noisy<'_, S> {
    fn push(&mut self, action: Action) -> ControlFlow<()> {
        if action.promotion.is_some() || taken(self.state, action).is_some() {
            return self.sink.push(action);
        }
        ControlFlow::Continue(())
    }
}
