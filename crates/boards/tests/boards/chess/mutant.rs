//! Chess with one fault, wrapped around the rules: moves added or withheld, or a move not taken back whole.

use boards::Chess;
use boards::chess::{Action, State, Undo};
use cozy_chess::{
    BitBoard, Board, BoardBuilder, Color, File, Move, Piece, Rank, Square, get_between_rays,
    get_bishop_moves, get_knight_moves, get_pawn_attacks, get_rook_moves,
};
use game::{
    ActionSink, Chance, Ending, InvalidState, Notation, NotationError, Rules, Stream, Turn,
};
use std::ops::ControlFlow;

/// What programs get wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    EnPassantForgotten,
    EnPassantExposesKing,
    EnPassantNotUndone,
    CaptureNotUndone,
    PromotionNotUndone,
    CastlingForgotten,
    CastlingThroughCheck,
    CastlingOutOfCheck,
    CastlingRightsNotUndone,
    PinsIgnored,
    UnderpromotionForgotten,
    DoubleStepOverPiece,
    DoubleStepFromAnywhere,
}

impl Fault {
    pub const ALL: [Fault; 13] = [
        Fault::EnPassantForgotten,
        Fault::EnPassantExposesKing,
        Fault::EnPassantNotUndone,
        Fault::CaptureNotUndone,
        Fault::PromotionNotUndone,
        Fault::CastlingForgotten,
        Fault::CastlingThroughCheck,
        Fault::CastlingOutOfCheck,
        Fault::CastlingRightsNotUndone,
        Fault::PinsIgnored,
        Fault::UnderpromotionForgotten,
        Fault::DoubleStepOverPiece,
        Fault::DoubleStepFromAnywhere,
    ];
}

#[derive(Clone, Copy)]
pub struct Mutant {
    pub fault: Option<Fault>,
}

const RULES: Chess = Chess::WITHOUT_DRAWS;

fn is_castling(board: &Board, action: Action) -> bool {
    board.piece_on(action.from) == Some(Piece::King)
        && (action.from as u8).abs_diff(action.to as u8) == 2
}

fn is_en_passant(board: &Board, action: Action) -> bool {
    board.piece_on(action.from) == Some(Piece::Pawn)
        && action.from.file() != action.to.file()
        && board.piece_on(action.to).is_none()
}

impl Mutant {
    fn has(self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }

    fn withholds(self, board: &Board, action: Action) -> bool {
        match self.fault {
            Some(Fault::EnPassantForgotten) => is_en_passant(board, action),
            Some(Fault::CastlingForgotten) => is_castling(board, action),
            Some(Fault::UnderpromotionForgotten) => {
                action.promotion.is_some_and(|piece| piece != Piece::Queen)
            }
            _ => false,
        }
    }

    fn adds(self, board: &Board) -> Vec<Action> {
        match self.fault {
            Some(Fault::EnPassantExposesKing) => en_passant(board),
            Some(Fault::CastlingThroughCheck) if board.checkers().is_empty() => castling(board),
            Some(Fault::CastlingOutOfCheck) if !board.checkers().is_empty() => castling(board),
            Some(Fault::PinsIgnored) if board.checkers().is_empty() => pinned(board),
            Some(Fault::DoubleStepOverPiece | Fault::DoubleStepFromAnywhere) => {
                double_steps(board, self.has(Fault::DoubleStepOverPiece))
            }
            _ => Vec::new(),
        }
    }

    /// What is left behind when a move is not taken back whole.
    fn undone(self, before: &Board, action: Action) -> Option<Board> {
        let mut builder = BoardBuilder::from_board(before);
        match self.fault? {
            Fault::EnPassantNotUndone if is_en_passant(before, action) => {
                *builder.square_mut(Square::new(action.to.file(), action.from.rank())) = None;
                builder.en_passant = None;
            }
            Fault::CaptureNotUndone if before.piece_on(action.to).is_some() => {
                *builder.square_mut(action.to) = None;
            }
            Fault::PromotionNotUndone if action.promotion == Some(Piece::Queen) => {
                *builder.square_mut(action.from) = Some((Piece::Queen, before.side_to_move()));
            }
            Fault::CastlingRightsNotUndone if is_castling(before, action) => {
                *builder.castle_rights_mut(before.side_to_move()) = cozy_chess::CastleRights::EMPTY;
            }
            _ => return None,
        }
        builder.build().ok()
    }
}

fn en_passant(board: &Board) -> Vec<Action> {
    let color = board.side_to_move();
    let Some(file) = board.en_passant() else { return Vec::new() };
    let to = Square::new(file, Rank::Sixth.relative_to(color));
    let pawns = board.colored_pieces(color, Piece::Pawn) & get_pawn_attacks(to, !color);
    pawns.into_iter().map(|from| Action { from, to, promotion: None }).collect()
}

