//! The rules, one a test.

use boards::Othello;
use boards::othello::{Action, Scoring};
use game::{Ending, Notation, Rules, Turn, Utility};

fn after(rules: &Othello, position: &str, action: &str) -> String {
    let mut state = rules.parse_position(position).expect(position);
    let action = rules.parse_action(action).expect(action);
    rules.play(&mut state, action).expect("legal");
    rules.position_text(&state)
}

fn legal(rules: &Othello, position: &str) -> Vec<String> {
    let state = rules.parse_position(position).expect(position);
    rules.legal(&state).into_iter().map(|action| rules.action_text(action)).collect()
}

/// 1. Black begins with four moves.
#[test]
fn black_begins() {
    let rules = Othello::default();
    let start = rules.initial(&());
    assert_eq!(rules.position_text(&start), "8/8/8/3ox3/3xo3/8/8/8 x");
    assert_eq!(legal(&rules, "8/8/8/3ox3/3xo3/8/8/8 x"), ["e3", "f4", "c5", "d6"]);
}

/// 2. Discs in lines that close on an own disc are turned over, in all eight directions.
#[test]
fn lines_are_turned_in_eight_directions() {
    let rules = Othello::default();
    let star = "8/8/8/x1xxx3/1ooox3/xo1ox3/1ooo4/x1x1x3 x";
    let turned = "8/8/8/x1xxx3/1xxxx3/xxxxx3/1xxx4/x1x1x3 o";
    assert_eq!(after(&rules, star, "c3"), turned);
}

/// 3. A line that ends at an empty square or at the edge is not turned.
#[test]
fn open_lines_are_not_turned() {
    let rules = Othello::default();
    let text = after(&rules, "8/8/8/3oxoo1/3xo3/8/8/8 x", "c5");
    assert_eq!(text, "8/8/8/2xxxoo1/3xo3/8/8/8 o");
}

/// 4. A line does not go on at the other edge.
#[test]
fn lines_do_not_go_round_the_edge() {
    let rules = Othello::default();
    assert_eq!(legal(&rules, "8/8/6oo/x2oo3/3oo3/8/8/8 x"), [] as [&str; 0]);
}

/// 5. Who cannot turn a disc over passes; not who can.
#[test]
fn a_pass_is_forced_and_only_then_allowed() {
    let rules = Othello::default();
    assert_eq!(legal(&rules, "8/8/8/3xx3/3xx3/8/8/xo6 o"), ["pass"].map(str::to_owned));
    let mut state = rules.initial(&());
    assert!(rules.play(&mut state, Action::PASS).is_err());
}

/// 6. When neither can move the game is over, squares left or not; discs are counted.
#[test]
fn a_game_ends_when_neither_can_move() {
    let position = "8/8/8/3xx3/3xx3/8/8/8 o";
    for (scoring, score) in [(Scoring::Won, 1.0), (Scoring::Margin, 4.0)] {
        let rules = Othello::new(8, scoring).expect("a board");
        let state = rules.parse_position(position).expect("reads");
        assert_eq!(rules.turn(&state), Turn::Over);
        assert_eq!(rules.ending(&state), Some(Ending::Scored(Utility::new(&[score, -score]))));
    }
}

/// 7. What does not read says where and why.
#[test]
fn errors_name_the_square_and_the_reason() {
    let rules = Othello::default();
    for (text, reason) in [
        ("8/8/8/3o4/3xo3/8/8/8 x", "no disc lies on e5, one of the middle four"),
        ("8/8/8/3oz3/3xo3/8/8/8 x", "'z' on e5 is no disc (x or o)"),
        ("8/8/8/3ox3/3xo3/8/8/8", "the side to move is missing"),
        ("8/8/8/3ox3/3xo3/8/8/8 x 1", "\"1\" follows the last field"),
    ] {
        assert_eq!(rules.parse_position(text).unwrap_err().reason, reason, "{text}");
    }
    assert!(rules.parse_action("i1").is_err());
    assert!(Othello::new(5, Scoring::Won).is_err());
}
