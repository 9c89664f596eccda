//! What goes over the wall: two truths that a seat cannot tell apart give the same stream, byte for byte.

use game::{GameId, Hidden, Observation, Rules, Seat, SecondTruth, Stream, Turn};
use referee::Truth;
use std::collections::BTreeMap;
use warchest::check::Walk;
use warchest::{Action, Decision, State, WarChest};
use worker::player::message::{Said, Told};
use worker::player::stream::{Outcome, SeatStream, hello};

/// Everything that a host sends to `seat` in this game, up to the end of `plies`.
fn sent(
    rules: &WarChest,
    start: &State,
    plies: &[Action],
    seat: Seat,
) -> (String, Observation<WarChest>) {
    let mut truth = Truth::from_position(*rules, *start).unwrap();
    let mut stream = SeatStream::new(GameId([7; 16]));
    let mut text = hello(rules, 10.0);
    let act = |truth: &Truth<WarChest>, stream: &mut SeatStream, text: &mut String| {
        if truth.turn() == Turn::Seat(seat) {
            let seen = truth.observation(seat);
            let mut legal = Vec::new();
            let _ = rules.now_actions(seen.now(), &mut legal);
            *text += &stream.act(rules, seen, &legal);
        }
    };
    for &ply in plies {
        act(&truth, &mut stream, &mut text);
        truth.play(ply).unwrap();
    }
    act(&truth, &mut stream, &mut text);
    let seen = truth.observation(seat);
    let outcome = truth.ending().map_or(Outcome::Forfeit(seat, "why"), Outcome::ByRules);
    text += &stream.end(rules, seen, outcome);
    (text, seen.clone())
}

#[derive(Default, Debug)]
struct Found {
    pairs: usize,
    hand: usize,
    bag: usize,
    discard_down: usize,
    drawn: usize,
    /// Only the past differs.
    past_only: usize,
}

#[test]
fn two_truths_with_one_observation_give_one_stream() {
    let mut by_decision: BTreeMap<Option<Decision>, Found> = BTreeMap::new();
    let (mut n_tried, mut n_bytes) = (0, 0);
    for seed in 0..120 {
        let mut walk = Walk::deal(50_000 + seed);
        let rules = walk.rules;
        loop {
            let turn = rules.turn(&walk.state);
            let decision = walk.decision();
            // The rarer a kind, the more of it is looked at.
            let (seat, one_in, n_pairs) = match (turn, decision) {
                (Turn::Over, _) => (Seat::new((seed % 2) as u8), 3, 1),
                (Turn::Chance, _) => {
                    walk.step();
                    continue;
                }
                (Turn::Seat(seat), Some(Decision::Main)) => (seat, 150, 1),
                (Turn::Seat(seat), Some(Decision::RoyalGuard)) => (seat, 1, 4),
                (Turn::Seat(seat), _) => (seat, 4, 1),
            };
            let is_chosen = walk.stream.below(one_in) == 0;
            for pair_idx in 0..if is_chosen { n_pairs } else { 0 } {
                n_tried += 1;
                let at = 4 * (seed * 1_000 + walk.plies.len() as u64) + pair_idx;
                let mut stream = Stream::from_seed(at);
                let past = rules.second_truth(&walk.start, &walk.plies, seat, &mut stream);
                let Some(past) = past else { continue };
                let (first, seen) = sent(&rules, &walk.start, &walk.plies, seat);
                let (second, also_seen) = sent(&rules, &past.start, &past.plies, seat);
                assert_eq!(seen, also_seen);
                assert_eq!(first, second);
                // The comparison can see it: the seat that hides is told two different games.
                let hider = |start, plies| sent(&rules, start, plies, seat.other()).0;
                assert_ne!(hider(&walk.start, &walk.plies), hider(&past.start, &past.plies));
                n_bytes += first.len();
                let key = decision.filter(|_| turn != Turn::Over);
                let other = past.plies.iter().fold(past.start, |mut state, &ply| {
                    let _ = rules.apply(&mut state, ply);
                    state
                });
                by_decision.entry(key).or_default().count(&walk.state, &other, seat.other());
            }
            if turn == Turn::Over {
                break;
            }
            walk.step();
        }
    }
    println!("{n_tried} positions, {n_bytes} bytes");
    by_decision.iter().for_each(|(decision, found)| println!("{decision:?}: {found:?}"));
    // Nine kinds of decisions, and the end of a game.
    assert_eq!(by_decision.len(), 10, "a kind of decision is missing");
    for (decision, found) in &by_decision {
        assert!(found.pairs - found.past_only >= 5, "{decision:?}: {found:?}");
        assert!(found.hand >= 2 && found.bag >= 2, "{decision:?}: {found:?}");
    }
    let guard = &by_decision[&Some(Decision::RoyalGuard)];
    assert!(guard.drawn >= 3, "a coin in flight never differs: {guard:?}");
    let n_pairs: usize = by_decision.values().map(|found| found.pairs).sum();
    assert!(10 * n_pairs > 8 * n_tried, "{n_pairs} pairs of {n_tried}");
}

impl Found {
    fn count(&mut self, real: &State, other: &State, seat: Seat) {
        let (a, b) = (real.zones(seat), other.zones(seat));
        self.pairs += 1;
        self.hand += usize::from(a.hand != b.hand);
        self.bag += usize::from(a.bag != b.bag);
        self.discard_down += usize::from(a.discard_down != b.discard_down);
        self.drawn += usize::from(a.drawn != b.drawn);
        self.past_only += usize::from(real == other);
    }
}

/// Every line is a message of the protocol, and no field names anything of the other seat's.
#[test]
fn every_line_that_is_sent_reads_back() {
    let mut walk = Walk::deal(9);
    while walk.step() {}
    for seat in Seat::BOTH {
        let (text, seen) = sent(&walk.rules, &walk.start, &walk.plies, seat);
        let told: Vec<Told> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let events = told.iter().filter(|told| matches!(told, Told::Event { .. }));
        assert_eq!(events.count(), seen.events().len());
        assert!(matches!(told[0], Told::Hello { .. }) && matches!(told[1], Told::Start { .. }));
        assert!(matches!(told.last(), Some(Told::End { .. })));
        let other = if seat == Seat::FIRST { "black" } else { "white" };
        let hidden = told.iter().filter_map(|told| match told {
            Told::Event { event } if event.starts_with(&format!("{other} drew ")) => Some(event),
            _ => None,
        });
        assert!(hidden.clone().count() > 10);
        assert!(hidden.into_iter().all(|event| event.ends_with(" -")));
    }
    // A newer program may say more than we read.
    let said = r#"{"type":"action","action":"pass:archer","thoughts":[1,2]}"#;
    assert!(matches!(serde_json::from_str(said), Ok(Said::Action { .. })));
}
