//! A second, slow set of rules, written from the rulebook on a plain array: every move is tried, and every enemy piece
//! is asked whether it could take the king. It can carry one fault.

use boards::xiangqi::{Action, Kind, N_FILES, N_RANKS, Piece, RED, Square, State, Xiangqi};
use game::{
    ActionSink, Chance, Ending, InvalidState, Notation, NotationError, Rules, Seat, Stream, Turn,
    Utility,
};
use std::ops::ControlFlow;

/// What programs get wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    FacingKingsForgotten,
    CannonTakesWithoutScreen,
    CannonTakesOverTwoScreens,
    CannonMovesOverScreen,
    KnightLegIgnored,
    KnightLegAtItsGoal,
    BishopEyeIgnored,
    BishopCrossesRiver,
    AdvisorLeavesPalace,
    KingLeavesPalace,
    PawnSidewaysBeforeRiver,
    PawnNeverSideways,
    PawnRetreats,
    CheckIgnored,
    KnightCheckForgotten,
    PawnCheckForgotten,
    CannonCheckForgotten,
    UndoLosesCaptured,
    UndoLosesPawn,
    UndoKeepsTurn,
    OwnPiecesTaken,
}

impl Fault {
    pub const ALL: [Fault; 21] = [
        Fault::FacingKingsForgotten,
        Fault::CannonTakesWithoutScreen,
        Fault::CannonTakesOverTwoScreens,
        Fault::CannonMovesOverScreen,
        Fault::KnightLegIgnored,
        Fault::KnightLegAtItsGoal,
        Fault::BishopEyeIgnored,
        Fault::BishopCrossesRiver,
        Fault::AdvisorLeavesPalace,
        Fault::KingLeavesPalace,
        Fault::PawnSidewaysBeforeRiver,
        Fault::PawnNeverSideways,
        Fault::PawnRetreats,
        Fault::CheckIgnored,
        Fault::KnightCheckForgotten,
        Fault::PawnCheckForgotten,
        Fault::CannonCheckForgotten,
        Fault::UndoLosesCaptured,
        Fault::UndoLosesPawn,
        Fault::UndoKeepsTurn,
        Fault::OwnPiecesTaken,
    ];
}

/// The board as an array: `cells[rank][file]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    cells: [[Option<Piece>; N_FILES]; N_RANKS],
    to_move: Seat,
}

impl Field {
    pub fn of(state: &State) -> Field {
        let mut cells = [[None; N_FILES]; N_RANKS];
        for (rank, row) in cells.iter_mut().enumerate() {
            for (file, cell) in row.iter_mut().enumerate() {
                *cell = state.piece_at(Square::new(rank * N_FILES + file));
            }
        }
        Field { cells, to_move: state.to_move() }
    }

    fn at(&self, (file, rank): (i32, i32)) -> Option<Piece> {
        Square::at(file, rank).and_then(|square| self.cells[square.rank()][square.file()])
    }

    fn set(&mut self, square: Square, piece: Option<Piece>) {
        self.cells[square.rank()][square.file()] = piece;
    }

    fn get(&self, square: Square) -> Option<Piece> {
        self.cells[square.rank()][square.file()]
    }
}

/// Xiangqi without draws, slowly.
#[derive(Clone, Copy)]
pub struct Twin {
    pub fault: Option<Fault>,
}

impl Twin {
    fn has(self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }

    /// Where the piece on `from` gets on this board, king's safety aside.
    fn reach(self, field: &Field, from: Square) -> Vec<Square> {
        let Some(piece) = field.get(from) else { return Vec::new() };
        let at = (from.file() as i32, from.rank() as i32);
        let mut to = Vec::new();
        let orthogonal = [(1, 0), (-1, 0), (0, 1), (0, -1)];
        let diagonal = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
        let is_palace = |(file, rank): (i32, i32)| {
            (3..=5).contains(&file) && if piece.seat == RED { rank <= 2 } else { rank >= 7 }
        };
        let is_home = |rank: i32| if piece.seat == RED { rank <= 4 } else { rank >= 5 };
        let plus = |(file, rank): (i32, i32), by: i32| (at.0 + by * file, at.1 + by * rank);
        match piece.kind {
            Kind::King => {
                let is_free = self.has(Fault::KingLeavesPalace);
                to.extend(
                    orthogonal
                        .map(|step| plus(step, 1))
                        .iter()
                        .filter(|to| is_free || is_palace(**to)),
                );
            }
            Kind::Advisor => {
                let is_free = self.has(Fault::AdvisorLeavesPalace);
                to.extend(
                    diagonal
                        .map(|step| plus(step, 1))
                        .iter()
                        .filter(|to| is_free || is_palace(**to)),
                );
            }
            Kind::Bishop => {
                for step in diagonal {
                    let is_eye_free =
                        field.at(plus(step, 1)).is_none() || self.has(Fault::BishopEyeIgnored);
                    let goal = plus(step, 2);
                    if is_eye_free && (is_home(goal.1) || self.has(Fault::BishopCrossesRiver)) {
                        to.push(goal);
                    }
                }
            }
            Kind::Knight => {
                for (across, up) in orthogonal {
                    for side in [1, -1] {
                        let goal = (at.0 + 2 * across + side * up, at.1 + 2 * up + side * across);
                        let leg = if self.has(Fault::KnightLegAtItsGoal) {
                            (goal.0 - across, goal.1 - up)
                        } else {
                            (at.0 + across, at.1 + up)
                        };
                        if field.at(leg).is_none() || self.has(Fault::KnightLegIgnored) {
                            to.push(goal);
                        }
                    }
                }
            }
            Kind::Rook | Kind::Cannon => {
                for step in orthogonal {
                    self.slide(field, piece.kind, at, step, &mut to);
                }
            }
            Kind::Pawn => {
                let forward = if piece.seat == RED { 1 } else { -1 };
                to.push((at.0, at.1 + forward));
                let is_over = !is_home(at.1) && !self.has(Fault::PawnNeverSideways);
                if is_over || self.has(Fault::PawnSidewaysBeforeRiver) {
                    to.extend([(at.0 - 1, at.1), (at.0 + 1, at.1)]);
                }
                if self.has(Fault::PawnRetreats) {
                    to.push((at.0, at.1 - forward));
                }
            }
        }
        to.into_iter()
            .filter_map(|(file, rank)| Square::at(file, rank))
            .filter(|to| {
                let is_own = field.get(*to).is_some_and(|other| other.seat == piece.seat);
                !is_own || self.has(Fault::OwnPiecesTaken)
            })
            .collect()
    }

    fn slide(
        self,
        field: &Field,
        kind: Kind,
        from: (i32, i32),
        step: (i32, i32),
        to: &mut Vec<(i32, i32)>,
    ) {
        let mut n_screens = 0;
        let mut at = (from.0 + step.0, from.1 + step.1);
        while Square::at(at.0, at.1).is_some() {
            let is_occupied = field.at(at).is_some();
            let is_reached = match (kind, is_occupied) {
                (Kind::Rook, _) => n_screens == 0,
                (_, false) => {
                    n_screens == 0 || n_screens == 1 && self.has(Fault::CannonMovesOverScreen)
                }
                (_, true) => {
                    n_screens == 1
                        || n_screens == 0 && self.has(Fault::CannonTakesWithoutScreen)
                        || n_screens == 2 && self.has(Fault::CannonTakesOverTwoScreens)
                }
            };
            if is_reached {
                to.push(at);
            }
            n_screens += i32::from(is_occupied);
            at = (at.0 + step.0, at.1 + step.1);
        }
    }

    fn pieces(field: &Field, seat: Seat) -> Vec<(Square, Kind)> {
        let squares = (0..N_FILES * N_RANKS).map(Square::new);
        squares
            .filter_map(|square| {
                let piece = field.get(square)?;
                (piece.seat == seat).then_some((square, piece.kind))
            })
            .collect()
    }