/// Castling with the right and an empty way, whoever attacks what.
fn castling(board: &Board) -> Vec<Action> {
    let color = board.side_to_move();
    let rank = Rank::First.relative_to(color);
    let king = board.king(color);
    let rights = board.castle_rights(color);
    let ways = [(rights.short, File::G), (rights.long, File::C)];
    ways.into_iter()
        .filter_map(|(rook, file)| {
            let rook = Square::new(rook?, rank);
            let is_free = (get_between_rays(king, rook) & board.occupied()).is_empty();
            is_free.then(|| Action { from: king, to: Square::new(file, rank), promotion: None })
        })
        .collect()
}

/// What pinned pieces could do if they were not; pawns aside.
fn pinned(board: &Board) -> Vec<Action> {
    let own = board.colors(board.side_to_move());
    let mut actions = Vec::new();
    for from in board.pinned() & own {
        let (straight, slanted) =
            (get_rook_moves(from, board.occupied()), get_bishop_moves(from, board.occupied()));
        let reached = match board.piece_on(from) {
            Some(Piece::Knight) => get_knight_moves(from),
            Some(Piece::Bishop) => slanted,
            Some(Piece::Rook) => straight,
            Some(Piece::Queen) => straight | slanted,
            _ => BitBoard::EMPTY,
        };
        actions.extend((reached & !own).into_iter().map(|to| Action { from, to, promotion: None }));
    }
    actions
}

fn double_steps(board: &Board, is_over_piece: bool) -> Vec<Action> {
    let color = board.side_to_move();
    let forward = if color == Color::White { 1 } else { -1 };
    let mut actions = Vec::new();
    for from in board.colored_pieces(color, Piece::Pawn) {
        let (Some(passed), Some(to)) =
            (from.try_offset(0, forward), from.try_offset(0, 2 * forward))
        else {
            continue;
        };
        let is_first = from.rank() == Rank::Second.relative_to(color);
        let is_passed_free = board.piece_on(passed).is_none();
        let is_promoting = to.rank() == Rank::Eighth.relative_to(color);
        let is_wanted = if is_over_piece {
            is_first && !is_passed_free
        } else {
            !is_first && is_passed_free && !is_promoting
        };
        if is_wanted && board.piece_on(to).is_none() && board.checkers().is_empty() {
            actions.push(Action { from, to, promotion: None });
        }
    }
    actions
}

impl Rules for Mutant {
    type Setup = ();
    type State = State;
    type Action = Action;
    type Undo = Undo;

    const NAME: &'static str = "chess-mutant";

    fn deal(&self, _: &mut Stream) {}

    fn initial(&self, (): &()) -> State {
        RULES.initial(&())
    }

    fn turn(&self, state: &State) -> Turn {
        RULES.turn(state)
    }

    fn actions(&self, state: &State, sink: &mut impl ActionSink<Action>) -> ControlFlow<()> {
        let board = state.board();
        let mut actions = RULES.legal(state);
        actions.retain(|action| !self.withholds(board, *action));
        actions.extend(self.adds(board));
        actions.sort_unstable();
        actions.dedup();
        actions.into_iter().try_for_each(|action| sink.push(action))
    }

    fn apply(&self, state: &mut State, action: Action) -> Undo {
        if RULES.is_legal(state, action) {
            return RULES.apply(state, action);
        }
        let undo = Undo(state.board().clone());
        let mut board = state.board().clone();
        let Action { from, mut to, promotion } = action;
        if is_castling(&board, action) {
            let rook = if to.file() == File::G { File::H } else { File::A };
            to = Square::new(rook, to.rank());
        }
        board.play_unchecked(Move { from, to, promotion });
        *state = State::on(board);
        undo
    }

    fn undo(&self, state: &mut State, action: Action, undo: Undo) {
        let before = undo.0.clone();
        RULES.undo(state, action, undo);
        if let Some(board) = self.undone(&before, action) {
            *state = State::on(board);
        }
    }

    fn ending(&self, state: &State) -> Option<Ending> {
        RULES.ending(state)
    }

    fn validate(&self, state: &State) -> Result<(), InvalidState> {
        RULES.validate(state)
    }

    fn is_possible(&self, state: &State, action: Action) -> bool {
        self.is_legal(state, action)
    }
}

impl Chance for Mutant {
    fn outcomes(&self, _: &State, _: &mut impl FnMut(Action, u32)) {}
}

impl Notation for Mutant {
    fn action_text(&self, action: Action) -> String {
        RULES.action_text(action)
    }

    fn parse_action(&self, text: &str) -> Result<Action, NotationError> {
        RULES.parse_action(text)
    }

    fn setup_text(&self, setup: &()) -> String {
        RULES.setup_text(setup)
    }

    fn parse_setup(&self, text: &str) -> Result<(), NotationError> {
        RULES.parse_setup(text)
    }

    fn position_text(&self, state: &State) -> String {
        RULES.position_text(state)
    }

    fn parse_position(&self, text: &str) -> Result<State, NotationError> {
        RULES.parse_position(text)
    }
}
