//! The rules as a value with its parameters.

use super::generate::{self, Action};
use super::notation::STANDARD_START;
use super::piece::{Kind, side_name};
use super::state::State;
use game::{ActionSink, Any, Chance, Ending, InvalidState, Notation, Rules, Stream, Turn, Utility};
use std::ops::ControlFlow;

/// Xiangqi. A side without a legal move has lost, in check or not. Repetition is not part of a position: it is
/// judged over the moves of a game, by [`PerpetualCheck`](super::PerpetualCheck) or another policy. Rules about
/// perpetual chase are not implemented.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Xiangqi {
    /// A game is drawn after this many plies in a row without a capture. `None`: never.
    pub plies_without_capture_max: Option<u16>,
    /// Whether a game is drawn once neither side has a knight, rook, cannon or pawn.
    pub is_drawn_without_attackers: bool,
}

impl Default for Xiangqi {
    /// 60 rounds without a capture, and positions that nobody can win, are drawn.
    fn default() -> Xiangqi {
        Xiangqi { plies_without_capture_max: Some(120), is_drawn_without_attackers: true }
    }
}

impl Xiangqi {
    /// No draw of any kind: how moves are counted.
    pub const WITHOUT_DRAWS: Xiangqi =
        Xiangqi { plies_without_capture_max: None, is_drawn_without_attackers: false };

    /// Whether the game is drawn here, unless the side to move has no legal move.
    #[inline]
    fn is_drawn(&self, state: &State) -> bool {
        let is_too_long = self
            .plies_without_capture_max
            .is_some_and(|plies| state.plies_without_capture() >= plies);
        is_too_long || self.is_drawn_without_attackers && !has_attackers(state)
    }
}

fn has_attackers(state: &State) -> bool {
    let attackers = state.of_kind(Kind::Knight)
        | state.of_kind(Kind::Rook)
        | state.of_kind(Kind::Cannon)
        | state.of_kind(Kind::Pawn);
    !attackers.is_empty()
}

fn has_legal_move(state: &State) -> bool {
    let mut any = Any::new(|_: &Action| true);
    let _ = generate::moves(state, &mut any);
    any.found
}

/// What a capture took and how long none had been.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    pub captured: Option<Kind>,
    pub plies_without_capture: u16,
}

impl Rules for Xiangqi {
    /// There is one beginning.
    type Setup = ();
    type State = State;
    type Action = Action;
    type Undo = Undo;

    const NAME: &'static str = "xiangqi";

    fn deal(&self, _: &mut Stream) {}

    fn initial(&self, (): &()) -> State {
        self.parse_position(STANDARD_START).expect("the beginning is a position")
    }

    fn turn(&self, state: &State) -> Turn {
        if self.is_drawn(state) || !has_legal_move(state) {
            return Turn::Over;
        }
        Turn::Seat(state.to_move())
    }

    #[inline]
    fn actions(&self, state: &State, sink: &mut impl ActionSink<Action>) -> ControlFlow<()> {
        if self.is_drawn(state) {
            return ControlFlow::Continue(());
        }
        generate::moves(state, sink)
    }

    #[inline]
    fn apply(&self, state: &mut State, action: Action) -> Undo {
        debug_assert!(generate::is_legal(state, action), "{action} in {state:?}");
        let plies_without_capture = state.plies_without_capture();
        let captured = state.move_piece(action.from, action.to);
        Undo { captured, plies_without_capture }
    }

    #[inline]
    fn undo(&self, state: &mut State, action: Action, undo: Undo) {
        state.unmove_piece(action.from, action.to, undo.captured, undo.plies_without_capture);
    }

    fn ending(&self, state: &State) -> Option<Ending> {
        if !has_legal_move(state) {
            return Some(Ending::Scored(Utility::won_by(state.to_move().other())));
        }
        self.is_drawn(state).then(|| Ending::Scored(Utility::new(&[0.0, 0.0])))
    }

    fn validate(&self, state: &State) -> Result<(), InvalidState> {
        state.check()?;
        let waiting = state.to_move().other();
        if generate::is_in_check(state, waiting) {
            let (king, side) = (state.king(waiting), side_name(waiting));
            return Err(InvalidState(format!(
                "the {side} king on {king} is attacked, and the other side is to move"
            )));
        }
        let plies = state.plies_without_capture();
        match self.plies_without_capture_max {
            Some(plies_max) if plies > plies_max => Err(InvalidState(format!(
                "{plies} plies without a capture, and the game ends after {plies_max}"
            ))),
            _ => Ok(()),
        }
    }

    fn is_possible(&self, state: &State, action: Action) -> bool {
        !self.is_drawn(state) && generate::is_legal(state, action)
    }
}

impl Chance for Xiangqi {
    fn outcomes(&self, _: &State, _: &mut impl FnMut(Action, u32)) {}
}
