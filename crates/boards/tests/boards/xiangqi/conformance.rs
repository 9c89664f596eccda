//! The checks that every game passes.

use boards::Xiangqi;
use game::Notation;
use game::conformance::{Uniform, Walk, keys, moves, notation, symmetry};

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

#[test]
fn keys_are_kept() {
    let board_and_side = |rules: &Xiangqi, state: &_| {
        let text = rules.position_text(state);
        text.split(" - ").next().expect("a first part").to_owned()
    };
    let report = keys(&Xiangqi::default(), WALK, Uniform, board_and_side).expect("kept");
    assert!(report.distinct > 5_000, "{report:?}");
}

#[test]
fn left_and_right_are_alike() {
    let report = symmetry(&Xiangqi::default(), WALK, Uniform).expect("alike");
    assert!(report.turned > 5_000, "{report:?}");
}
