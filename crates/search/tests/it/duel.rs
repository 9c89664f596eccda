//! A duel with a hidden coin: small, and with everything that makes values go wrong on their way up.
//!
//! Each seat draws a coin from two silver and one gold, face down. Then the seats take turns. In its turn a seat
//! may *push* twice (gain 1 and stay to act: consecutive decisions), *strike* once (the other seat decides inside
//! the turn: *yield* gives 2, *block* rolls a die that gives the blocker 3 two times in three), *flash* a gold coin
//! (gain 1, the coin is known from then on), and must *stop*. At the end a gold coin that was not flashed gives 2.
//! The higher total wins.

use game::{
    ActionSink, ActionSpace, Appeal, Belief, Chance, Contradiction, DecodeError, Ending, Hidden,
    InvalidState, Observation, PolicyLayout, Rules, Seat, Stream, Tactical, Turn, Utility, World,
};
use std::ops::ControlFlow;

#[derive(Clone, Debug)]
pub struct Duel {
    pub n_turns: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Coin {
    Silver,
    Gold,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Act {
    Draw(Coin),
    Push,
    Strike,
    Flash,
    Stop,
    Block,
    Yield,
    Die(bool),
}

/// Everything that both seats see.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Table {
    pub n_drawn: u8,
    /// Points of each seat, by seat.
    pub points: [i8; 2],
    pub active: Seat,
    pub turns_left: u8,
    pub pushes_left: u8,
    pub may_strike: bool,
    pub is_struck: bool,
    pub is_rolling: bool,
    pub is_flashed: [bool; 2],
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    pub table: Table,
    pub coins: [Option<Coin>; 2],
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Now {
    pub table: Table,
    pub seat: Seat,
    pub coin: Option<Coin>,
}

/// A ply as one seat sees it: the other's coin is absent.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Event {
    Public(Act),
    OtherDrew,
}

impl Table {
    fn turn(&self) -> Turn {
        if self.n_drawn < 2 || self.is_rolling {
            Turn::Chance
        } else if self.turns_left == 0 {
            Turn::Over
        } else if self.is_struck {
            Turn::Seat(self.active.other())
        } else {
            Turn::Seat(self.active)
        }
    }

    fn actions(
        &self,
        coin_of: impl Fn(Seat) -> Option<Coin>,
        sink: &mut impl ActionSink<Act>,
    ) -> ControlFlow<()> {
        let Turn::Seat(seat) = self.turn() else { return ControlFlow::Continue(()) };
        if self.is_struck {
            sink.push(Act::Block)?;
            return sink.push(Act::Yield);
        }
        sink.push(Act::Stop)?;
        if self.pushes_left > 0 {
            sink.push(Act::Push)?;
        }
        if coin_of(seat) == Some(Coin::Gold) && !self.is_flashed[seat.idx()] {
            sink.push(Act::Flash)?;
        }
        if self.may_strike {
            sink.push(Act::Strike)?;
        }
        ControlFlow::Continue(())
    }

    fn gain(&mut self, seat: Seat, points: i8) {
        self.points[seat.idx()] += points;
    }

    fn apply(&mut self, act: Act) {
        let active = self.active;
        match act {
            Act::Draw(_) => self.n_drawn += 1,
            Act::Push => {
                self.pushes_left -= 1;
                self.gain(active, 1);
            }
            Act::Strike => {
                self.may_strike = false;
                self.is_struck = true;
            }
            Act::Flash => {
                self.is_flashed[active.idx()] = true;
                self.gain(active, 1);
            }
            Act::Yield => {
                self.is_struck = false;
                self.gain(active, 2);
            }
            Act::Block => {
                self.is_struck = false;
                self.is_rolling = true;
            }
            Act::Die(hits) => {
                self.is_rolling = false;
                self.gain(active.other(), if hits { 3 } else { 0 });
            }
            Act::Stop => {
                self.turns_left -= 1;
                self.active = active.other();
                self.pushes_left = 2;
                self.may_strike = true;
            }
        }
    }
}

impl Rules for Duel {
    type Setup = ();
    type State = State;
    type Action = Act;
    type Undo = State;
    const NAME: &'static str = "duel";

    fn deal(&self, _: &mut Stream) {}

    fn initial(&self, (): &()) -> State {
        State {
            table: Table {
                n_drawn: 0,
                points: [0, 0],
                active: Seat::FIRST,
                turns_left: self.n_turns,
                pushes_left: 2,
                may_strike: true,
                is_struck: false,
                is_rolling: false,
                is_flashed: [false, false],
            },
            coins: [None, None],
        }
    }

