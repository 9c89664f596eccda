//! What a search looks at first.

use super::evaluation::Weights;
use super::generate::{self, Action, is_in_check};
use super::piece::Kind;
use super::rules::Xiangqi;
use super::state::State;
use game::{ActionSink, SearchHints};
use std::ops::ControlFlow;

impl SearchHints for Xiangqi {
    fn is_forced(&self, state: &State) -> bool {
        is_in_check(state, state.to_move())
    }

    /// Captures.
    fn noisy_actions(&self, state: &State, sink: &mut impl ActionSink<Action>) -> ControlFlow<()> {
        generate::moves_onto(state.of_seat(state.to_move().other()), state, sink)
    }

    fn gain(&self, state: &State, action: Action) -> i32 {
        let Some(victim) = state.piece_at(action.to) else { return 0 };
        let worth = |square| {
            state.piece_at(square).map_or(0, |piece| Weights::STANDARD.piece(piece, square))
        };
        let attacker =
            if state.king(state.to_move()) == action.from { 100 } else { worth(action.from) };
        debug_assert_ne!(victim.kind, Kind::King);
        worth(action.to) - attacker / 32
    }

    /// Moves towards the enemy king's file and palace first.
    fn promise(&self, state: &State, action: Action) -> i32 {
        let king = state.king(state.to_move().other());
        let distance = |square: super::square::Square| {
            let across = king.file().abs_diff(square.file());
            let along = king.rank().abs_diff(square.rank());
            (across + along) as i32
        };
        16 + distance(action.from) - distance(action.to)
    }

    /// In check, and with nothing but pawns, advisors and bishops, a side may be glad to pass.
    fn after_null_move(&self, state: &State) -> Option<State> {
        let own = state.of_seat(state.to_move());
        let strong =
            state.of_kind(Kind::Rook) | state.of_kind(Kind::Knight) | state.of_kind(Kind::Cannon);
        let may_pass = !(own & strong).is_empty() && !self.is_forced(state);
        may_pass.then(|| state.after_pass())
    }
}
