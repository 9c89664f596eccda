//! L0: what every game is.

use crate::{ActionSink, Any, Seat};
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::ControlFlow;

/// Who acts now. No alternation is assumed anywhere: this is the only place to ask.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    Seat(Seat),
    Chance,
    Over,
}

/// The result of a finished game for each seat, in the game's own unit (±1 where there is only won and lost).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Utility {
    values: [f64; Utility::SEATS_MAX],
}

impl Utility {
    pub const SEATS_MAX: usize = 4;

    /// One value a seat, in seat order.
    pub fn new(values: &[f64]) -> Utility {
        let mut all = [0.0; Utility::SEATS_MAX];
        all[..values.len()].copy_from_slice(values);
        Utility { values: all }
    }

    /// Two players: `winner` gets +1, the other −1.
    pub fn won_by(winner: Seat) -> Utility {
        let mut values = [0.0; 2];
        values[winner.idx()] = 1.0;
        values[winner.other().idx()] = -1.0;
        Utility::new(&values)
    }

    pub fn of(&self, seat: Seat) -> f64 {
        self.values[seat.idx()]
    }
}

/// How a game ended. A truncated game has no result: it is never called a draw.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Ending {
    Scored(Utility),
    Truncated,
}

/// An action that the rules do not allow in this position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("illegal action {action}: {reason}")]
pub struct IllegalAction {
    pub action: String,
    pub reason: &'static str,
}

/// A state that the rules can never reach, and which rule says so.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("invalid state: {0}")]
pub struct InvalidState(pub String);

/// The rules of a game with its parameters (board size, options, caps) as a value.
pub trait Rules: Clone + Send + Sync + 'static {
    /// What is decided before the first ply (armies, who starts). Public to every seat.
    type Setup: Clone + Eq + Debug + Send + Sync;
    /// One complete position.
    type State: Clone + Eq + Debug + Send + Sync;
    /// One decision of one seat, or one chance outcome.
    type Action: Copy + Eq + Ord + Hash + Debug + Send + Sync;
    /// What [`Rules::undo`] needs to take an action back.
    type Undo;

    /// The name by which the catalogue knows the game.
    const NAME: &'static str;

    fn n_seats(&self) -> usize {
        2
    }

    /// Whether the results of all seats always sum to 0.
    fn is_zero_sum(&self) -> bool {
        true
    }

    /// A random set-up, drawn from the deal stream.
    fn deal(&self, stream: &mut crate::Stream) -> Self::Setup;

    fn initial(&self, setup: &Self::Setup) -> Self::State;

    fn turn(&self, state: &Self::State) -> Turn;

    /// Pushes every legal action of the seat to act, each once, in an order that depends only on what that seat
    /// may know. Pushes nothing at a chance node or after the end.
    fn actions(
        &self,
        state: &Self::State,
        sink: &mut impl ActionSink<Self::Action>,
    ) -> ControlFlow<()>;

    /// Plays a legal action or a possible chance outcome. Legality is debug-asserted only; outside bytes go
    /// through [`Rules::play`].
    fn apply(&self, state: &mut Self::State, action: Self::Action) -> Self::Undo;

    /// Takes back the action that was applied last.
    fn undo(&self, state: &mut Self::State, action: Self::Action, undo: Self::Undo);

    /// Looks at the position after a possible action; `state` is the same afterwards. A game whose positions are
    /// cheaper to copy than to restore plays on a copy.
    #[inline]
    fn after<T>(
        &self,
        state: &mut Self::State,
        action: Self::Action,
        look: impl FnOnce(&mut Self::State) -> T,
    ) -> T {
        let undo = self.apply(state, action);
        let seen = look(state);
        self.undo(state, action, undo);
        seen
    }

    /// `Some` exactly when `turn` is [`Turn::Over`].
    fn ending(&self, state: &Self::State) -> Option<Ending>;

    /// Rebuilds every derived field and checks every invariant of the rules.
    fn validate(&self, state: &Self::State) -> Result<(), InvalidState>;

    /// Whether the seat to act may choose `action`, or chance may produce it.
    fn is_possible(&self, state: &Self::State, action: Self::Action) -> bool;

    /// The legal actions of the seat to act, as a list.
    fn legal(&self, state: &Self::State) -> Vec<Self::Action> {
        let mut actions = Vec::new();
        let _ = self.actions(state, &mut actions);
        actions
    }

    /// Whether `action` is among the legal actions of the seat to act.
    fn is_legal(&self, state: &Self::State, action: Self::Action) -> bool {
        let mut any = Any::new(|a: &Self::Action| *a == action);
        let _ = self.actions(state, &mut any);
        any.found
    }

    /// Plays an action that comes from outside, or leaves the state as it was.
    fn play(
        &self,
        state: &mut Self::State,
        action: Self::Action,
    ) -> Result<Self::Undo, IllegalAction> {
        if self.is_possible(state, action) {
            return Ok(self.apply(state, action));
        }
        let reason = match self.turn(state) {
            Turn::Over => "the game is over",
            Turn::Chance => "chance cannot produce it here",
            Turn::Seat(_) => "it is not among the legal actions",
        };
        Err(IllegalAction { action: format!("{action:?}"), reason })
    }
}