    fn turn(&self, state: &State) -> Turn {
        state.table.turn()
    }

    fn actions(&self, state: &State, sink: &mut impl ActionSink<Act>) -> ControlFlow<()> {
        state.table.actions(|seat| state.coins[seat.idx()], sink)
    }

    fn apply(&self, state: &mut State, act: Act) -> State {
        let before = state.clone();
        if let Act::Draw(coin) = act {
            state.coins[usize::from(state.table.n_drawn)] = Some(coin);
        }
        state.table.apply(act);
        before
    }

    fn undo(&self, state: &mut State, _: Act, before: State) {
        *state = before;
    }

    fn ending(&self, state: &State) -> Option<Ending> {
        if self.turn(state) != Turn::Over {
            return None;
        }
        let total = |seat: Seat| {
            let is_kept = !state.table.is_flashed[seat.idx()];
            let gold = state.coins[seat.idx()] == Some(Coin::Gold) && is_kept;
            state.table.points[seat.idx()] + if gold { 2 } else { 0 }
        };
        Some(Ending::Scored(match total(Seat::FIRST).cmp(&total(Seat::SECOND)) {
            std::cmp::Ordering::Greater => Utility::won_by(Seat::FIRST),
            std::cmp::Ordering::Less => Utility::won_by(Seat::SECOND),
            std::cmp::Ordering::Equal => Utility::new(&[0.0, 0.0]),
        }))
    }

    fn validate(&self, _: &State) -> Result<(), InvalidState> {
        Ok(())
    }

    fn is_possible(&self, state: &State, act: Act) -> bool {
        match self.turn(state) {
            Turn::Seat(_) => self.is_legal(state, act),
            Turn::Chance if state.table.is_rolling => matches!(act, Act::Die(_)),
            Turn::Chance => matches!(act, Act::Draw(_)),
            Turn::Over => false,
        }
    }
}

impl Chance for Duel {
    fn outcomes(&self, state: &State, each: &mut impl FnMut(Act, u32)) {
        if state.table.is_rolling {
            each(Act::Die(false), 1);
            each(Act::Die(true), 2);
        } else if state.table.n_drawn < 2 {
            each(Act::Draw(Coin::Silver), 2);
            each(Act::Draw(Coin::Gold), 1);
        }
    }
}

impl Hidden for Duel {
    type Now = Now;
    type Event = Event;
    const OBSERVATION: &'static str = "duel-v1";

    fn now(&self, state: &State, seat: Seat) -> Now {
        Now { table: state.table, seat, coin: state.coins[seat.idx()] }
    }

    fn event(&self, before: &State, act: Act, seat: Seat) -> Event {
        match act {
            Act::Draw(_) if usize::from(before.table.n_drawn) != seat.idx() => Event::OtherDrew,
            _ => Event::Public(act),
        }
    }

    fn now_observer(&self, now: &Now) -> Seat {
        now.seat
    }

    fn now_turn(&self, now: &Now) -> Turn {
        now.table.turn()
    }

    fn now_setup(&self, _: &Now) {}

    fn now_actions(&self, now: &Now, sink: &mut impl ActionSink<Act>) -> ControlFlow<()> {
        if self.now_turn(now) != Turn::Seat(now.seat) {
            return ControlFlow::Continue(());
        }
        now.table.actions(|_| now.coin, sink)
    }

    fn write_now(&self, now: &Now, out: &mut Vec<u8>) {
        out.push(now.seat.idx() as u8);
        out.extend(relative_bytes(now));
    }

    fn now_len(&self) -> usize {
        11
    }

    fn read_now(&self, _: &[u8]) -> Result<Now, DecodeError> {
        Err(DecodeError { what: "duel", reason: "no test reads one".to_owned() })
    }

    fn write_event(&self, event: &Event, out: &mut Vec<u8>) {
        out.extend(format!("{event:?};").bytes());
    }
}

/// What a seat knows with both seats called "own" and "other": equal for a position and its seat-swapped twin.
pub fn relative_bytes(now: &Now) -> [u8; 10] {
    let Now { table, seat, coin } = now;
    let (own, other) = (seat.idx(), seat.other().idx());
    [
        coin.map_or(2, |coin| coin as u8),
        table.points[own] as u8,
        table.points[other] as u8,
        u8::from(table.active == *seat),
        table.turns_left,
        table.pushes_left,
        u8::from(table.may_strike) + 2 * u8::from(table.is_struck),
        u8::from(table.is_rolling),
        u8::from(table.is_flashed[own]),
        u8::from(table.is_flashed[other]),
    ]
}

impl ActionSpace for Duel {
    fn policy_layout(&self) -> PolicyLayout {
        PolicyLayout { planes: 0, height: 0, width: 0, flat: 6 }
    }

