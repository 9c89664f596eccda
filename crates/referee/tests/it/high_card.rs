//! High card: each seat is dealt one of three cards, face down; then the first seat shows or folds, and after a
//! show the second seat shows or folds. The higher card wins a show-down. The smallest game with hidden chance,
//! a choice, and a seat that may never act.

use game::{
    ActionSink, Chance, DecodeError, Ending, Hidden, InvalidState, Rules, Seat, Stream, Turn,
    Utility,
};
use std::ops::ControlFlow;

#[derive(Clone, Debug)]
pub struct HighCard;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    Deal(u8),
    Show,
    Fold,
}

#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct State {
    /// By seat.
    pub cards: [Option<u8>; 2],
    pub choices: Vec<Action>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Now {
    pub seat: Seat,
    pub own: Option<u8>,
    pub n_dealt: usize,
    pub choices: Vec<Action>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Event {
    DealtMe(u8),
    DealtOther,
    Chose(Action),
}

const N_CARDS: u8 = 3;

impl Rules for HighCard {
    type Setup = ();
    type State = State;
    type Action = Action;
    type Undo = ();
    const NAME: &'static str = "high-card";

    fn deal(&self, _: &mut Stream) {}

    fn initial(&self, (): &()) -> State {
        State::default()
    }

    fn turn(&self, state: &State) -> Turn {
        turn(state.cards.iter().flatten().count(), &state.choices)
    }

    fn actions(&self, state: &State, sink: &mut impl ActionSink<Action>) -> ControlFlow<()> {
        if let Turn::Seat(_) = self.turn(state) {
            sink.push(Action::Show)?;
            sink.push(Action::Fold)?;
        }
        ControlFlow::Continue(())
    }

    fn apply(&self, state: &mut State, action: Action) {
        match action {
            Action::Deal(card) => {
                let seat_idx = usize::from(state.cards[0].is_some());
                state.cards[seat_idx] = Some(card);
            }
            Action::Show | Action::Fold => state.choices.push(action),
        }
    }

    fn undo(&self, state: &mut State, action: Action, (): ()) {
        match action {
            Action::Deal(_) if state.cards[1].is_some() => state.cards[1] = None,
            Action::Deal(_) => state.cards[0] = None,
            Action::Show | Action::Fold => {
                state.choices.pop();
            }
        }
    }

    fn ending(&self, state: &State) -> Option<Ending> {
        if self.turn(state) != Turn::Over {
            return None;
        }
        let winner = match state.choices.as_slice() {
            [Action::Fold] => Seat::SECOND,
            [_, Action::Fold] => Seat::FIRST,
            _ if state.cards[0] > state.cards[1] => Seat::FIRST,
            _ => Seat::SECOND,
        };
        Some(Ending::Scored(Utility::won_by(winner)))
    }

    fn validate(&self, state: &State) -> Result<(), InvalidState> {
        match state.cards {
            [Some(first), Some(second)] if first == second => {
                Err(InvalidState(format!("both seats hold card {first}")))
            }
            _ => Ok(()),
        }
    }

    fn is_possible(&self, state: &State, action: Action) -> bool {
        match (self.turn(state), action) {
            (Turn::Chance, Action::Deal(card)) => {
                card < N_CARDS && !state.cards.contains(&Some(card))
            }
            (Turn::Seat(_), Action::Show | Action::Fold) => true,
            _ => false,
        }
    }
}

impl Chance for HighCard {
    fn outcomes(&self, state: &State, each: &mut impl FnMut(Action, u32)) {
        (0..N_CARDS)
            .filter(|card| !state.cards.contains(&Some(*card)))
            .for_each(|card| each(Action::Deal(card), 1));
    }
}

impl Hidden for HighCard {
    type Now = Now;
    type Event = Event;
    const OBSERVATION: &'static str = "observation-v1";

    fn now(&self, state: &State, seat: Seat) -> Now {
        Now {
            seat,
            own: state.cards[seat.idx()],
            n_dealt: state.cards.iter().flatten().count(),
            choices: state.choices.clone(),
        }
    }

    fn event(&self, before: &State, action: Action, seat: Seat) -> Event {
        let dealt_seat = Seat::new(u8::from(before.cards[0].is_some()));
        match action {
            Action::Deal(card) if dealt_seat == seat => Event::DealtMe(card),
            Action::Deal(_) => Event::DealtOther,
            Action::Show | Action::Fold => Event::Chose(action),
        }
    }

    fn now_observer(&self, now: &Now) -> Seat {
        now.seat
    }

    fn now_turn(&self, now: &Now) -> Turn {
        turn(now.n_dealt, &now.choices)
    }

    fn now_setup(&self, _: &Now) {}

    fn now_actions(&self, now: &Now, sink: &mut impl ActionSink<Action>) -> ControlFlow<()> {
        if self.now_turn(now) == Turn::Seat(now.seat) {
            sink.push(Action::Show)?;
            sink.push(Action::Fold)?;
        }
        ControlFlow::Continue(())
    }

    fn write_now(&self, now: &Now, out: &mut Vec<u8>) {
        let choice = |idx: usize| match now.choices.get(idx) {
            None => 0,
            Some(Action::Show) => 1,
            Some(_) => 2,
        };
        let own = now.own.map_or(0, |card| card + 1);
        out.extend([now.seat.idx() as u8, own, now.n_dealt as u8, choice(0), choice(1)]);
    }

    fn now_len(&self) -> usize {
        5
    }

    fn read_now(&self, _: &[u8]) -> Result<Now, DecodeError> {
        Err(DecodeError { what: "now", reason: "high card is never read back".to_owned() })
    }

    fn write_event(&self, event: &Event, out: &mut Vec<u8>) {
        out.push(match event {
            Event::DealtOther => 0,
            Event::DealtMe(card) => 1 + card,
            Event::Chose(Action::Show) => 10,
            Event::Chose(_) => 11,
        });
    }
}

fn turn(n_dealt: usize, choices: &[Action]) -> Turn {
    match (n_dealt, choices) {
        (0 | 1, _) => Turn::Chance,
        (_, []) => Turn::Seat(Seat::FIRST),
        (_, [Action::Show]) => Turn::Seat(Seat::SECOND),
        _ => Turn::Over,
    }
}
