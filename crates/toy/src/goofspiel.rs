//! Goofspiel with imperfect information, for two, as OpenSpiel plays it with `imp_info` and win-loss returns.
//!
//! Each holds the cards 1 to N; the prize cards 1 to N come one after the other, in falling order or shuffled. For each
//! prize both choose a card in secret; the higher one takes the prize, equal ones nobody. Who won is shown, the cards
//! are not. Whoever has more points at the end wins 1. The last cards are played by themselves.

use crate::line::{Act, Sight};
use crate::small::SmallGame;
use game::{Seat, Turn, Utility};

/// In which order the prizes come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PrizeOrder {
    /// Known beforehand: N, N − 1, …, 1.
    Descending,
    /// Shuffled: each prize is turned up by chance.
    Random,
}

impl PrizeOrder {
    pub const BOTH: [PrizeOrder; 2] = [PrizeOrder::Descending, PrizeOrder::Random];

    pub const fn name(self) -> &'static str {
        match self {
            PrizeOrder::Descending => "descending",
            PrizeOrder::Random => "random",
        }
    }
}

/// Act `k` is the bid of card `k + 1`; acts from N on turn up a prize.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Goofspiel {
    n_cards: u8,
    order: PrizeOrder,
}

/// A number of cards that [`Goofspiel`] does not take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnfitCards;

/// The winner of a round, as both see it.
const TIE: u8 = 3;

/// One prize with its bids.
struct Round {
    prize: u8,
    bids: [Option<Act>; 2],
}

impl Goofspiel {
    pub const CARDS_MAX: u8 = 13;

    /// `n_cards` from 2 to 13.
    pub fn new(n_cards: u8, order: PrizeOrder) -> Result<Goofspiel, UnfitCards> {
        if (2..=Self::CARDS_MAX).contains(&n_cards) {
            Ok(Goofspiel { n_cards, order })
        } else {
            Err(UnfitCards)
        }
    }

    fn plies_a_round(self) -> usize {
        match self.order {
            PrizeOrder::Descending => 2,
            PrizeOrder::Random => 3,
        }
    }

    /// The rounds that have begun.
    fn rounds(self, acts: &[Act]) -> Vec<Round> {
        let rounds = acts.chunks(self.plies_a_round()).enumerate();
        let round = |(number, plies): (usize, &[Act])| {
            let (prize, bids) = match self.order {
                PrizeOrder::Descending => (self.n_cards - number as u8, plies),
                PrizeOrder::Random => (plies[0].0 - self.n_cards + 1, &plies[1..]),
            };
            Round { prize, bids: [bids.first().copied(), bids.get(1).copied()] }
        };
        rounds.map(round).collect()
    }

    /// 1 or 2 for the seat that took the round, or [`TIE`].
    fn winner(first: Act, second: Act) -> u8 {
        match first.cmp(&second) {
            std::cmp::Ordering::Greater => 1,
            std::cmp::Ordering::Less => 2,
            std::cmp::Ordering::Equal => TIE,
        }
    }
}

impl SmallGame for Goofspiel {
    const NAME: &'static str = "goofspiel";

    fn plies_max(&self) -> usize {
        usize::from(self.n_cards) * self.plies_a_round()
    }

    fn n_acts(&self) -> usize {
        2 * usize::from(self.n_cards)
    }

    fn turn(&self, acts: &[Act]) -> Turn {
        let in_round = acts.len() % self.plies_a_round();
        // The last card of each is no choice, and the last prize no news.
        let is_last_round = acts.len() / self.plies_a_round() + 1 >= usize::from(self.n_cards);
        if is_last_round && in_round == 0 {
            return Turn::Over;
        }
        match self.plies_a_round() - in_round {
            3 => Turn::Chance,
            2 => Turn::Seat(Seat::FIRST),
            _ => Turn::Seat(Seat::SECOND),
        }
    }

    fn legal(&self, acts: &[Act], each: &mut dyn FnMut(Act)) {
        let seat = usize::from(acts.len() % self.plies_a_round() == self.plies_a_round() - 1);
        let rounds = self.rounds(acts);
        let is_held = |card: &Act| !rounds.iter().any(|round| round.bids[seat] == Some(*card));
        (0..self.n_cards).map(Act).filter(is_held).for_each(each);
    }

    fn outcomes(&self, acts: &[Act], each: &mut dyn FnMut(Act, u32)) {
        let rounds = self.rounds(acts);
        let is_left = |prize: &u8| !rounds.iter().any(|round| round.prize == *prize);
        (1..=self.n_cards).filter(is_left).for_each(|prize| each(Act(self.n_cards + prize - 1), 1));
    }

    fn utility(&self, acts: &[Act]) -> Utility {
        let rounds = self.rounds(acts);
        let mut points = [0u32; 2];
        let mut left = [(1 << self.n_cards) - 1u32; 2];
        let mut prizes = (1 << self.n_cards) - 1u32;
        for round in &rounds {
            let [Some(first), Some(second)] = round.bids else { continue };
            left[0] &= !(1 << first.0);
            left[1] &= !(1 << second.0);
            prizes &= !(1 << (round.prize - 1));
            match Self::winner(first, second) {
                TIE => {}
                seat => points[usize::from(seat - 1)] += u32::from(round.prize),
            }
        }
        match left[0].cmp(&left[1]) {
            std::cmp::Ordering::Greater => points[0] += prizes.trailing_zeros() + 1,
            std::cmp::Ordering::Less => points[1] += prizes.trailing_zeros() + 1,
            std::cmp::Ordering::Equal => {}
        }
        let first = f64::from(i8::from(points[0] > points[1]) - i8::from(points[0] < points[1]));
        Utility::new(&[first, -first])
    }

    fn sight(&self, before: &[Act], act: Act, seat: Seat) -> Sight {
        let in_round = before.len() % self.plies_a_round();
        match self.plies_a_round() - in_round {
            3 => Sight::open(act),
            2 => Sight::only_if(seat == Seat::FIRST, act),
            _ => {
                let shown = Sight::only_if(seat == Seat::SECOND, act);
                let signal = before.last().map_or(0, |first| Self::winner(*first, act));
                Sight { signal, ..shown }
            }
        }
    }

    fn act_text(&self, act: Act) -> String {
        if act.0 < self.n_cards {
            format!("bid-{}", act.0 + 1)
        } else {
            format!("prize-{}", act.0 - self.n_cards + 1)
        }
    }

    fn signal_text(&self, signal: u8) -> String {
        match signal {
            TIE => "tie".to_owned(),
            seat => format!("won-by-{seat}"),
        }
    }

    fn parameters(&self) -> String {
        format!("cards={} order={}", self.n_cards, self.order.name())
    }
}