    fn action_index(&self, (): &(), _: Seat, act: Act) -> u16 {
        match act {
            Act::Push => 0,
            Act::Strike => 1,
            Act::Flash => 2,
            Act::Stop => 3,
            Act::Block => 4,
            Act::Yield => 5,
            Act::Draw(_) | Act::Die(_) => unreachable!("chance outcomes have no index"),
        }
    }

    fn action_spec(&self) -> String {
        "push\nstrike\nflash\nstop\nblock\nyield\n".to_owned()
    }
}

impl Tactical for Duel {
    fn appeal(&self, _: &Now, act: Act) -> Appeal {
        match act {
            Act::Flash => Appeal::Control,
            Act::Strike => Appeal::Attack,
            Act::Push => Appeal::Advance(1),
            _ => Appeal::Plain,
        }
    }
}

/// Which coins the other seat can hold, each equally likely.
#[derive(Clone)]
pub struct UniformCoin;

/// The coins that are still possible, and how many events were taken in.
#[derive(Clone)]
pub struct Possible {
    pub coins: Vec<Coin>,
    pub n_seen: usize,
}

impl Belief<Duel> for UniformCoin {
    type Posterior = Possible;

    fn name(&self) -> String {
        "uniform-coin".to_owned()
    }

    fn prior(&self, _: &Duel, seen: &Observation<Duel>) -> Possible {
        let is_flashed = seen.start().table.is_flashed[seen.seat().other().idx()];
        let coins = if is_flashed { vec![Coin::Gold] } else { vec![Coin::Silver, Coin::Gold] };
        Possible { coins, n_seen: 0 }
    }

    fn catch_up(
        &self,
        _: &Duel,
        posterior: &mut Possible,
        seen: &Observation<Duel>,
    ) -> Result<(), Contradiction> {
        // A flash shows in `now` for good, so that the events need not say whose it was.
        if seen.now().table.is_flashed[seen.seat().other().idx()] {
            posterior.coins.retain(|&coin| coin == Coin::Gold);
        }
        posterior.n_seen = seen.events().len();
        if posterior.coins.is_empty() {
            let reason = "a silver coin was flashed".to_owned();
            let position = format!("{:?}", seen.now());
            return Err(Contradiction { event_idx: posterior.n_seen, reason, position });
        }
        Ok(())
    }

    fn support_len(&self, posterior: &Possible) -> usize {
        posterior.coins.len()
    }

    fn posterior_bytes(&self, _: &Duel, posterior: &Possible) -> Vec<u8> {
        posterior.coins.iter().map(|&coin| coin as u8).collect()
    }

    fn log_weight(
        &self,
        _: &Duel,
        posterior: &Possible,
        observer: Seat,
        state: &<Duel as Rules>::State,
    ) -> f64 {
        let coin = state.coins[observer.other().idx()];
        let is_possible = coin.is_none_or(|coin| posterior.coins.contains(&coin));
        if is_possible { -(posterior.coins.len() as f64).ln() } else { f64::NEG_INFINITY }
    }

    fn all_worlds(
        &self,
        _: &Duel,
        posterior: &Possible,
        seen: &Observation<Duel>,
    ) -> Vec<(World<Duel>, f64)> {
        let share = -(posterior.coins.len() as f64).ln();
        let world = |coin: &Coin| {
            let mut coins = [Some(*coin); 2];
            coins[seen.seat().idx()] = seen.now().coin;
            World::sampled(State { table: seen.now().table, coins })
        };
        posterior.coins.iter().map(|coin| (world(coin), share)).collect()
    }

    fn world(
        &self,
        _: &Duel,
        posterior: &Possible,
        seen: &Observation<Duel>,
        seed: u64,
    ) -> World<Duel> {
        let mut stream = Stream::from_seed(seed);
        let coin = posterior.coins[stream.below(posterior.coins.len() as u32) as usize];
        let mut coins = [Some(coin); 2];
        coins[seen.seat().idx()] = seen.now().coin;
        World::sampled(State { table: seen.now().table, coins })
    }
}
