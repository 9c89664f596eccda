//! A search with enough simulations finds the winning action, with an evaluator that knows nothing.

use crate::duel::{Act, Coin, Duel, Now, Table, UniformCoin};
use crate::nim::{Everything, Nim, observe};
use game::evaluate::UniformEvaluator;
use game::{Observation, Seat};
use search::{Pimc, SearchParams, SearchStreams, drive};

fn params(simulations: u32, worlds: u32) -> SearchParams {
    SearchParams { simulations, worlds, ..SearchParams::BASE }
}

#[test]
fn the_winning_take_is_found_in_nim() {
    for seat in Seat::BOTH {
        for stones in [5u8, 6, 7, 9, 10, 11] {
            let mut search = Pimc::new(Nim, Everything, params(2000, 1));
            let seen = observe(stones, seat);
            let streams = SearchStreams::from_seed(1);
            let decision = drive(&mut search, &seen, streams, &mut UniformEvaluator).unwrap();
            assert_eq!(decision.chosen(), stones % 4, "{stones} stones, {decision:?}");
            assert!(decision.root_value > 0.5, "{stones} stones, {decision:?}");
        }
    }
}

#[test]
fn a_lost_heap_is_known_to_be_lost() {
    let mut search = Pimc::new(Nim, Everything, params(2000, 1));
    let streams = SearchStreams::from_seed(1);
    let decision = drive(&mut search, &observe(8, Seat::FIRST), streams, &mut UniformEvaluator);
    assert!(decision.unwrap().root_value < -0.4);
}

/// What a seat sees in the last turn of a duel.
fn last_turn(own: i8, other: i8, coin: Coin, seat: Seat, turns_left: u8) -> Observation<Duel> {
    let mut points = [other; 2];
    points[seat.idx()] = own;
    let table = Table {
        n_drawn: 2,
        points,
        active: seat,
        turns_left,
        pushes_left: 2,
        may_strike: false,
        is_struck: false,
        is_rolling: false,
        is_flashed: [true, true],
    };
    Observation::begin(seat, Now { table, seat, coin: Some(coin) })
}

/// One point behind in the last turn: two pushes in a row win, one draws, none loses. The seat acts several times
/// running, so a search that changed signs by counting plies would take the wrong action.
#[test]
fn consecutive_decisions_of_one_seat_add_up() {
    for seat in Seat::BOTH {
        let rules = Duel { n_turns: 4 };
        let mut search = Pimc::new(rules, UniformCoin, params(600, 3));
        let seen = last_turn(4, 5, Coin::Gold, seat, 1);
        let streams = SearchStreams::from_seed(2);
        let decision = drive(&mut search, &seen, streams, &mut UniformEvaluator).unwrap();
        assert_eq!(decision.chosen(), Act::Push, "{decision:?}");
        assert!(decision.root_value > 0.5, "{decision:?}");
    }
}

/// The struck seat decides inside the turn of the other. It leads by one in the last turn: yielding loses for
/// certain, blocking never does.
#[test]
fn a_decision_inside_the_other_seats_turn_is_its_own() {
    for seat in Seat::BOTH {
        let mut seen = last_turn(5, 4, Coin::Gold, seat, 1);
        let mut now = seen.now().clone();
        now.table.active = seat.other();
        now.table.is_struck = true;
        now.table.pushes_left = 0;
        seen = Observation::begin(seat, now);
        let mut search = Pimc::new(Duel { n_turns: 4 }, UniformCoin, params(300, 3));
        let streams = SearchStreams::from_seed(3);
        let decision = drive(&mut search, &seen, streams, &mut UniformEvaluator).unwrap();
        assert_eq!(decision.chosen(), Act::Block, "{decision:?}");
        assert!(decision.root_value > 0.9, "{decision:?}");
    }
}

/// The struck seat is one point behind in the last turn: yielding loses, a block wins two times in three. Its Q is
/// 2/3 − 1/3, which only weights of 2 and 1 give.
#[test]
fn chance_is_averaged_with_its_weights() {
    let seat = Seat::SECOND;
    let mut now = last_turn(4, 5, Coin::Gold, seat, 1).now().clone();
    now.table.active = seat.other();
    now.table.is_struck = true;
    now.table.pushes_left = 0;
    let seen = Observation::begin(seat, now);
    let mut search = Pimc::new(Duel { n_turns: 4 }, UniformCoin, params(3000, 3));
    let streams = SearchStreams::from_seed(4);
    let decision = drive(&mut search, &seen, streams, &mut UniformEvaluator).unwrap();
    assert_eq!(decision.actions, [Act::Block, Act::Yield]);
    for world in &decision.worlds {
        // About 950 visits of ±1: sigma 0.031. Five sigma, plus the leaf values of 0 before each branch ended.
        assert!((world.q[0] - 1.0 / 3.0).abs() < 0.17, "{world:?}");
        assert!(world.q[1] < -0.9 || world.n[1] < 5, "{world:?}");
    }
}
