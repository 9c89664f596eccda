//! Two truths with one observation: the second is found by permuting hidden coins and replaying the history, never
//! by the belief. Everything computed from the observation must be equal, byte for byte.

use game::{
    Encode, Hidden, ModelFree, Observation, Render, Rules, Seat, SecondPast, SecondTruth, Stream,
    Turn,
};
use std::collections::BTreeMap;
use warchest::check::Walk;
use warchest::{Decision, ExactUniform, LabelledUniform, State, Step, StructuralUniform, WarChest};

/// What differs between the hidden parts of two truths, counted over pairs.
#[derive(Default, Debug)]
struct Differences {
    pairs: usize,
    hand: usize,
    bag: usize,
    discard_down: usize,
    drawn: usize,
    past_only: usize,
}

impl Differences {
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

/// The other game played again: its last state and what `seat` saw of it.
fn replay(
    past: &SecondPast<WarChest>,
    rules: &WarChest,
    seat: Seat,
) -> (State, Observation<WarChest>) {
    let mut state = past.start;
    let mut observation = Observation::begin(seat, rules.now(&state, seat));
    for action in &past.plies {
        let before = state;
        rules.play(&mut state, *action).unwrap();
        rules.validate(&state).unwrap();
        observation.extend(rules.event(&before, *action, seat), rules.now(&state, seat));
    }
    (state, observation)
}

/// Everything that anybody may compute from an observation.
fn derived(rules: &WarChest, observation: &Observation<WarChest>) -> Vec<u8> {
    let mut out = observation.bytes(rules);
    let mut row = vec![0.0; rules.feature_layout().row_len()];
    rules.write_features(observation.now(), &mut row);
    row.iter().for_each(|value| out.extend(value.to_bits().to_le_bytes()));
    let mut actions = Vec::new();
    let _ = rules.now_actions(observation.now(), &mut actions);
    out.extend(format!("{actions:?}").bytes());
    out.extend(rules.draw_now(observation.now()).bytes());
    observation.events().iter().for_each(|event| out.extend(rules.event_text(event).bytes()));
    conclude(&StructuralUniform, rules, observation, &mut out);
    conclude(&LabelledUniform, rules, observation, &mut out);
    conclude(&ExactUniform, rules, observation, &mut out);
    out
}

/// What a belief makes of an observation: its table, and a stream of worlds.
fn conclude<B: ModelFree<WarChest>>(
    belief: &B,
    rules: &WarChest,
    observation: &Observation<WarChest>,
    out: &mut Vec<u8>,
) {
    let posterior = belief.infer(rules, observation).unwrap();
    out.extend(belief.posterior_bytes(rules, &posterior));
    for seed in 0..8 {
        let world = belief.world(rules, &posterior, observation, seed);
        out.extend(format!("{:?}", world.state()).bytes());
    }
}

/// Compares one position of a game with a second truth of it, if there is one.
fn check_pair(walk: &Walk, seat: Seat, stream: &mut Stream) -> Option<State> {
    let rules = &walk.rules;
    let past = rules.second_truth(&walk.start, &walk.plies, seat, stream)?;
    assert_eq!(past.plies.len(), walk.plies.len());
    assert!(past.start != walk.start || past.plies != walk.plies, "nothing differs");
    let observation = &walk.observations[seat.idx()];
    let (other, other_observation) = replay(&past, rules, seat);
    assert_eq!(observation, &other_observation);
    assert_eq!(derived(rules, observation), derived(rules, &other_observation));
    assert_eq!(rules.turn(&walk.state), rules.turn(&other));
    if rules.turn(&walk.state) == Turn::Seat(seat) {
        assert_eq!(rules.legal(&walk.state), rules.legal(&other));
    }
    Some(other)
}

#[test]
fn nothing_depends_on_what_the_opponent_hides() {
    let mut by_decision: BTreeMap<Decision, Differences> = BTreeMap::new();
    let mut guard_before_priest_play = Differences::default();
    let (mut n_tried, mut n_found) = (0, 0);
    for seed in 0..160 {
        let mut walk = Walk::deal(30_000 + seed);
        while walk.step() {
            let Turn::Seat(seat) = walk.rules.turn(&walk.state) else { continue };
            let decision = walk.decision().unwrap();
            // The rarer a kind, the more of it is looked at.
            let (one_in, n_pairs) = match decision {
                Decision::Main => (40, 1),
                Decision::RoyalGuard => (1, 4),
                _ => (3, 1),
            };
            if walk.stream.below(one_in) != 0 {
                continue;
            }
            for pair_idx in 0..n_pairs {
                n_tried += 1;
                let stream_seed = 4 * (seed * 1_000 + walk.plies.len() as u64) + pair_idx;
                let mut stream = Stream::from_seed(stream_seed);
                let Some(other) = check_pair(&walk, seat, &mut stream) else { continue };
                n_found += 1;
                by_decision.entry(decision).or_default().count(&walk.state, &other, seat.other());
                if decision == Decision::RoyalGuard && walk.state.step() == Step::PriestPlay {
                    let found = &mut guard_before_priest_play;
                    found.count(&walk.state, &other, seat.other());
                }
            }
        }
    }
    println!("{n_found} pairs of {n_tried} positions");
    by_decision.iter().for_each(|(decision, found)| println!("{}: {found:?}", decision.name()));
    println!("loss decision before a drawn coin is played: {guard_before_priest_play:?}");
    assert!(10 * n_found > 8 * n_tried, "{n_found} pairs of {n_tried} positions");
    assert_eq!(by_decision.len(), 9, "a kind of decision is missing");
    for (decision, found) in &by_decision {
        let n_real = found.pairs - found.past_only;
        assert!(n_real >= 10, "{}: {found:?}", decision.name());
        assert!(found.hand >= 5 && found.bag >= 5 && found.discard_down >= 5, "{found:?}");
    }
    assert!(guard_before_priest_play.drawn >= 3, "{guard_before_priest_play:?}");
}

/// Games that start from a position: what the opponent hid there may differ too.
#[test]
fn nothing_depends_on_what_was_hidden_at_the_start_of_a_position() {
    let mut found = Differences::default();
    let mut n_other_starts = 0;
    for seed in 0..40 {
        let mut walk = Walk::deal(33_000 + seed);
        for _ in 0..20 + 7 * seed {
            walk.step();
        }
        let stream = walk.stream.clone();
        let mut walk = Walk::from(walk.rules, walk.state, stream, 12);
        for _ in 0..30 {
            let Turn::Seat(seat) = walk.rules.turn(&walk.state) else {
                walk.step();
                continue;
            };
            let mut stream = Stream::from_seed(seed * 1_000 + walk.plies.len() as u64);
            if let Some(other) = check_pair(&walk, seat, &mut stream) {
                found.count(&walk.state, &other, seat.other());
                let past = walk.rules.second_truth(&walk.start, &walk.plies, seat, &mut stream);
                n_other_starts += usize::from(past.is_some_and(|past| past.start != walk.start));
            }
            walk.step();
        }
    }
    println!("{found:?}, {n_other_starts} with another start");
    assert!(found.pairs > 300 && found.hand > 150 && n_other_starts > 150, "{found:?}");
}

#[test]
fn the_same_stream_finds_the_same_second_truth() {
    let mut n_found = 0;
    for seed in 0..40 {
        let mut walk = Walk::deal(31_000 + seed);
        for _ in 0..30 + 4 * seed {
            walk.step();
        }
        let find = |stream_seed| {
            let mut stream = Stream::from_seed(stream_seed);
            walk.rules.second_truth(&walk.start, &walk.plies, Seat::FIRST, &mut stream)
        };
        let (Some(first), Some(again)) = (find(3), find(3)) else { continue };
        assert_eq!((first.start, first.plies), (again.start, again.plies));
        n_found += 1;
    }
    assert!(n_found > 30, "{n_found}");
}

/// Second truths reach every configuration that the belief calls possible, and no other: two independent ways to
/// the same set.
#[test]
fn second_truths_and_belief_agree_on_what_is_possible() {
    let (mut n_missed, mut n_possible) = (0, 0);
    for seed in 0..25 {
        let mut walk = Walk::deal(32_000 + seed);
        for _ in 0..12 + 3 * seed {
            walk.step();
        }
        let seat = Seat::new((seed % 2) as u8);
        let observation = &walk.observations[seat.idx()];
        let posterior = StructuralUniform.infer(&walk.rules, observation).unwrap();
        let mut left: Vec<_> = StructuralUniform::configurations(&posterior).collect();
        if left.len() > 60 {
            continue;
        }
        n_possible += left.len();
        let real = warchest::Concealed::of(&walk.state, seat.other());
        left.retain(|concealed| *concealed != real);
        let mut stream = Stream::from_seed(seed);
        for _ in 0..1_000 {
            let past = walk.rules.second_truth(&walk.start, &walk.plies, seat, &mut stream);
            let Some(past) = past else { break };
            let (other, _) = replay(&past, &walk.rules, seat);
            let concealed = warchest::Concealed::of(&other, seat.other());
            assert!(StructuralUniform::configurations(&posterior).any(|c| c == concealed));
            left.retain(|possible| *possible != concealed);
            if left.is_empty() {
                break;
            }
        }
        n_missed += left.len();
    }
    println!("{n_missed} of {n_possible} possible configurations were not reached");
    assert!(n_possible > 200 && 20 * n_missed <= n_possible, "{n_missed} of {n_possible}");
}
