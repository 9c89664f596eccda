use super::bytes::{self, NOW_LEN};
use super::{Event, Now};
use crate::{Action, Setup, State, WarChest, legal};
use game::{ActionSink, DecodeError, Hidden, Seat, Turn};
use std::ops::ControlFlow;

impl Hidden for WarChest {
    type Now = Now;
    type Event = Event;

    const OBSERVATION: &'static str = "observation-v1";

    fn now(&self, state: &State, seat: Seat) -> Now {
        Now::of(state, seat)
    }

    fn event(&self, before: &State, action: Action, seat: Seat) -> Event {
        Event::of(before, action, seat)
    }

    fn now_observer(&self, now: &Now) -> Seat {
        now.observer
    }

    fn now_turn(&self, now: &Now) -> Turn {
        now.turn()
    }

    /// `first` is who holds the initiative now; at the start of an observation that is who held it in round 1.
    fn now_setup(&self, now: &Now) -> Setup {
        Setup { armies: now.armies, first: now.initiative }
    }

    fn now_actions(&self, now: &Now, sink: &mut impl ActionSink<Action>) -> ControlFlow<()> {
        if now.turn() != Turn::Seat(now.observer) {
            return ControlFlow::Continue(());
        }
        legal::generate(self, &now.with_nothing_concealed(), sink)
    }

    fn write_now(&self, now: &Now, out: &mut Vec<u8>) {
        bytes::write_now(self, now, out);
    }

    fn now_len(&self) -> usize {
        NOW_LEN
    }

    fn read_now(&self, bytes: &[u8]) -> Result<Now, DecodeError> {
        bytes::read_now(self, bytes)
    }

    fn write_event(&self, event: &Event, out: &mut Vec<u8>) {
        bytes::write_event(event, out);
    }
}
