//! Faults that programs have had: counts of moves see every one.

use super::mutant::{Fault, Mutant};
use super::perft::counted;
use crate::counts::first_difference;

const LEAVES_MAX: u64 = 450_000;

#[test]
fn rules_wrapped_without_a_fault_count_alike() {
    assert_eq!(first_difference(&Mutant { fault: None }, &counted(), LEAVES_MAX), None);
}

#[test]
fn counts_see_every_planted_fault() {
    let mut missed = Vec::new();
    for fault in Fault::ALL {
        match first_difference(&Mutant { fault: Some(fault) }, &counted(), LEAVES_MAX) {
            Some(seen) => println!("{fault:?}: {seen}"),
            None => missed.push(fault),
        }
    }
    println!("{} of {} planted faults seen", Fault::ALL.len() - missed.len(), Fault::ALL.len());
    assert!(missed.is_empty(), "not seen: {missed:?}");
}
