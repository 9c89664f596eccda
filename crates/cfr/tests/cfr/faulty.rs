//! Kuhn poker whose rules of showing can be broken: what the compiler must refuse.

use game::{
    ActionSink, Chance, DecodeError, Ending, Hidden, InvalidState, Notation, NotationError, Render,
    Rules, Seat, Stream, Turn, Utility,
};
use std::ops::ControlFlow;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    None,
    /// A seat that holds the king against a queen may not pass, though it cannot know the queen.
    ActionsByHiddenCard,
    /// The game stops without a result after two passes.
    Truncated,
}

#[derive(Clone, Copy, Debug)]
pub struct FaultyKuhn(pub Fault);

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct State {
    /// One card a seat: 0 to 2.
    cards: Vec<u8>,
    /// Whether each play so far was a bet (a call is one too).
    plays: Vec<bool>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    Deal(u8),
    Pass,
    Bet,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Event {
    OwnCard(u8),
    OtherCard,
    Play(bool),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Now {
    seat: Seat,
    card: Option<u8>,
    turn: u8,
}

impl FaultyKuhn {
    fn is_over(state: &State) -> bool {
        matches!(state.plays[..], [true, _] | [false, false] | [false, true, _])
    }
}

impl Rules for FaultyKuhn {
    type Setup = ();
    type State = State;
    type Action = Action;
    type Undo = ();
    const NAME: &'static str = "faulty-kuhn";

    fn deal(&self, _: &mut Stream) {}

    fn initial(&self, (): &()) -> State {
        State::default()
    }

    fn turn(&self, state: &State) -> Turn {
        match state.cards.len() {
            0 | 1 => Turn::Chance,
            _ if Self::is_over(state) => Turn::Over,
            _ => Turn::Seat(Seat::new((state.plays.len() % 2) as u8)),
        }
    }

    fn actions(&self, state: &State, sink: &mut impl ActionSink<Action>) -> ControlFlow<()> {
        let Turn::Seat(seat) = self.turn(state) else { return ControlFlow::Continue(()) };
        let (own, other) = (state.cards[seat.idx()], state.cards[seat.other().idx()]);
        if !(self.0 == Fault::ActionsByHiddenCard && own == 2 && other == 1) {
            sink.push(Action::Pass)?;
        }
        sink.push(Action::Bet)
    }

    fn apply(&self, state: &mut State, action: Action) {
        match action {
            Action::Deal(card) => state.cards.push(card),
            Action::Pass => state.plays.push(false),
            Action::Bet => state.plays.push(true),
        }
    }

    fn undo(&self, state: &mut State, action: Action, (): ()) {
        match action {
            Action::Deal(_) => state.cards.pop().map(|_| ()),
            Action::Pass | Action::Bet => state.plays.pop().map(|_| ()),
        };
    }

    fn ending(&self, state: &State) -> Option<Ending> {
        if state.cards.len() < 2 || !Self::is_over(state) {
            return None;
        }
        let higher = f64::from(i8::from(state.cards[0] > state.cards[1]) * 2 - 1);
        let first = match state.plays[..] {
            [false, false] if self.0 == Fault::Truncated => return Some(Ending::Truncated),
            [false, false] => higher,
            [true, false] => 1.0,
            [false, true, false] => -1.0,
            _ => 2.0 * higher,
        };
        Some(Ending::Scored(Utility::new(&[first, -first])))
    }

    fn validate(&self, _: &State) -> Result<(), InvalidState> {
        Ok(())
    }

    fn is_possible(&self, state: &State, action: Action) -> bool {
        match action {
            Action::Deal(card) => state.cards.len() < 2 && card < 3 && !state.cards.contains(&card),
            _ => self.is_legal(state, action),
        }
    }
}

impl Chance for FaultyKuhn {
    fn outcomes(&self, state: &State, each: &mut impl FnMut(Action, u32)) {
        let free = (0..3).filter(|card| !state.cards.contains(card));
        free.for_each(|card| each(Action::Deal(card), 1));
    }
}

impl Hidden for FaultyKuhn {
    type Now = Now;
    type Event = Event;
    const OBSERVATION: &'static str = "faulty-kuhn-v1";

    fn now(&self, state: &State, seat: Seat) -> Now {
        let turn = match self.turn(state) {
            Turn::Chance => 2,
            Turn::Over => 3,
            Turn::Seat(seat) => seat.idx() as u8,
        };
        Now { seat, card: state.cards.get(seat.idx()).copied(), turn }
    }

    fn event(&self, before: &State, action: Action, seat: Seat) -> Event {
        let actor = match self.turn(before) {
            Turn::Seat(seat) => seat,
            _ => Seat::new(before.cards.len() as u8),
        };
        match action {
            Action::Deal(card) if actor == seat => Event::OwnCard(card),
            Action::Deal(_) => Event::OtherCard,
            _ => Event::Play(action == Action::Bet),
        }
    }

    fn now_observer(&self, now: &Now) -> Seat {
        now.seat
    }

    fn now_turn(&self, now: &Now) -> Turn {
        match now.turn {
            2 => Turn::Chance,
            3 => Turn::Over,
            seat => Turn::Seat(Seat::new(seat)),
        }
    }

    fn now_setup(&self, _: &Now) {}

    fn now_actions(&self, now: &Now, sink: &mut impl ActionSink<Action>) -> ControlFlow<()> {
        if self.now_turn(now) == Turn::Seat(now.seat) {
            sink.push(Action::Pass)?;
            sink.push(Action::Bet)?;
        }
        ControlFlow::Continue(())
    }

    fn write_now(&self, now: &Now, out: &mut Vec<u8>) {
        out.extend([now.seat.idx() as u8, now.card.unwrap_or(9), now.turn]);
    }

    fn now_len(&self) -> usize {
        3
    }

    fn read_now(&self, _: &[u8]) -> Result<Now, DecodeError> {
        Err(DecodeError { what: "now", reason: "nothing reads it in these tests".to_owned() })
    }

    fn write_event(&self, event: &Event, out: &mut Vec<u8>) {
        out.push(match event {
            Event::OwnCard(card) => *card,
            Event::OtherCard => 10,
            Event::Play(bet) => 20 + u8::from(*bet),
        });
    }
}

impl Notation for FaultyKuhn {
    fn action_text(&self, action: Action) -> String {
        match action {
            Action::Deal(card) => ["J", "Q", "K"][card as usize].to_owned(),
            Action::Pass => "pass".to_owned(),
            Action::Bet => "bet".to_owned(),
        }
    }

    fn parse_action(&self, text: &str) -> Result<Action, NotationError> {
        Err(unread("action", text))
    }

    fn setup_text(&self, (): &()) -> String {
        String::new()
    }

    fn parse_setup(&self, text: &str) -> Result<(), NotationError> {
        Err(unread("set-up", text))
    }

    fn position_text(&self, state: &State) -> String {
        format!("{state:?}")
    }

    fn parse_position(&self, text: &str) -> Result<State, NotationError> {
        Err(unread("position", text))
    }
}

fn unread(what: &'static str, text: &str) -> NotationError {
    let reason = "nothing reads it in these tests".to_owned();
    NotationError { what, text: text.to_owned(), reason }
}

impl Render for FaultyKuhn {}
