//! `now` and events have one byte form each: what is written reads back, nothing else reads, and no bytes panic.

use game::{Hidden, Seat, Stream};
use proptest::prelude::*;
use std::collections::{BTreeMap, HashMap};
use warchest::check::Walk;
use warchest::{RoyalGuardCard, WarChest};

fn written(rules: &WarChest, now: &warchest::Now) -> Vec<u8> {
    let mut bytes = Vec::new();
    rules.write_now(now, &mut bytes);
    assert_eq!(bytes.len(), rules.now_len());
    bytes
}

#[test]
fn what_is_written_reads_back() {
    let mut seen: HashMap<Vec<u8>, warchest::Now> = HashMap::new();
    let mut by_decision: BTreeMap<_, usize> = BTreeMap::new();
    for seed in 0..120 {
        let mut walk = Walk::deal(3_000 + seed);
        while walk.step() {
            for seat in Seat::BOTH {
                let now = *walk.observations[seat.idx()].now();
                let bytes = written(&walk.rules, &now);
                assert_eq!(walk.rules.read_now(&bytes), Ok(now));
                let known = seen.entry(bytes).or_insert(now);
                assert_eq!(*known, now, "two values have the same bytes");
            }
            *by_decision.entry(walk.decision()).or_default() += 1;
        }
    }
    println!("{} different values of {by_decision:?}", seen.len());
    assert!(seen.len() > 50_000 && by_decision.len() >= 11, "{} {by_decision:?}", seen.len());
}

#[test]
fn other_rules_do_not_read() {
    let walk = Walk::deal(0);
    let bytes = written(&walk.rules, walk.observations[0].now());
    let guard_2018 = WarChest { royal_guard: RoyalGuardCard::Printed2018, ..walk.rules };
    for other in [WarChest::default(), guard_2018] {
        let error = other.read_now(&bytes).unwrap_err().to_string();
        assert!(error.contains("written under rules"), "{error}");
    }
}

/// Every single-byte change of real bytes either is refused or is another value with exactly these bytes.
#[test]
fn changed_bytes_are_refused_or_mean_what_they_say() {
    let (mut n_refused, mut n_read) = (0, 0);
    let mut stream = Stream::from_seed(5);
    for seed in 0..12 {
        let mut walk = Walk::deal(4_000 + seed);
        while walk.step() {
            let now = walk.observations[stream.below(2) as usize].now();
            let mut bytes = written(&walk.rules, now);
            for _ in 0..20 {
                let at = stream.below(bytes.len() as u32) as usize;
                let real = bytes[at];
                bytes[at] = stream.below(256) as u8;
                match walk.rules.read_now(&bytes) {
                    Ok(read) => {
                        assert_eq!(written(&walk.rules, &read), bytes);
                        n_read += 1;
                    }
                    Err(_) => n_refused += 1,
                }
                bytes[at] = real;
            }
        }
    }
    println!("{n_refused} refused, {n_read} read");
    assert!(n_refused > 10_000 && n_read > 1_000, "{n_refused} refused, {n_read} read");
}

#[test]
fn wrong_lengths_are_refused() {
    let walk = Walk::deal(1);
    let bytes = written(&walk.rules, walk.observations[1].now());
    for len in 0..bytes.len() {
        assert!(walk.rules.read_now(&bytes[..len]).is_err());
    }
    let longer = [bytes.as_slice(), &[0]].concat();
    let error = walk.rules.read_now(&longer).unwrap_err().to_string();
    assert!(error.contains("now does not decode: expected 101 bytes, found 102"), "{error}");
}

#[test]
fn different_events_have_different_bytes() {
    let mut seen: HashMap<Vec<u8>, warchest::Event> = HashMap::new();
    let mut n_events = 0;
    for seed in 0..80 {
        let mut walk = Walk::deal(5_000 + seed);
        while walk.step() {}
        for observation in &walk.observations {
            for event in observation.events() {
                let mut bytes = Vec::new();
                walk.rules.write_event(event, &mut bytes);
                assert_eq!(*seen.entry(bytes).or_insert(*event), *event);
                n_events += 1;
            }
        }
    }
    assert!(n_events > 30_000 && seen.len() > 1_500, "{n_events} events, {} forms", seen.len());
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..220)) {
        let _ = WarChest::ranked().read_now(&bytes);
    }

    #[test]
    fn arbitrary_bytes_of_the_right_length_never_panic(
        mut bytes in proptest::collection::vec(prop_oneof![4 => 0u8..4, 1 => any::<u8>()], 101),
    ) {
        // A right start, so that decoding gets beyond its first checks.
        bytes[..11].copy_from_slice(&[1, 0, 1, 0, 1, 2, 3, 4, 5, 6, 7]);
        let _ = WarChest::ranked().read_now(&bytes);
    }
}
