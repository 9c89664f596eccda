//! The rules as a value with its parameters. Moves come from the crate `cozy-chess`.

use super::action::{Action, seat_of};
use cozy_chess::{BitBoard, Board, BoardBuilder, Color, Piece, PieceMoves};
use game::{ActionSink, Chance, Ending, InvalidState, Rules, Stream, Turn, Utility};
use std::ops::ControlFlow;

/// Chess. Repetition is not part of a position: it is judged over the moves of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chess {
    /// What draws a game besides stalemate. `None`: nothing.
    pub draws: Option<Draws>,
}

/// What draws a game besides stalemate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Draws {
    /// This many plies in a row without a capture or a pawn's move; at most 100, where the counter stops.
    pub plies_without_progress_max: u8,
    /// Whether it draws a game that no sequence of moves can mate: at most one knight or bishop besides the kings,
    /// or any number of bishops on squares of one colour.
    pub is_lack_of_material: bool,
}

impl Default for Chess {
    /// Fifty moves without progress, and positions that nobody can win, are drawn.
    fn default() -> Chess {
        Chess { draws: Some(Draws { plies_without_progress_max: 100, is_lack_of_material: true }) }
    }
}

impl Chess {
    /// No draw but stalemate: how moves are counted.
    pub const WITHOUT_DRAWS: Chess = Chess { draws: None };

    #[inline]
    fn is_drawn(&self, board: &Board) -> bool {
        self.draws.is_some_and(|draws| {
            board.halfmove_clock() >= draws.plies_without_progress_max
                || draws.is_lack_of_material && !can_anybody_mate(board)
        })
    }
}

fn can_anybody_mate(board: &Board) -> bool {
    let heavy = board.pieces(Piece::Pawn) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    if !heavy.is_empty() {
        return true;
    }
    let (knights, bishops) = (board.pieces(Piece::Knight), board.pieces(Piece::Bishop));
    if knights.is_empty() {
        let dark = bishops & BitBoard::DARK_SQUARES;
        return !dark.is_empty() && dark != bishops;
    }
    knights.len() + bishops.len() > 1
}

/// One complete position, as a FEN has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    pub(super) board: Board,
}

impl State {
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// A number for what a repetition compares: pieces, side, castling, and en passant where it can be played.
    pub fn key(&self) -> u64 {
        if self.board.en_passant().is_some() && !self.can_capture_en_passant() {
            return self.board.hash_without_ep();
        }
        self.board.hash()
    }

    fn can_capture_en_passant(&self) -> bool {
        let pawns = self.board.pieces(Piece::Pawn);
        let file = self.board.en_passant();
        self.board.generate_moves_for(pawns, |moves| {
            moves.to.into_iter().any(|to| {
                Some(to.file()) == file
                    && to.file() != moves.from.file()
                    && self.board.piece_on(to).is_none()
            })
        })
    }

    /// Any board of the rules crate.
    pub fn on(board: Board) -> State {
        State { board }
    }

    /// The same position built anew from its pieces, rights and counters.
    pub(super) fn rebuilt(&self) -> Result<Board, InvalidState> {
        BoardBuilder::from_board(&self.board)
            .build()
            .map_err(|error| InvalidState(error.to_string().to_lowercase()))
    }
}

/// The position before: copying it back costs less than taking a move apart.
#[derive(Clone, Debug)]
pub struct Undo(pub Board);

impl Rules for Chess {
    /// There is one beginning.
    type Setup = ();
    type State = State;
    type Action = Action;
    type Undo = Undo;

    const NAME: &'static str = "chess";

    fn deal(&self, _: &mut Stream) {}

    fn initial(&self, (): &()) -> State {
        State { board: Board::startpos() }
    }

    fn turn(&self, state: &State) -> Turn {
        if self.is_drawn(&state.board) || !has_legal_move(&state.board) {
            return Turn::Over;
        }
        Turn::Seat(seat_of(state.board.side_to_move()))
    }

    #[inline]
    fn actions(&self, state: &State, sink: &mut impl ActionSink<Action>) -> ControlFlow<()> {
        let board = &state.board;
        if self.is_drawn(board) {
            return ControlFlow::Continue(());
        }
        let is_stopped = board.generate_moves(|moves| push(board, moves, sink).is_break());
        if is_stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    #[inline]
    fn apply(&self, state: &mut State, action: Action) -> Undo {
        let played = action.on(&state.board);
        debug_assert!(state.board.is_legal(played), "{action} in {}", state.board);
        let before = state.board.clone();
        state.board.play_unchecked(played);
        Undo(before)
    }

    #[inline]
    fn after<T>(&self, state: &mut State, action: Action, look: impl FnOnce(&mut State) -> T) -> T {
        let mut next = state.clone();
        next.board.play_unchecked(action.on(&state.board));
        look(&mut next)
    }

    #[inline]
    fn undo(&self, state: &mut State, _: Action, undo: Undo) {
        state.board = undo.0;
    }

    fn ending(&self, state: &State) -> Option<Ending> {
        let board = &state.board;
        if !has_legal_move(board) && !board.checkers().is_empty() {
            let loser = seat_of(board.side_to_move());
            return Some(Ending::Scored(Utility::won_by(loser.other())));
        }
        let is_drawn = self.is_drawn(board) || !has_legal_move(board);
        is_drawn.then(|| Ending::Scored(Utility::new(&[0.0, 0.0])))
    }

    fn validate(&self, state: &State) -> Result<(), InvalidState> {
        if state.rebuilt()? != state.board {
            return Err(InvalidState("a derived field differs from the pieces".to_owned()));
        }
        Ok(())
    }

    fn is_possible(&self, state: &State, action: Action) -> bool {
        self.is_legal(state, action)
    }
}

impl Chance for Chess {
    fn outcomes(&self, _: &State, _: &mut impl FnMut(Action, u32)) {}
}

fn has_legal_move(board: &Board) -> bool {
    board.generate_moves(|_| true)
}

#[inline]
fn push(board: &Board, moves: PieceMoves, sink: &mut impl ActionSink<Action>) -> ControlFlow<()> {
    let n = moves.len();
    if moves.piece == Piece::King {
        let own_rooks = board.colored_pieces(board.side_to_move(), Piece::Rook);
        let actions = moves.into_iter().map(|m| Action::of_king(m.from, m.to, own_rooks));
        return sink.push_set(n, actions);
    }
    let actions = moves.into_iter();
    sink.push_set(n, actions.map(|m| Action { from: m.from, to: m.to, promotion: m.promotion }))
}

/// Whether the king of the side to move is attacked.
pub fn is_in_check(state: &State) -> bool {
    !state.board.checkers().is_empty()
}

pub(super) fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}
