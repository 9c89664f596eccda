//! Counts of move sequences.

use crate::counts::{Counted, check_without_bulk, read};
use boards::Othello;
use boards::othello::Scoring;
use game::perft::{ended_before, perft};
use game::{Notation, Rules};

fn sizes() -> [(Othello, Vec<Counted>); 3] {
    let rules = |size| Othello::new(size, Scoring::Won).expect("a board");
    [
        (rules(4), read(include_str!("../../../perft/othello-4.txt"))),
        (rules(6), read(include_str!("../../../perft/othello-6.txt"))),
        (rules(8), read(include_str!("../../../perft/othello-8.txt"))),
    ]
}

/// The table's convention: a game that ended before counts as one leaf.
fn leaves(rules: &Othello, depth: u32) -> u64 {
    let mut state = rules.initial(&());
    perft(rules, &mut state, depth) + ended_before(rules, &mut state, depth)
}

#[test]
fn counts_are_those_of_other_programs() {
    let mut n_compared = 0;
    for (rules, counted) in sizes() {
        let [Counted { position, counts, .. }] = &counted[..] else { panic!("one position") };
        assert_eq!(rules.position_text(&rules.initial(&())), *position);
        for (depth, &expected) in (1..).zip(counts).filter(|(_, leaves)| **leaves < 4_000_000) {
            assert_eq!(leaves(&rules, depth), expected, "{position}, depth {depth}");
            n_compared += 1;
        }
    }
    assert_eq!(n_compared, 12 + 9 + 9);
}

#[test]
fn counting_the_last_ply_gives_what_playing_it_gives() {
    for (rules, counted) in sizes() {
        let counted =
            counted.into_iter().map(|one| Counted { counts: one.counts[..7].into(), ..one });
        check_without_bulk(&rules, &counted.collect::<Vec<_>>(), 400_000);
    }
}

/// Run by `scripts/long/perft.sh`.
#[test]
#[ignore = "seconds"]
fn deep_counts_are_those_of_other_programs() {
    let rules = Othello::default();
    assert_eq!(leaves(&rules, 10), 24_571_284);
    assert_eq!(leaves(&rules, 11), 212_258_800);
}
