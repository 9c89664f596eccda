//! Counts of move sequences.

use crate::counts::{Counted, check, check_without_bulk, read};
use boards::ConnectFour;
use game::Rules;
use std::collections::HashSet;

fn counted() -> Vec<Counted> {
    read(include_str!("../../../perft/connect-four.txt"))
}

#[test]
fn counts_are_those_of_other_programs() {
    assert_eq!(check(&ConnectFour::default(), &counted(), 1, 6_000_000), 8);
    check_without_bulk(&ConnectFour::default(), &counted(), 900_000);
}

/// Run by `scripts/long/perft.sh`.
#[test]
#[ignore = "seconds"]
fn deep_counts_are_those_of_other_programs() {
    assert_eq!(check(&ConnectFour::default(), &counted(), 6_000_001, u64::MAX), 2);
}

/// Numbers of another program of the project's.
#[test]
fn positions_after_each_ply_are_as_many_as_known() {
    let rules = ConnectFour::default();
    let mut layer = HashSet::from([rules.initial(&())]);
    let mut sizes = Vec::new();
    for _ in 0..=7 {
        sizes.push(layer.len());
        layer = layer
            .iter()
            .flat_map(|state| {
                rules.legal(state).into_iter().map(|action| {
                    let mut next = *state;
                    rules.apply(&mut next, action);
                    next
                })
            })
            .collect();
    }
    assert_eq!(sizes, [1, 7, 49, 238, 1_120, 4_263, 16_422, 54_859]);
}
