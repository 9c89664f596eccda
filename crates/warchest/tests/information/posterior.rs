//! `exact-uniform` and `labelled-uniform` equal, as rational numbers, what enumeration finds; they contain the
//! truth, are the same from scratch as event by event, and are the same for both seats.

use crate::enumeration::{Chooser, Enumeration, Rational, ratio};
use game::{Belief, Hidden, ModelFree, Observation, Rules, Seat, Turn};
use num_bigint::BigUint;
use std::collections::BTreeMap;
use warchest::belief::{ExactPosterior, LabelledPosterior, Posterior, StructuralPosterior};
use warchest::check::{SupportCheck, Walk, truth_in_support};
use warchest::{
    Action, Army, Coin, Coins, Concealed, Decision, ExactUniform, LabelledUniform, Seen, Setup,
    State, StructuralUniform, Unit, WarChest,
};

/// Weights without a common factor are probabilities when divided by their sum.
pub fn assert_equal(weighted: &[(Concealed, BigUint)], twin: &Enumeration, what: &str) {
    let total: BigUint = weighted.iter().map(|(_, weight)| weight).sum();
    assert_eq!(weighted.len(), twin.probabilities.len(), "{what}");
    for ((concealed, weight), (expected, probability)) in
        weighted.iter().zip(twin.probabilities.values())
    {
        assert_eq!(concealed, expected, "{what}");
        assert_eq!(weight * probability.denom(), probability.numer() * &total, "{what}");
    }
}

/// What was compared.
#[derive(Default, Debug)]
struct Coverage {
    positions: usize,
    several: usize,
    events: BTreeMap<Decision, usize>,
    refills_in_a_draw: usize,
    recruits: usize,
    face_down_in_flight: usize,
    support_max: usize,
}

impl Coverage {
    fn note(&mut self, walk: &Walk, before: &State, support_len: usize) {
        let zones = before.zones(before.decider());
        let decision = before.decision().unwrap();
        let event = walk.observations[0].events().last().unwrap();
        self.positions += 1;
        self.several += usize::from(support_len > 1);
        *self.events.entry(decision).or_default() += 1;
        let refills = decision == Decision::Draw && zones.bag.is_empty() && !zones.hand.is_empty();
        self.refills_in_a_draw += usize::from(refills);
        self.recruits += usize::from(matches!(event.seen, Seen::Recruited(_)));
        let is_face_down = !matches!(event.seen, Seen::Open(_));
        let in_flight = decision == Decision::WarriorPriestPlay && is_face_down;
        self.face_down_in_flight += usize::from(in_flight);
        self.support_max = self.support_max.max(support_len);
    }
}

/// How many positions are compared with the enumeration.
const N_COMPARED: usize = if cfg!(debug_assertions) { 3_000 } else { 20_000 };

#[test]
fn equal_what_enumeration_finds() {
    let mut coverage = Coverage::default();
    let mut seed = 20_000;
    while coverage.positions < N_COMPARED {
        let mut walk = Walk::deal(seed);
        let subject = Seat::new((seed / 2 % 2) as u8);
        let observer = subject.other();
        let begin = |chooser| Enumeration::begin(chooser, subject, &walk.state);
        let mut twins = [begin(Chooser::AnyAction), begin(Chooser::AnyCoin)];
        let rules = walk.rules;
        let mut exact = ExactUniform.prior(&rules, &walk.observations[observer.idx()]);
        let mut labelled = LabelledUniform.prior(&rules, &walk.observations[observer.idx()]);
        loop {
            let before = walk.state;
            if !walk.step() {
                break;
            }
            let observation = &walk.observations[observer.idx()];
            let event = observation.events().last().unwrap();
            twins.iter_mut().for_each(|twin| twin.advance(&rules, &before, event));
            ExactUniform.catch_up(&rules, &mut exact, observation).unwrap();
            LabelledUniform.catch_up(&rules, &mut labelled, observation).unwrap();
            if before.decider() != subject {
                continue;
            }
            let what = format!("game {seed}, ply {}, {event:?}", walk.plies.len());
            assert_equal(&exact.weighted(), &twins[0], &what);
            assert_equal(&labelled.weighted(), &twins[1], &what);
            coverage.note(&walk, &before, exact.support_len());
        }
        seed += 1;
    }
    println!("{coverage:?}");
    assert!(coverage.several > coverage.positions / 2, "{coverage:?}");
    assert_eq!(coverage.events.len(), Decision::COUNT, "{coverage:?}");
    assert!(coverage.refills_in_a_draw > 50 && coverage.recruits > 100, "{coverage:?}");
    assert!(coverage.face_down_in_flight > 5, "{coverage:?}");
}

