//! Games in which all kinds of decision come up.

use game::{Chance, Hidden, Observation, Rules, Seat, Stream, Tactical, Turn};
use warchest::{Action, Decision, State, WarChest};

/// One in how many decisions of a kind is looked at: the rarer the kind, the more.
pub fn one_in(kind: Decision) -> u32 {
    match kind {
        Decision::Main => 100,
        Decision::RoyalGuard | Decision::Cavalry => 1,
        _ => 4,
    }
}

/// A game that is being played by a lively player.
pub struct Walk {
    pub rules: WarChest,
    pub start: State,
    pub plies: Vec<Action>,
    pub state: State,
    pub observations: [Observation<WarChest>; 2],
    pub stream: Stream,
}

impl Walk {
    /// A random deal from all cards.
    pub fn deal(seed: u64) -> Walk {
        let rules = WarChest::ranked();
        let mut stream = Stream::from_seed(seed);
        let setup = rules.deal(&mut stream);
        let start = rules.initial(&setup);
        let observations = Seat::BOTH.map(|seat| Observation::begin(seat, rules.now(&start, seat)));
        Walk { rules, start, plies: Vec::new(), state: start, observations, stream }
    }

    /// Plays one ply; the most appealing action in half of the cases, so that units meet.
    pub fn step(&mut self) -> bool {
        let action = match self.rules.turn(&self.state) {
            Turn::Over => return false,
            Turn::Chance => self.rules.draw(&self.state, &mut self.stream),
            Turn::Seat(seat) => {
                let now = self.rules.now(&self.state, seat);
                let mut legal = self.rules.legal(&self.state);
                if self.stream.below(2) == 0 {
                    let best = legal.iter().map(|&a| self.rules.appeal(&now, a)).max().unwrap();
                    legal.retain(|&action| self.rules.appeal(&now, action) == best);
                }
                legal[self.stream.below(legal.len() as u32) as usize]
            }
        };
        self.play(action);
        true
    }

    pub fn play(&mut self, action: Action) {
        let before = self.state;
        self.rules.play(&mut self.state, action).unwrap();
        for observation in &mut self.observations {
            let seat = observation.seat();
            let event = self.rules.event(&before, action, seat);
            observation.extend(event, self.rules.now(&self.state, seat));
        }
        self.plies.push(action);
    }

    /// The seat to act, the kind of decision and what the seat has seen, where there is a choice.
    pub fn decision(&self) -> Option<(Seat, Decision, &Observation<WarChest>)> {
        let Turn::Seat(seat) = self.rules.turn(&self.state) else { return None };
        let has_choice = self.rules.legal(&self.state).len() > 1;
        has_choice.then(|| (seat, self.state.decision().unwrap(), &self.observations[seat.idx()]))
    }
}

/// Another game from its start and plies, as `seat` saw it.
pub fn observe(
    rules: &WarChest,
    start: &State,
    plies: &[Action],
    seat: Seat,
) -> Observation<WarChest> {
    let mut state = *start;
    let mut observation = Observation::begin(seat, rules.now(&state, seat));
    for &action in plies {
        let before = state;
        rules.play(&mut state, action).unwrap();
        observation.extend(rules.event(&before, action, seat), rules.now(&state, seat));
    }
    observation
}
