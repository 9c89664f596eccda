//! The rules, one a test.

use boards::ConnectFour;
use boards::connect_four::State;
use game::{Ending, Notation, Rules, Seat, Utility};

fn played(columns: &str) -> State {
    let rules = ConnectFour::default();
    let mut state = rules.initial(&());
    for column in columns.chars() {
        let column = rules.parse_action(&column.to_string()).expect("a column");
        rules.play(&mut state, column).expect("legal");
    }
    state
}

/// 1. Discs fall to the lowest free place.
#[test]
fn discs_fall() {
    let state = played("ddda");
    assert_eq!(ConnectFour::default().position_text(&state), "7/7/7/3x3/3o3/o2x3 x");
}

/// 2. A full column takes no disc.
#[test]
fn a_full_column_is_refused() {
    let mut state = played("aaaaaa");
    let rules = ConnectFour::default();
    assert_eq!(rules.legal(&state).len(), 6);
    assert!(rules.play(&mut state, rules.parse_action("a").expect("a column")).is_err());
}

/// 3. Four in a row win, in each of four directions, and not three.
#[test]
fn fours_win_in_four_directions() {
    let rules = ConnectFour::default();
    for columns in ["aabbccd", "abababa", "abbcdccdadd", "gffedeedgdd"] {
        let won = Some(Ending::Scored(Utility::won_by(Seat::FIRST)));
        assert_eq!(rules.ending(&played(columns)), won, "{columns}");
        assert_eq!(rules.ending(&played(&columns[..columns.len() - 1])), None, "{columns}");
    }
}

/// 4. A full board without four is a draw.
#[test]
fn a_full_board_is_a_draw() {
    let rules = ConnectFour::default();
    let full =
        rules.parse_position("ooxxoox/xxooxxo/ooxxoox/xxooxxo/ooxxoox/xxooxxo x").expect("reads");
    assert_eq!(rules.ending(&full), Some(Ending::Scored(Utility::new(&[0.0, 0.0]))));
}

/// 5. What does not read says where and why.
#[test]
fn errors_name_the_place_and_the_reason() {
    let rules = ConnectFour::default();
    for (text, reason) in [
        ("7/7/7/7/3x3/7 o", "nothing is under the disc on d2"),
        ("7/7/7/7/7/3z3 o", "'z' on d1 is no disc (x or o)"),
        ("7/7/7/7/7/3x3 x", "1 and 0 discs with seat seat 0"),
        ("7/7/7/7/7/8 x", "row 1 has more than 7 cells"),
    ] {
        assert_eq!(rules.parse_position(text).unwrap_err().reason, reason, "{text}");
    }
    assert!(rules.parse_action("h").is_err());
    assert!(ConnectFour::new(9, 7).is_err());
}