#[test]
fn contain_the_truth() {
    let n_positions = if cfg!(debug_assertions) { 200_000 } else { 1_000_000 };
    let check = SupportCheck { n_positions, n_threads: 2, first_game: 30_000 };
    let report = truth_in_support(&check, &|_| ());
    println!("{report:?}");
    assert!(report.is_clean(), "{report:?}");
    assert_eq!((report.truth_missing, report.refused), (0, 0));
    assert!(report.positions >= n_positions && 2 * report.several > report.positions);
    assert!(report.in_flight > 100 && report.face_down > 10_000, "{report:?}");
}

#[test]
fn have_one_support() {
    let mut n_compared = 0;
    for seed in 31_000..31_040 {
        let mut walk = Walk::under_any_options(seed);
        let rules = walk.rules;
        while walk.step() {
            if walk.stream.below(10) != 0 {
                continue;
            }
            for observation in &walk.observations {
                let exact = ExactUniform.infer(&rules, observation).unwrap();
                let structural = StructuralUniform.infer(&rules, observation).unwrap();
                let labelled = LabelledUniform.infer(&rules, observation).unwrap();
                assert!(exact.configurations().eq(structural.configurations()));
                assert!(exact.configurations().eq(labelled.configurations()));
                n_compared += usize::from(exact.support_len() > 1);
            }
        }
    }
    assert!(n_compared > 1_000, "{n_compared}");
}

/// The observer-side filter: what the opponent can know of my coins is what it finds itself. And from scratch is
/// the same as event by event.
#[test]
fn are_the_same_from_scratch_and_from_either_seat() {
    fn check<M>(walks: std::ops::Range<u64>) -> usize
    where
        M: ModelFree<WarChest, Posterior = Posterior<M>>
            + warchest::belief::Measure
            + Copy
            + Default,
    {
        let belief = M::default();
        let mut n_checked = 0;
        for seed in walks {
            let mut walk = Walk::deal(seed);
            let rules = walk.rules;
            let mut carried = Seat::BOTH.map(|s| belief.prior(&rules, &walk.observations[s.idx()]));
            let mut of_me =
                Seat::BOTH.map(|s| Posterior::begin(belief, &walk.observations[s.idx()], s));
            while walk.step() {
                if walk.stream.below(10) != 0 {
                    continue;
                }
                for seat in Seat::BOTH {
                    let mine = &walk.observations[seat.idx()];
                    let theirs = &walk.observations[seat.other().idx()];
                    belief.catch_up(&rules, &mut carried[seat.idx()], mine).unwrap();
                    let scratch = belief.infer(&rules, mine).unwrap();
                    let bytes = |posterior| belief.posterior_bytes(&rules, posterior);
                    assert_eq!(bytes(&carried[seat.idx()]), bytes(&scratch));
                    of_me[seat.idx()].catch_up(&rules, mine).unwrap();
                    let found = belief.infer(&rules, theirs).unwrap();
                    assert_eq!(bytes(&of_me[seat.idx()]), bytes(&found));
                    n_checked += usize::from(found.support_len() > 1);
                }
            }
        }
        n_checked
    }
    let n_exact = check::<ExactUniform>(40_000..40_012);
    let n_labelled = check::<LabelledUniform>(40_012..40_020);
    let n_structural = check::<StructuralUniform>(40_020..40_028);
    assert!(n_exact > 300 && n_labelled > 200 && n_structural > 200);
}

/// A game of these armies in which white, the first to play, is watched by black.
struct Watched {
    rules: WarChest,
    state: State,
    observation: Observation<WarChest>,
}

impl Watched {
    fn begin(army: [Unit; Army::LEN], edit: impl FnOnce(&mut State)) -> Watched {
        use Unit::*;
        let rules = WarChest::ranked();
        let black = Army::new([Knight, Pikeman, Lancer, RoyalGuard]).unwrap();
        let armies = [Army::new(army).unwrap(), black];
        let mut state = rules.initial(&Setup { armies, first: Seat::FIRST });
        edit(&mut state);
        let observation = Observation::begin(Seat::SECOND, rules.now(&state, Seat::SECOND));
        Watched { rules, state, observation }
    }

