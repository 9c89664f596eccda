//! The draft: eight open cards, picked in the order X, Y, Y, X, X, Y, Y, X; Y starts. Everything is public and
//! over before the first ply.

use crate::{Army, Pool, Setup, Unit};
use game::{Seat, Stream};

/// A draft under way or done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Draft {
    cards: Vec<Unit>,
    picked: [Vec<Unit>; 2],
    first_drafter: Seat,
    is_elimination: bool,
}

/// A card that cannot be taken.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoPick {
    #[error("{0} does not lie open in this draft")]
    NotOpen(Unit),
    #[error("the draft is over; every seat has its four cards")]
    Over,
}

/// What the drafting seat does next with an open card.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DraftStep {
    /// Removes it from the game (elimination draft, before the picks).
    Strike(Seat),
    Pick(Seat),
    Over,
}

/// Who of (X, Y) picks when: false is the first drafter.
const SECOND_PICKS: [bool; 8] = [false, true, true, false, false, true, true, false];
const N_OPEN: usize = 8;
const N_OPEN_ELIMINATION: usize = 10;

impl Draft {
    /// Eight random cards of the pool and a flip for the first drafter.
    pub fn deal(pool: Pool, stream: &mut Stream) -> Draft {
        Draft::with_cards(pool, N_OPEN, stream)
    }

    /// The tournament kit's form: ten cards, each side strikes one, then the same picks.
    pub fn deal_elimination(pool: Pool, stream: &mut Stream) -> Draft {
        Draft::with_cards(pool, N_OPEN_ELIMINATION, stream)
    }

    fn with_cards(pool: Pool, n_open: usize, stream: &mut Stream) -> Draft {
        let mut cards = pool.units().to_vec();
        stream.shuffle(&mut cards);
        cards.truncate(n_open);
        cards.sort();
        let first_drafter = Seat::new(stream.below(2) as u8);
        let is_elimination = n_open == N_OPEN_ELIMINATION;
        Draft { cards, picked: [Vec::new(), Vec::new()], first_drafter, is_elimination }
    }

    /// The cards that still lie open, in canonical order.
    pub fn open(&self) -> &[Unit] {
        &self.cards
    }

    pub fn first_drafter(&self) -> Seat {
        self.first_drafter
    }

    /// The cards `seat` has picked, in order.
    pub fn picked(&self, seat: Seat) -> &[Unit] {
        &self.picked[seat.idx()]
    }

    pub fn step(&self) -> DraftStep {
        let n_picked = self.picked[0].len() + self.picked[1].len();
        let seat =
            |is_second| if is_second { self.first_drafter.other() } else { self.first_drafter };
        let n_unstruck = self.cards.len() + n_picked;
        if self.is_elimination && n_unstruck > N_OPEN {
            return DraftStep::Strike(seat(n_unstruck < N_OPEN_ELIMINATION));
        }
        match SECOND_PICKS.get(n_picked) {
            Some(is_second) => DraftStep::Pick(seat(*is_second)),
            None => DraftStep::Over,
        }
    }

    /// The seat whose turn it is strikes or picks `unit`.
    pub fn take(&mut self, unit: Unit) -> Result<(), NoPick> {
        let step = self.step();
        if step == DraftStep::Over {
            return Err(NoPick::Over);
        }
        let at = self.cards.iter().position(|card| *card == unit).ok_or(NoPick::NotOpen(unit))?;
        self.cards.remove(at);
        if let DraftStep::Pick(seat) = step {
            self.picked[seat.idx()].push(unit);
        }
        Ok(())
    }

    /// Strikes and picks at random what is left to take.
    pub fn finish_at_random(&mut self, stream: &mut Stream) {
        while self.step() != DraftStep::Over {
            let unit = self.cards[stream.below(self.cards.len() as u32) as usize];
            self.take(unit).expect("an open card of a draft under way can be taken");
        }
    }

    /// The set-up once the draft is over: the side that picked second holds the initiative.
    pub fn setup(&self) -> Option<Setup> {
        let army = |picked: &Vec<Unit>| {
            let units = <[Unit; Army::LEN]>::try_from(picked.as_slice()).ok()?;
            Some(Army::new(units).expect("a draft holds each card once"))
        };
        let armies = [army(&self.picked[0])?, army(&self.picked[1])?];
        Some(Setup { armies, first: self.first_drafter.other() })
    }
}
