//! A War Chest so small that every history can be written down: two types of a few coins and the royal coin a side.
//! Whole histories (every draw and every choice that the other seat cannot tell from what it saw) are kept apart to
//! the end, each with the product of its probabilities; only then are they added up by where the coins lie.

use crate::enumeration::{Chooser, Enumeration, Rational, ratio};
use crate::posterior::assert_equal;
use game::{Belief, Rules, Seat, Stream};
use warchest::check::Walk;
use warchest::{Coins, Concealed, Decision, Event, ExactUniform, Seen, State, WarChest};

/// A game with more histories than this goes on unwatched.
const N_HISTORIES_MAX: usize = 2_000;
const N_POSITIONS: usize = if cfg!(debug_assertions) { 1_500 } else { 10_000 };

/// Histories of the subject that look the same to the other seat: where each ends, and its probability.
struct Histories {
    all: Vec<(Concealed, Rational)>,
}

impl Histories {
    fn advance(&mut self, step: &Enumeration, rules: &WarChest, before: &State, event: &Event) {
        if event.seat != step.subject {
            return;
        }
        let mut next = Vec::new();
        for (concealed, probability) in &self.all {
            step.for_each_next(rules, before, event, concealed, &mut |after, chance| {
                next.push((after, probability * chance));
            });
        }
        self.all = next;
    }

    /// Added up by where the coins lie.
    fn sum(&self, step: &Enumeration) -> Enumeration {
        let mut summed = step.clone();
        summed.probabilities.clear();
        let total = self.all.iter().fold(ratio(0, 1), |sum, (_, probability)| sum + probability);
        self.all.iter().for_each(|(concealed, p)| summed.add(concealed, p / &total));
        summed
    }
}

/// A start with these coins: of two types one or two in the bag and up to one in the supply.
fn few_coins(rules: &WarChest, stream: &mut Stream) -> State {
    let mut state = rules.initial(&rules.deal(stream));
    for seat in Seat::BOTH {
        let [first, second] = [0, 1].map(|_| 1 + stream.below(2) as u8);
        let zones = state.zones_mut(seat);
        zones.bag = Coins::from_counts([first, second, 0, 0, 1]);
        zones.supply = Coins::from_counts([1, stream.below(2) as u8, 0, 0, 0]);
    }
    state
}

#[test]
fn exact_uniform_is_what_all_histories_add_up_to() {
    let (mut n_positions, mut several, mut refills, mut claims) = (0, 0, 0, 0);
    let mut n_histories_max = 0;
    let mut seed = 60_000;
    while n_positions < N_POSITIONS {
        let mut stream = Stream::from_seed(seed);
        let rules = WarChest::ranked();
        let start = few_coins(&rules, &mut stream);
        let subject = Seat::new((seed % 2) as u8);
        let step = Enumeration::begin(Chooser::AnyAction, subject, &start);
        let mut histories = Histories { all: vec![(Concealed::of(&start, subject), ratio(1, 1))] };
        let mut walk = Walk::from(rules, start, stream, 3);
        let observer = subject.other().idx();
        let mut exact = ExactUniform.prior(&rules, &walk.observations[observer]);
        while histories.all.len() <= N_HISTORIES_MAX {
            let before = walk.state;
            if !walk.step() {
                break;
            }
            let observation = &walk.observations[observer];
            let event = observation.events().last().unwrap();
            histories.advance(&step, &rules, &before, event);
            ExactUniform.catch_up(&rules, &mut exact, observation).unwrap();
            if event.seat != subject {
                continue;
            }
            let what = format!("game {seed}, ply {}, {event:?}", walk.plies.len());
            assert_equal(&exact.weighted(), &histories.sum(&step), &what);
            n_positions += 1;
            several += usize::from(exact.support_len() > 1);
            let zones = before.zones(subject);
            let is_draw = before.decision() == Some(Decision::Draw);
            refills += usize::from(is_draw && zones.bag.is_empty() && !zones.hand.is_empty());
            claims += usize::from(event.seen == Seen::ClaimedInitiative);
            n_histories_max = n_histories_max.max(histories.all.len());
        }
        seed += 1;
    }
    println!(
        "{n_positions} positions, {several} with several configurations, {refills} refills in a \
         draw, {claims} claims, up to {n_histories_max} histories"
    );
    assert!(3 * several > n_positions && refills > 20 && claims > 20);
    assert!(n_histories_max > 1_000);
}
