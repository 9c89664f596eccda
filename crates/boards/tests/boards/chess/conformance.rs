//! The checks that every game passes.

use boards::Chess;
use game::conformance::{Uniform, Walk, moves, notation};

const WALK: Walk = Walk { games: 60, plies_max: 400, seed: 0x4368 };

#[test]
fn moves_are_sound() {
    let report = moves(&Chess::default(), WALK, Uniform).expect("sound");
    println!("{report:?}");
    assert!(report.undone > 100_000 && report.refused > 1_000, "{report:?}");
    assert!(report.scored >= 5 && report.truncated == 0, "{report:?}");
    assert_eq!((report.chance_nodes, report.same_seat_again), (0, 0), "{report:?}");
}

#[test]
fn texts_read_back() {
    let report = notation(&Chess::default(), WALK, Uniform).expect("reads back");
    assert!(report.positions > 5_000, "{report:?}");
}
