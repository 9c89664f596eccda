//! Counts of move sequences.

use crate::counts::{Counted, check, check_without_bulk, read};
use boards::Chess;

pub fn counted() -> Vec<Counted> {
    read(include_str!("../../../perft/chess.txt"))
}

#[test]
fn counts_are_those_of_other_programs() {
    let n_compared = check(&Chess::WITHOUT_DRAWS, &counted(), 1, 4_100_000);
    assert!(n_compared >= 25, "{n_compared}");
}

#[test]
fn counting_the_last_ply_gives_what_playing_it_gives() {
    check_without_bulk(&Chess::WITHOUT_DRAWS, &counted(), 400_000);
}

/// Run by `scripts/long/perft.sh`.
#[test]
#[ignore = "minutes"]
fn deep_counts_are_those_of_other_programs() {
    let n_compared = check(&Chess::WITHOUT_DRAWS, &counted(), 4_100_001, u64::MAX);
    assert!(n_compared >= 8, "{n_compared}");
}
