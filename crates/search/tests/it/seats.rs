//! A position and its seat-swapped twin have bit-equal values for the seat to act, at every kind of decision:
//! values are turned by comparing seats and nothing else.

use crate::duel::{Duel, Now, UniformCoin};
use crate::evaluators::Hashed;
use crate::players::at_decisions;
use game::{Observation, Seat};
use search::{Pimc, SearchParams, SearchStreams, drive};

const RULES: Duel = Duel { n_turns: 5 };

/// The same knowledge with the seats exchanged.
fn swapped(now: &Now) -> Now {
    let mut now = now.clone();
    now.seat = now.seat.other();
    now.table.active = now.table.active.other();
    now.table.points.reverse();
    now.table.is_flashed.reverse();
    now
}

#[test]
fn a_seat_swapped_position_has_bit_equal_values() {
    let params = SearchParams {
        simulations: 120,
        worlds: 3,
        noise_share: 0.25,
        temperature: 1.0,
        temperature_plies: 1000,
        ..SearchParams::BASE
    };
    let decide = |now: Now, seed| {
        let mut search = Pimc::new(RULES, UniformCoin, params);
        let seen = Observation::begin(now.seat, now);
        drive(&mut search, &seen, SearchStreams::from_seed(seed), &mut Hashed).unwrap()
    };
    // Decisions by kind: in the own turn, right after an own action, as an answer.
    let mut n_of_kind = [0; 3];
    for seed in 0..20 {
        let mut last: Option<Seat> = None;
        at_decisions(&RULES, seed, |seen| {
            let kind = match (seen.now().table.is_struck, last == Some(seen.seat())) {
                (true, _) => 2,
                (false, true) => 1,
                (false, false) => 0,
            };
            n_of_kind[kind] += 1;
            last = Some(seen.seat());
            let one = decide(seen.now().clone(), seed);
            let two = decide(swapped(seen.now()), seed);
            assert_eq!(one, two);
            assert_eq!(one.root_value.to_bits(), two.root_value.to_bits());
        });
    }
    assert!(n_of_kind.iter().all(|&n| n > 10), "{n_of_kind:?}");
}
