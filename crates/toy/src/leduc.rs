//! Leduc poker (Southey et al., Bayes' bluff: opponent modelling in poker, 2005), with the stakes of OpenSpiel.
//!
//! Three ranks in two suits, one card each, an ante of 1. A round of betting, then a public card, then another round;
//! at most two raises a round, of 2 in the first and 4 in the second. A pair with the public card wins, then the higher
//! rank; equal ranks share. The value is −0.085606424078 for the first player.

use crate::line::{Act, Sight};
use crate::small::SmallGame;
use game::{Seat, Turn, Utility};

/// Whether cards of one rank are told apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Suits {
    /// Six different cards: 936 information sets.
    All,
    /// Only the rank is dealt, with its weight; suits never matter for the result: 288 information sets.
    Isomorphic,
}

impl Suits {
    pub const BOTH: [Suits; 2] = [Suits::All, Suits::Isomorphic];

    pub const fn name(self) -> &'static str {
        match self {
            Suits::All => "all",
            Suits::Isomorphic => "isomorphic",
        }
    }
}

/// Acts 0 to 5 are cards (0 to 2 if suits are isomorphic), 6 to 8 fold, call and raise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leduc {
    pub suits: Suits,
}

const FOLD: Act = Act(6);
const CALL: Act = Act(7);
const RAISE: Act = Act(8);
const RAISES_MAX: usize = 2;
const ANTE: f64 = 1.0;

/// What the acts say about the betting.
struct Betting {
    /// Whether the public card was dealt.
    is_second_round: bool,
    /// Plays of the present round.
    n_plays: usize,
    n_raises: usize,
    paid: [f64; 2],
    is_round_over: bool,
    folded: Option<usize>,
}

impl Leduc {
    fn betting(acts: &[Act]) -> Betting {
        let mut betting = Betting {
            is_second_round: false,
            n_plays: 0,
            n_raises: 0,
            paid: [ANTE; 2],
            is_round_over: false,
            folded: None,
        };
        for act in acts.iter().skip(2) {
            let seat = betting.n_plays % 2;
            let to_pay = betting.paid[1 - seat];
            match *act {
                FOLD => betting.folded = Some(seat),
                CALL => {
                    betting.is_round_over = betting.n_plays > 0;
                    betting.paid[seat] = to_pay;
                    betting.n_plays += 1;
                }
                RAISE => {
                    let raise = if betting.is_second_round { 4.0 } else { 2.0 };
                    betting.paid[seat] = to_pay + raise;
                    betting.n_plays += 1;
                    betting.n_raises += 1;
                }
                _ => {
                    betting.is_second_round = true;
                    betting.is_round_over = false;
                    (betting.n_plays, betting.n_raises) = (0, 0);
                }
            }
        }
        betting
    }

    fn rank(self, card: Act) -> u8 {
        match self.suits {
            Suits::All => card.0 / 2,
            Suits::Isomorphic => card.0,
        }
    }
}

impl SmallGame for Leduc {
    const NAME: &'static str = "leduc";

    fn plies_max(&self) -> usize {
        11
    }

    fn n_acts(&self) -> usize {
        9
    }

    fn turn(&self, acts: &[Act]) -> Turn {
        if acts.len() < 2 {
            return Turn::Chance;
        }
        let betting = Self::betting(acts);
        match betting {
            Betting { folded: Some(_), .. } => Turn::Over,
            Betting { is_round_over: true, is_second_round: true, .. } => Turn::Over,
            Betting { is_round_over: true, .. } => Turn::Chance,
            Betting { n_plays, .. } => Turn::Seat(Seat::new((n_plays % 2) as u8)),
        }
    }

    fn legal(&self, acts: &[Act], each: &mut dyn FnMut(Act)) {
        let betting = Self::betting(acts);
        let seat = betting.n_plays % 2;
        if betting.paid[seat] < betting.paid[1 - seat] {
            each(FOLD);
        }
        each(CALL);
        if betting.n_raises < RAISES_MAX {
            each(RAISE);
        }
    }

    fn outcomes(&self, acts: &[Act], each: &mut dyn FnMut(Act, u32)) {
        let (n_cards, n_copies) = match self.suits {
            Suits::All => (6, 1),
            Suits::Isomorphic => (3, 2),
        };
        for card in (0..n_cards).map(Act) {
            let n_dealt = acts.iter().filter(|act| **act == card).count() as u32;
            if n_dealt < n_copies {
                each(card, n_copies - n_dealt);
            }
        }
    }

    fn utility(&self, acts: &[Act]) -> Utility {
        let betting = Self::betting(acts);
        if let Some(folded) = betting.folded {
            let lost = betting.paid[folded];
            let first = if folded == 0 { -lost } else { lost };
            return Utility::new(&[first, -first]);
        }
        let public = acts.iter().skip(2).find(|act| act.0 < FOLD.0).copied().unwrap_or(Act(0));
        let strength = |seat: usize| {
            let rank = self.rank(acts[seat]);
            (rank == self.rank(public), rank)
        };
        let first = match strength(0).cmp(&strength(1)) {
            std::cmp::Ordering::Greater => betting.paid[1],
            std::cmp::Ordering::Less => -betting.paid[0],
            std::cmp::Ordering::Equal => 0.0,
        };
        Utility::new(&[first, -first])
    }

    fn sight(&self, before: &[Act], act: Act, seat: Seat) -> Sight {
        Sight::only_if(before.len() >= 2 || before.len() == seat.idx(), act)
    }

    fn act_text(&self, act: Act) -> String {
        const RANKS: [&str; 3] = ["J", "Q", "K"];
        const SUITS: [&str; 2] = ["s", "h"];
        match (act, self.suits) {
            (FOLD, _) => "fold".to_owned(),
            (CALL, _) => "call".to_owned(),
            (RAISE, _) => "raise".to_owned(),
            (Act(card), Suits::All) => {
                [RANKS[usize::from(card / 2)], SUITS[usize::from(card % 2)]].concat()
            }
            (Act(card), Suits::Isomorphic) => RANKS
                .get(usize::from(card))
                .map_or_else(|| format!("card-{card}"), |rank| (*rank).to_owned()),
        }
    }

    fn parameters(&self) -> String {
        format!("suits={}", self.suits.name())
    }
}
