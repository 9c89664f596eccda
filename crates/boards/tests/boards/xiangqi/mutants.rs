//! Faults that programs have had, planted in a second set of rules: counts of moves see every one.

use super::perft::counted;
use super::twin::{Fault, Field, Twin};
use crate::counts::first_difference;
use boards::Xiangqi;
use game::{Rules, Stream, Turn};

/// Counts to compare: enough for every fault, and seconds for the slow rules.
const LEAVES_MAX: u64 = 25_000;

#[test]
fn rules_written_twice_count_alike() {
    assert_eq!(first_difference(&Twin { fault: None }, &counted(), LEAVES_MAX), None);
}

#[test]
fn rules_written_twice_allow_the_same_moves_in_random_games() {
    let (rules, twin) = (Xiangqi::WITHOUT_DRAWS, Twin { fault: None });
    let mut stream = Stream::from_seed(0x7477_696e);
    let mut n_positions = 0;
    for _ in 0..12 {
        let mut state = rules.initial(&());
        for _ in 0..120 {
            let (mut ours, mut theirs) = (rules.legal(&state), twin.legal(&Field::of(&state)));
            let choice = stream.below(ours.len().max(1) as u32) as usize;
            let chosen = ours.get(choice).copied();
            ours.sort_unstable();
            theirs.sort_unstable();
            assert_eq!(ours, theirs, "{state:?}");
            n_positions += 1;
            match chosen {
                Some(action) => rules.apply(&mut state, action),
                None => break,
            };
        }
        assert!(matches!(rules.turn(&state), Turn::Seat(_) | Turn::Over));
    }
    assert!(n_positions > 800, "{n_positions}");
}

#[test]
fn counts_see_every_planted_fault() {
    let mut missed = Vec::new();
    for fault in Fault::ALL {
        match first_difference(&Twin { fault: Some(fault) }, &counted(), LEAVES_MAX) {
            Some(seen) => println!("{fault:?}: {seen}"),
            None => missed.push(fault),
        }
    }
    println!("{} of {} planted faults seen", Fault::ALL.len() - missed.len(), Fault::ALL.len());
    assert!(missed.is_empty(), "not seen: {missed:?}");
}
