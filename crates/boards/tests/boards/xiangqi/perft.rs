//! Counts of move sequences.

use crate::counts::{Counted, check, check_without_bulk, read};
use boards::Xiangqi;

pub fn counted() -> Vec<Counted> {
    read(include_str!("../../../perft/xiangqi.txt"))
}

#[test]
fn counts_are_those_of_other_programs() {
    let n_compared = check(&Xiangqi::WITHOUT_DRAWS, &counted(), 1, 4_000_000);
    assert!(n_compared >= 50, "{n_compared}");
}

#[test]
fn counting_the_last_ply_gives_what_playing_it_gives() {
    check_without_bulk(&Xiangqi::WITHOUT_DRAWS, &counted(), 400_000);
}

/// Run by `scripts/long/perft.sh`.
#[test]
#[ignore = "minutes"]
fn deep_counts_are_those_of_other_programs() {
    let n_compared = check(&Xiangqi::WITHOUT_DRAWS, &counted(), 4_000_001, u64::MAX);
    assert!(n_compared >= 10, "{n_compared}");
}
