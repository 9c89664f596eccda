//! The games that the tests solve.

use cfr::information::Everything;
use cfr::{Tree, compile};
use game::{Seat, Turn, Utility};
use toy::goofspiel::PrizeOrder;
use toy::leduc::Suits;
use toy::{Act, Goofspiel, Kuhn, Leduc, LiarsDice, Sight, Small, SmallGame};

pub fn compiled(game: impl SmallGame) -> Tree {
    compile(&Small(game), &(), &Everything, 1 << 30).unwrap()
}

pub fn kuhn() -> Tree {
    compiled(Kuhn::TWO_PLAYERS)
}

pub fn leduc() -> Tree {
    compiled(Leduc { suits: Suits::All })
}

pub fn leduc_isomorphic() -> Tree {
    compiled(Leduc { suits: Suits::Isomorphic })
}

pub fn liars_dice() -> Tree {
    compiled(LiarsDice::ONE_EACH)
}

/// Two dice of two sides each: several dice of one player.
pub fn small_liars_dice() -> LiarsDice {
    LiarsDice::new(2, 2).unwrap()
}

pub fn goofspiel(n_cards: u8, order: PrizeOrder) -> Goofspiel {
    Goofspiel::new(n_cards, order).unwrap()
}

/// A game with other results: every line's is moved by a fraction of its own. Where two actions are worth exactly the
/// same, rounding decides which of them has regret, and two correct solvers part; here no two are.
#[derive(Clone, Debug)]
pub struct Shaken<G>(pub G);

impl<G: SmallGame> SmallGame for Shaken<G> {
    const NAME: &'static str = "shaken";

    fn n_seats(&self) -> usize {
        self.0.n_seats()
    }

    fn plies_max(&self) -> usize {
        self.0.plies_max()
    }

    fn n_acts(&self) -> usize {
        self.0.n_acts()
    }

    fn turn(&self, acts: &[Act]) -> Turn {
        self.0.turn(acts)
    }

    fn legal(&self, acts: &[Act], each: &mut dyn FnMut(Act)) {
        self.0.legal(acts, each);
    }

    fn outcomes(&self, acts: &[Act], each: &mut dyn FnMut(Act, u32)) {
        self.0.outcomes(acts, each);
    }

    /// Sums to 0 for two seats.
    fn utility(&self, acts: &[Act]) -> Utility {
        let utility = self.0.utility(acts);
        let shake = |seat: usize| {
            let hash = acts.iter().fold(seat as u64 + 1, |hash, act| {
                (hash ^ u64::from(act.0)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)
            });
            (hash >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        let first = shake(0);
        let shakes = [first, if self.n_seats() == 2 { -first } else { shake(1) }, shake(2)];
        let values =
            (0..self.n_seats()).map(|seat| utility.of(Seat::new(seat as u8)) + shakes[seat]);
        Utility::new(&values.collect::<Vec<_>>())
    }

    fn sight(&self, before: &[Act], act: Act, seat: Seat) -> Sight {
        self.0.sight(before, act, seat)
    }

    fn act_text(&self, act: Act) -> String {
        self.0.act_text(act)
    }

    fn parameters(&self) -> String {
        self.0.parameters()
    }
}
