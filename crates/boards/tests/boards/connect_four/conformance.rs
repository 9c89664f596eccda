//! The checks that every game passes.

use crate::walks::ten_thousand_there_and_back;
use boards::ConnectFour;
use game::Notation;
use game::conformance::{Uniform, Walk, keys, moves, notation, symmetry};

const WALK: Walk = Walk { games: 60, plies_max: 64, seed: 0xc4 };

fn boards() -> [ConnectFour; 3] {
    let other = |columns, rows| ConnectFour::new(columns, rows).expect("a board");
    [ConnectFour::default(), other(4, 5), other(8, 7)]
}

#[test]
fn moves_are_sound() {
    for rules in boards() {
        let report = moves(&rules, WALK, Uniform).expect("sound");
        assert_eq!((report.scored, report.truncated), (60, 0), "{report:?}");
        assert_eq!(report.same_seat_again, 0);
    }
}

#[test]
fn texts_read_back() {
    for rules in boards() {
        let report = notation(&rules, WALK, Uniform).expect("reads back");
        assert!(report.positions > 600, "{report:?}");
    }
}

#[test]
fn keys_are_kept() {
    for rules in boards() {
        let text = |rules: &ConnectFour, state: &_| rules.position_text(state);
        let report = keys(&rules, WALK, Uniform, text).expect("kept");
        assert!(report.distinct > 500, "{report:?}");
    }
}

#[test]
fn mirrored_boards_play_the_same() {
    for rules in boards() {
        symmetry(&rules, WALK, Uniform).expect("the same");
    }
}

#[test]
fn whole_games_are_taken_back() {
    ten_thousand_there_and_back(&ConnectFour::default());
}
