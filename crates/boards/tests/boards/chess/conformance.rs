//! The checks that every game passes.

use boards::Chess;
use game::Notation;
use game::conformance::{Uniform, Walk, keys, moves, notation};

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

#[test]
fn keys_are_kept() {
    // An en passant square is part of the key only where a pawn can take on it; the key's rule has a test of its own.
    let board_side_and_rights = |rules: &Chess, state: &_| {
        let text = rules.position_text(state);
        let fields: Vec<&str> = text.split(' ').collect();
        fields[..3].join(" ")
    };
    let report = keys(&Chess::default(), WALK, Uniform, board_side_and_rights).expect("kept");
    assert!(report.distinct > 5_000, "{report:?}");
}
