//! The checks that every game passes.

use boards::InARow;
use boards::in_a_row::{Overline, StoneOrder};
use game::conformance::{Uniform, Walk, keys, moves, notation, symmetry};
use game::{Notation, Rules};

const WALK: Walk = Walk { games: 20, plies_max: 400, seed: 0x69_6e61 };

/// Members of every kind on boards small enough for random play to end in every way.
fn members() -> Vec<InARow> {
    let small = |columns, rows, in_a_row, overline| {
        InARow::new(columns, rows, in_a_row, overline).expect("playable")
    };
    let pairs = small(5, 4, 4, Overline::Wins).with_stones(2, 1).expect("playable");
    vec![
        InARow::TIC_TAC_TOE,
        small(6, 5, 4, Overline::Wins),
        small(7, 4, 3, Overline::Ignored),
        pairs,
        pairs.with_stone_order(StoneOrder::Ascending),
        small(4, 4, 4, Overline::Wins).with_stones(3, 2).expect("playable"),
    ]
}

#[test]
fn moves_are_sound() {
    let (mut scored, mut again) = (0, 0);
    for rules in members() {
        let report = moves(&rules, WALK, Uniform).expect("sound");
        assert_eq!(report.truncated, 0);
        scored += report.scored;
        again += report.same_seat_again;
    }
    assert_eq!(scored, 120);
    assert!(again > 300, "{again}");
}

#[test]
fn moves_are_sound_on_the_large_boards() {
    for rules in [InARow::GOMOKU_STANDARD, InARow::CONNECT6] {
        moves(&rules, Walk { games: 1, ..WALK }, Uniform).expect("sound");
    }
}

#[test]
fn texts_read_back() {
    for rules in members() {
        let report = notation(&rules, WALK, Uniform).expect("reads back");
        assert!(report.positions > 100, "{report:?}");
    }
}

#[test]
fn keys_are_kept() {
    for rules in members() {
        let text = |rules: &InARow, state: &_| rules.position_text(state);
        let report = keys(&rules, WALK, Uniform, text).expect("kept");
        assert!(report.recomputed > 500, "{report:?}");
    }
}

#[test]
fn turned_boards_play_the_same() {
    for rules in members() {
        let report = symmetry(&rules, WALK, Uniform).expect("the same");
        assert!(report.turned > 500, "{report:?}");
    }
}

/// 10,000 games there and back: the beginning is as it was, key and all.
#[test]
fn whole_games_are_taken_back() {
    let rules = InARow::CONNECT6;
    let mut stream = game::Stream::from_seed(10_000);
    for _ in 0..200 {
        crate::walks::there_and_back(&rules, &mut stream);
    }
    for _ in 0..9_800 {
        crate::walks::there_and_back(&InARow::TIC_TAC_TOE, &mut stream);
    }
    assert_eq!(rules.initial(&()).n_stones(), 0);
}
