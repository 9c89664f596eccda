//! War Chest behind the traits of `game`.

use crate::{Action, Army, Coins, Setup, State, Step, WarChest};
use crate::{apply, legal, validate};
use game::{ActionSink, Chance, Ending, InvalidState, Rules, Seat, Stream, Turn, Utility};
use std::ops::ControlFlow;

impl Rules for WarChest {
    type Setup = Setup;
    type State = State;
    type Action = Action;
    /// The state before.
    type Undo = State;

    const NAME: &'static str = "war-chest";

    fn deal(&self, stream: &mut Stream) -> Setup {
        self.deal_setup(stream)
    }

    fn initial(&self, setup: &Setup) -> State {
        let mut state = State::new(setup, self.cap_or_none());
        for seat in Seat::BOTH {
            state.set_control(seat, state.control(seat) & self.board.hexes);
        }
        state
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        state.turn()
    }

    #[inline]
    fn actions(&self, state: &State, sink: &mut impl ActionSink<Action>) -> ControlFlow<()> {
        legal::generate(self, state, sink)
    }

    #[inline]
    fn apply(&self, state: &mut State, action: Action) -> State {
        debug_assert!(self.is_possible(state, action), "{action:?} is not possible in {state:?}");
        let before = *state;
        apply::advance(&self.board, state, action);
        before
    }

    #[inline]
    fn undo(&self, state: &mut State, _: Action, undo: State) {
        *state = undo;
    }

    fn ending(&self, state: &State) -> Option<Ending> {
        match state.step {
            Step::Over(Some(winner)) => Some(Ending::Scored(Utility::won_by(winner))),
            Step::Over(None) => Some(Ending::Truncated),
            _ => None,
        }
    }

    fn validate(&self, state: &State) -> Result<(), InvalidState> {
        validate::check(self, state)
    }

    fn is_possible(&self, state: &State, action: Action) -> bool {
        match (state.turn(), action) {
            (Turn::Chance, Action::Draw { coin }) => state
                .army(state.actor)
                .coin_slot(coin)
                .is_some_and(|slot| state.zones(state.actor).draw_pool().has(slot)),
            (Turn::Seat(_), _) => self.is_legal(state, action),
            _ => false,
        }
    }
}

impl Chance for WarChest {
    fn outcomes(&self, state: &State, each: &mut impl FnMut(Action, u32)) {
        if state.turn() != Turn::Chance {
            return;
        }
        let (army, pool) = drawn_from(state);
        for slot in pool.slots() {
            each(Action::Draw { coin: army.coin(slot) }, u32::from(pool.count(slot)));
        }
    }

    #[inline]
    fn draw(&self, state: &State, stream: &mut Stream) -> Action {
        let (army, pool) = drawn_from(state);
        let mut left = stream.below(pool.total());
        for slot in pool.slots() {
            let weight = u32::from(pool.count(slot));
            if left < weight {
                return Action::Draw { coin: army.coin(slot) };
            }
            left -= weight;
        }
        unreachable!("below the total of the counts lies one of them")
    }
}

/// The army of the drawing seat and the coins among which it draws.
#[inline]
fn drawn_from(state: &State) -> (&Army, Coins) {
    let seat: Seat = state.actor;
    (state.army(seat), state.zones(seat).draw_pool())
}
