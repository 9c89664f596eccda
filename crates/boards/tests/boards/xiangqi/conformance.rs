//! The checks that every game passes.

use boards::Xiangqi;
use game::conformance::{Uniform, Walk, moves, notation};

const WALK: Walk = Walk { games: 60, plies_max: 400, seed: 0x5869 };

#[test]
fn moves_are_sound() {
    let report = moves(&Xiangqi::default(), WALK, Uniform).expect("sound");
    println!("{report:?}");
    assert!(report.undone > 100_000 && report.refused > 1_000, "{report:?}");
    assert!(report.scored >= 5 && report.truncated == 0, "{report:?}");
    assert_eq!((report.chance_nodes, report.same_seat_again), (0, 0), "{report:?}");
}

#[test]
fn texts_read_back() {
    let report = notation(&Xiangqi::default(), WALK, Uniform).expect("reads back");
    assert!(report.positions > 5_000, "{report:?}");
}
