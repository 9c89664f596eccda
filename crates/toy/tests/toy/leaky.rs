//! A game in which a hidden card decides what another seat may do: what the harness is there to catch.

use game::conformance::{self, Uniform, Walk};
use game::{Seat, Turn, Utility};
use toy::{Act, Enumerated, Kuhn, Sight, Small, SmallGame};

/// The second seat may not bet after a pass of one who holds the jack.
#[derive(Clone, Debug)]
struct Leaky(Kuhn);

impl SmallGame for Leaky {
    const NAME: &'static str = "leaky";
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
        if acts.len() == 3 && acts[0] == Act(0) {
            each(Act(3));
        } else {
            self.0.legal(acts, each);
        }
    }
    fn outcomes(&self, acts: &[Act], each: &mut dyn FnMut(Act, u32)) {
        self.0.outcomes(acts, each);
    }
    fn utility(&self, acts: &[Act]) -> Utility {
        self.0.utility(acts)
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

#[test]
fn a_hidden_card_that_decides_actions_is_caught() {
    let plan = Walk { games: 60, plies_max: 100, seed: 5 };
    let rules = Small(Leaky(Kuhn::TWO_PLAYERS));
    let violation = conformance::observations(&rules, &Enumerated, plan, Uniform, 1).unwrap_err();
    assert!(violation.detail.contains("now lists"), "{violation}");
}