    fn play(&mut self, action: Action) {
        let event = self.rules.event(&self.state, action, Seat::SECOND);
        self.rules.play(&mut self.state, action).unwrap();
        self.observation.extend(event, self.rules.now(&self.state, Seat::SECOND));
    }

    /// Draws until a seat is to act; the coins are those with the lowest slots.
    fn draw_all(&mut self) {
        while self.rules.turn(&self.state) == Turn::Chance {
            let seat = self.state.actor();
            let slot = self.state.zones(seat).draw_pool().slots().next().unwrap();
            self.play(Action::Draw { coin: self.state.army(seat).coin(slot) });
        }
    }

    fn exact(&self) -> ExactPosterior {
        ExactUniform.infer(&self.rules, &self.observation).unwrap()
    }

    fn labelled(&self) -> LabelledPosterior {
        LabelledUniform.infer(&self.rules, &self.observation).unwrap()
    }

    fn structural(&self) -> StructuralPosterior {
        StructuralUniform.infer(&self.rules, &self.observation).unwrap()
    }
}

fn probability(weighted: &[(Concealed, BigUint)], holds: impl Fn(&Concealed) -> bool) -> Rational {
    let sum = |all: &mut dyn Iterator<Item = &(Concealed, BigUint)>| -> BigUint {
        all.map(|(_, weight)| weight).sum()
    };
    let mut held = weighted.iter().filter(|(concealed, _)| holds(concealed));
    Rational::new(sum(&mut held), sum(&mut weighted.iter()))
}

const ARMY: [Unit; 4] = [Unit::Archer, Unit::Cavalry, Unit::Mercenary, Unit::Swordsman];

/// By hand: white's first coin lies face-down after a pass. With the royal coin and two others in hand (28 of 84
/// hands) there are 5 actions for the royal coin and 7 for each other type, so 12 or 19; without it 14 or 21.
#[test]
fn the_first_pass_hides_the_royal_coin_less_often_than_one_in_nine() {
    let mut game = Watched::begin(ARMY, |_| {});
    game.draw_all();
    game.play(Action::Pass { coin: Coin::of(Unit::Archer) });
    let is_royal = |concealed: &Concealed| concealed.discard_down == Coins::one(4);
    assert_eq!(probability(&game.exact().weighted(), is_royal), ratio(91, 710));
    assert_eq!(probability(&game.labelled().weighted(), is_royal), ratio(1, 9));
    let n_royal = game.structural().configurations().filter(is_royal).count();
    assert_eq!((n_royal, game.structural().support_len()), (10, 62));
}

/// By hand: two Archers and the royal coin are hidden, one of them in the bag, two face-down, and a Cavalry coin
/// lies face-up. The second coin of the draw comes from all but the first.
#[test]
fn a_refill_in_the_middle_of_a_draw_keeps_the_old_bag_in_the_hand() {
    let mut game = Watched::begin(ARMY, |state| {
        let zones = state.zones_mut(Seat::FIRST);
        zones.bag = Coins::one(0);
        zones.discard_down = Coins::from_counts([1, 0, 0, 0, 1]);
        zones.discard_up = Coins::one(1);
    });
    let draw = Action::Draw { coin: Coin::of(Unit::Archer) };
    game.play(draw);
    let has_hand = |counts: [u8; 5]| move |c: &Concealed| c.hand == Coins::from_counts(counts);
    let weighted = game.exact().weighted();
    assert_eq!(probability(&weighted, has_hand([1, 0, 0, 0, 0])), ratio(2, 3));
    game.play(draw);
    for weighted in [game.exact().weighted(), game.labelled().weighted()] {
        for (hand, expected) in [
            ([2, 0, 0, 0, 0], ratio(2, 9)),
            ([1, 0, 0, 0, 1], ratio(4, 9)),
            ([1, 1, 0, 0, 0], ratio(2, 9)),
            ([0, 1, 0, 0, 1], ratio(1, 9)),
        ] {
            assert_eq!(probability(&weighted, has_hand(hand)), expected, "{hand:?}");
        }
    }
}