    fn is_attacked(self, field: &Field, seat: Seat) -> bool {
        let king = |seat| {
            let pieces = Twin::pieces(field, seat);
            pieces.into_iter().find(|(_, kind)| *kind == Kind::King).map(|(square, _)| square)
        };
        let Some(own) = king(seat) else { return true };
        let is_taken = Twin::pieces(field, seat.other()).into_iter().any(|(from, kind)| {
            let is_forgotten = match kind {
                Kind::Knight => self.has(Fault::KnightCheckForgotten),
                Kind::Pawn => self.has(Fault::PawnCheckForgotten),
                Kind::Cannon => self.has(Fault::CannonCheckForgotten),
                _ => false,
            };
            !is_forgotten && self.reach(field, from).contains(&own)
        });
        is_taken
            || !self.has(Fault::FacingKingsForgotten) && {
                king(seat.other()).is_some_and(|other| {
                    let (low, high) = (own.rank().min(other.rank()), own.rank().max(other.rank()));
                    own.file() == other.file()
                        && (low + 1..high).all(|rank| field.cells[rank][own.file()].is_none())
                })
            }
    }
}

impl Rules for Twin {
    type Setup = ();
    type State = Field;
    type Action = Action;
    type Undo = Option<Piece>;

    const NAME: &'static str = "xiangqi-twin";

    fn deal(&self, _: &mut Stream) {}

    fn initial(&self, (): &()) -> Field {
        Field::of(&Xiangqi::WITHOUT_DRAWS.initial(&()))
    }

    fn turn(&self, field: &Field) -> Turn {
        if self.legal(field).is_empty() { Turn::Over } else { Turn::Seat(field.to_move) }
    }

    fn actions(&self, field: &Field, sink: &mut impl ActionSink<Action>) -> ControlFlow<()> {
        for (from, _) in Twin::pieces(field, field.to_move) {
            for to in self.reach(field, from) {
                let mut after = field.clone();
                after.set(to, field.get(from));
                after.set(from, None);
                if self.has(Fault::CheckIgnored) || !self.is_attacked(&after, field.to_move) {
                    sink.push(Action { from, to })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn apply(&self, field: &mut Field, action: Action) -> Option<Piece> {
        let captured = field.get(action.to);
        field.set(action.to, field.get(action.from));
        field.set(action.from, None);
        field.to_move = field.to_move.other();
        captured
    }

    fn undo(&self, field: &mut Field, action: Action, captured: Option<Piece>) {
        let is_pawn = captured.is_some_and(|piece| piece.kind == Kind::Pawn);
        let is_lost =
            self.has(Fault::UndoLosesCaptured) || is_pawn && self.has(Fault::UndoLosesPawn);
        field.set(action.from, field.get(action.to));
        field.set(action.to, if is_lost { None } else { captured });
        if !self.has(Fault::UndoKeepsTurn) {
            field.to_move = field.to_move.other();
        }
    }

    fn ending(&self, field: &Field) -> Option<Ending> {
        let is_over = self.legal(field).is_empty();
        is_over.then(|| Ending::Scored(Utility::won_by(field.to_move.other())))
    }

    fn validate(&self, _: &Field) -> Result<(), InvalidState> {
        Ok(())
    }

    fn is_possible(&self, field: &Field, action: Action) -> bool {
        self.is_legal(field, action)
    }
}

impl Chance for Twin {
    fn outcomes(&self, _: &Field, _: &mut impl FnMut(Action, u32)) {}
}

impl Notation for Twin {
    fn action_text(&self, action: Action) -> String {
        action.to_string()
    }

    fn parse_action(&self, text: &str) -> Result<Action, NotationError> {
        Xiangqi::WITHOUT_DRAWS.parse_action(text)
    }

    fn setup_text(&self, (): &()) -> String {
        String::new()
    }

    fn parse_setup(&self, _: &str) -> Result<(), NotationError> {
        Ok(())
    }

    fn position_text(&self, field: &Field) -> String {
        format!("{field:?}")
    }

    fn parse_position(&self, text: &str) -> Result<Field, NotationError> {
        Xiangqi::WITHOUT_DRAWS.parse_position(text).map(|state| Field::of(&state))
    }
}
