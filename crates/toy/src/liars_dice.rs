//! Liar's dice for two, as OpenSpiel plays it.
//!
//! Each rolls its dice in secret and then sees what it rolled, not in which order. In turn each bids a number of dice and a face, higher than the bid before (more dice,
//! or as many of a higher face), or calls the bidder a liar, which ends the game: the bidder wins if at least as many
//! dice of both show the face or the highest face, which is wild.

use crate::line::{Act, Sight};
use crate::small::SmallGame;
use game::{Seat, Turn, Utility};

/// Acts are bids in rising order, then the call, then the rolls of one die.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LiarsDice {
    n_dice: u8,
    n_sides: u8,
}

/// Dice or sides that [`LiarsDice`] does not take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnfitDice;

impl LiarsDice {
    /// One die each, six sides.
    pub const ONE_EACH: LiarsDice = LiarsDice { n_dice: 1, n_sides: 6 };
    pub const DICE_MAX: u8 = 3;
    pub const SIDES_MAX: u8 = 6;

    /// `n_dice` a player (1 to 3) of `n_sides` (2 to 6).
    pub fn new(n_dice: u8, n_sides: u8) -> Result<LiarsDice, UnfitDice> {
        let fits =
            (1..=Self::DICE_MAX).contains(&n_dice) && (2..=Self::SIDES_MAX).contains(&n_sides);
        if fits { Ok(LiarsDice { n_dice, n_sides }) } else { Err(UnfitDice) }
    }

    fn n_bids(self) -> u8 {
        2 * self.n_dice * self.n_sides
    }

    fn call(self) -> Act {
        Act(self.n_bids())
    }

    /// The act that stands for a roll of `side`, counted from 0.
    fn roll(self, side: u8) -> Act {
        Act(self.n_bids() + 1 + side)
    }

    fn n_rolls(self) -> usize {
        2 * usize::from(self.n_dice)
    }

    /// A number from 1 for what `rolls` show, whatever their order.
    fn hand(self, rolls: impl Iterator<Item = Act>) -> u8 {
        let mut sides: Vec<u8> = rolls.map(|roll| roll.0 - self.roll(0).0).collect();
        sides.sort_unstable();
        1 + sides.iter().fold(0, |hand, side| hand * self.n_sides + side)
    }
}

impl SmallGame for LiarsDice {
    const NAME: &'static str = "liars-dice";

    fn plies_max(&self) -> usize {
        self.n_rolls() + usize::from(self.n_bids()) + 1
    }

    fn n_acts(&self) -> usize {
        usize::from(self.n_bids() + 1 + self.n_sides)
    }

    fn turn(&self, acts: &[Act]) -> Turn {
        match acts.len().checked_sub(self.n_rolls()) {
            None => Turn::Chance,
            Some(_) if acts.last() == Some(&self.call()) => Turn::Over,
            Some(n_plays) => Turn::Seat(Seat::new((n_plays % 2) as u8)),
        }
    }

    fn legal(&self, acts: &[Act], each: &mut dyn FnMut(Act)) {
        let last = acts[self.n_rolls()..].last();
        let next = last.map_or(0, |bid| bid.0 + 1);
        (next..self.n_bids()).map(Act).for_each(&mut *each);
        if last.is_some() {
            each(self.call());
        }
    }

    fn outcomes(&self, _: &[Act], each: &mut dyn FnMut(Act, u32)) {
        (0..self.n_sides).for_each(|side| each(self.roll(side), 1));
    }

    fn utility(&self, acts: &[Act]) -> Utility {
        let bid = acts[acts.len() - 2].0;
        let (number, face) = (usize::from(bid / self.n_sides) + 1, bid % self.n_sides);
        let wild = self.roll(self.n_sides - 1);
        let rolls = &acts[..self.n_rolls()];
        let n_shown = rolls.iter().filter(|die| **die == self.roll(face) || **die == wild).count();
        let bidder = (acts.len() - self.n_rolls()) % 2;
        let first_wins = (number <= n_shown) == (bidder == 0);
        Utility::won_by(if first_wins { Seat::FIRST } else { Seat::SECOND })
    }

    /// Of its own rolls a seat is told at the last one, sorted: the same dice in another order are the same hand.
    fn sight(&self, before: &[Act], act: Act, seat: Seat) -> Sight {
        if before.len() >= self.n_rolls() {
            return Sight::open(act);
        }
        let n_dice = usize::from(self.n_dice);
        let first = n_dice * seat.idx();
        if before.len() != first + n_dice - 1 {
            return Sight::NOTHING;
        }
        let rolls = before[first..].iter().copied().chain([act]);
        Sight { signal: self.hand(rolls), ..Sight::NOTHING }
    }

    fn act_text(&self, act: Act) -> String {
        let bids = self.n_bids();
        if act == self.call() {
            "liar".to_owned()
        } else if act.0 < bids {
            format!("{}x{}", act.0 / self.n_sides + 1, act.0 % self.n_sides + 1)
        } else {
            format!("roll-{}", act.0 - bids)
        }
    }

    fn signal_text(&self, signal: u8) -> String {
        let mut left = signal - 1;
        let mut sides = vec![0; usize::from(self.n_dice)];
        for side in sides.iter_mut().rev() {
            (*side, left) = (left % self.n_sides + 1, left / self.n_sides);
        }
        let sides: Vec<String> = sides.iter().map(u8::to_string).collect();
        format!("hand-{}", sides.join("-"))
    }

    fn parameters(&self) -> String {
        format!("dice={} sides={}", self.n_dice, self.n_sides)
    }
}
