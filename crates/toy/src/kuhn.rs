//! Kuhn poker (H. W. Kuhn, A simplified two-person poker, 1950; for three players Szafron, Gibson, Sturtevant, A
//! parameterized family of equilibrium profiles for three-player Kuhn poker, 2013).
//!
//! One card each from a deck of one card more than there are players, an ante of 1. In turn, each passes or bets 1;
//! after a bet the others, in turn from the bettor's left, fold (pass) or call (bet). The highest card of those who
//! stay takes the pot. The value of the two-player game is −1/18 for the first player.

use crate::line::{Act, Sight};
use crate::small::SmallGame;
use game::{Seat, Turn, Utility};

/// Cards are acts 0, 1, …; then come pass and bet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kuhn {
    n_players: u8,
}

impl Kuhn {
    pub const TWO_PLAYERS: Kuhn = Kuhn { n_players: 2 };
    pub const THREE_PLAYERS: Kuhn = Kuhn { n_players: 3 };

    fn n_cards(self) -> u8 {
        self.n_players + 1
    }

    fn pass(self) -> Act {
        Act(self.n_cards())
    }

    fn bet(self) -> Act {
        Act(self.n_cards() + 1)
    }

    fn plays(self, acts: &[Act]) -> &[Act] {
        acts.get(usize::from(self.n_players)..).unwrap_or(&[])
    }

    /// The place among the plays of the first bet.
    fn first_bet(self, plays: &[Act]) -> Option<usize> {
        plays.iter().position(|play| *play == self.bet())
    }
}

impl SmallGame for Kuhn {
    const NAME: &'static str = "kuhn";

    fn n_seats(&self) -> usize {
        usize::from(self.n_players)
    }

    fn plies_max(&self) -> usize {
        3 * self.n_seats() - 1
    }

    fn n_acts(&self) -> usize {
        usize::from(self.n_cards()) + 2
    }

    fn turn(&self, acts: &[Act]) -> Turn {
        let n = self.n_seats();
        if acts.len() < n {
            return Turn::Chance;
        }
        let plays = self.plays(acts);
        let last = self.first_bet(plays).map_or(n, |first| first + n);
        if plays.len() == last {
            Turn::Over
        } else {
            Turn::Seat(Seat::new((plays.len() % n) as u8))
        }
    }

    fn legal(&self, _: &[Act], each: &mut dyn FnMut(Act)) {
        each(self.pass());
        each(self.bet());
    }

    fn outcomes(&self, acts: &[Act], each: &mut dyn FnMut(Act, u32)) {
        let free = (0..self.n_cards()).map(Act).filter(|card| !acts.contains(card));
        free.for_each(|card| each(card, 1));
    }

    fn utility(&self, acts: &[Act]) -> Utility {
        let n = self.n_seats();
        let plays = self.plays(acts);
        let first_bet = self.first_bet(plays);
        let has_bet = |seat: usize| {
            plays.iter().enumerate().any(|(ply, play)| ply % n == seat && *play == self.bet())
        };
        let stays = |seat: &usize| first_bet.is_none() || has_bet(*seat);
        let winner = (0..n).filter(stays).max_by_key(|seat| acts[*seat]);
        let paid: Vec<f64> = (0..n).map(|seat| 1.0 + f64::from(u8::from(has_bet(seat)))).collect();
        let pot: f64 = paid.iter().sum();
        let result =
            |seat: usize| if winner == Some(seat) { pot - paid[seat] } else { -paid[seat] };
        Utility::new(&(0..n).map(result).collect::<Vec<f64>>())
    }

    fn sight(&self, before: &[Act], act: Act, seat: Seat) -> Sight {
        let is_deal = before.len() < self.n_seats();
        Sight::only_if(!is_deal || before.len() == seat.idx(), act)
    }

    fn act_text(&self, act: Act) -> String {
        const CARDS: [&str; 4] = ["J", "Q", "K", "A"];
        if act == self.pass() {
            "pass".to_owned()
        } else if act == self.bet() {
            "bet".to_owned()
        } else {
            CARDS[usize::from(act.0)].to_owned()
        }
    }

    fn parameters(&self) -> String {
        format!("players={}", self.n_players)
    }
}
