//! The rules one by one, in the order of the World Xiangqi Federation's rules of play.

use boards::Xiangqi;
use boards::xiangqi::{State, is_in_check};
use game::{Ending, Notation, Rules, Seat, Turn, Utility};

const RULES: Xiangqi =
    Xiangqi { plies_without_capture_max: Some(120), is_drawn_without_attackers: true };

fn position(text: &str) -> State {
    RULES.parse_position(text).expect(text)
}

/// Where the piece on `square` may go, sorted.
fn goals(text: &str, square: &str) -> Vec<String> {
    let mut texts: Vec<String> = RULES
        .legal(&position(text))
        .into_iter()
        .filter(|action| action.from.to_string() == square)
        .map(|action| action.to.to_string())
        .collect();
    texts.sort();
    texts
}

fn after(text: &str, actions: &[&str]) -> State {
    let mut state = position(text);
    for action in actions {
        let parsed = RULES.parse_action(action).expect(action);
        RULES.play(&mut state, parsed).expect(action);
    }
    state
}

fn refusal(text: &str) -> String {
    RULES.parse_position(text).expect_err(text).to_string()
}

fn won_by(seat: Seat) -> Option<Ending> {
    Some(Ending::Scored(Utility::won_by(seat)))
}

fn drawn() -> Option<Ending> {
    Some(Ending::Scored(Utility::new(&[0.0, 0.0])))
}

/// 1: Red begins, with 16 pieces a side.
#[test]
fn rule_01_red_begins() {
    let state = RULES.initial(&());
    assert_eq!(RULES.turn(&state), Turn::Seat(Seat::FIRST));
    assert_eq!((state.of_seat(Seat::FIRST).len(), state.of_seat(Seat::SECOND).len()), (16, 16));
    assert_eq!(RULES.legal(&state).len(), 44);
}

/// 2: the king goes one point along a line inside its palace.
#[test]
fn rule_02_the_king_stays_in_its_palace() {
    assert_eq!(goals("3k5/9/9/9/9/9/9/5K3/9/R8 w", "f2"), ["e2", "f1"]);
    assert_eq!(goals("5k3/9/9/9/9/9/9/9/4K4/R8 w", "e1"), ["d1", "e0", "e2"]);
}

/// 3: the kings never face each other on an open file.
#[test]
fn rule_03_kings_do_not_face_each_other() {
    assert_eq!(goals("3k5/9/9/9/9/9/9/9/4K4/R8 w", "e1"), ["e0", "e2", "f1"]);
    assert_eq!(goals("4k4/9/9/9/9/9/9/4C4/9/4K4 w", "e2").len(), 7);
    assert!(goals("4k4/9/9/9/9/9/9/4N4/9/4K4 w", "e2").is_empty());
}

/// 4: an advisor goes one point diagonally inside its palace.
#[test]
fn rule_04_advisors_stay_in_the_palace() {
    assert_eq!(goals("3k5/9/9/9/9/9/9/9/4A4/R3K4 w", "e1"), ["d0", "d2", "f0", "f2"]);
    assert_eq!(goals("3k5/9/9/9/9/9/9/5A3/9/R3K4 w", "f2"), ["e1"]);
}

/// 5: a bishop goes two points diagonally over a free eye and not across the river.
#[test]
fn rule_05_bishops_need_a_free_eye_and_stay_at_home() {
    assert_eq!(goals("3k5/9/9/9/9/2B6/9/9/9/R3K4 w", "c4"), ["a2", "e2"]);
    assert_eq!(goals("3k5/9/9/9/9/2B6/3p5/9/9/R3K4 w", "c4"), ["a2"]);
}

/// 6: a knight goes one point along a line and one further diagonally, and the first point must be free.
#[test]
fn rule_06_knights_need_a_free_leg() {
    let open = ["c3", "c5", "d2", "d6", "f2", "f6", "g3", "g5"];
    assert_eq!(goals("3k5/9/9/9/9/4N4/9/9/9/5K3 w", "e4"), open);
    let blocked_above_and_left = ["d2", "f2", "g3", "g5"];
    assert_eq!(goals("3k5/9/9/9/4p4/3pN4/9/9/9/5K3 w", "e4"), blocked_above_and_left);
}

/// 7: a rook goes along lines up to the first piece.
#[test]
fn rule_07_rooks_stop_at_the_first_piece() {
    let goals = goals("3k5/9/9/9/4p4/2P1R4/9/9/9/5K3 w", "e4");
    assert!(goals.contains(&"e5".to_owned()) && !goals.contains(&"e6".to_owned()));
    assert!(goals.contains(&"d4".to_owned()) && !goals.contains(&"c4".to_owned()));
    assert_eq!(goals.len(), 1 + 1 + 4 + 4);
}

/// 8: a cannon moves as a rook does and takes over exactly one piece of either side.
#[test]
fn rule_08_cannons_take_over_one_screen() {
    let over_one = goals("3k5/9/4n4/4r4/4p4/4C4/9/9/9/5K3 w", "e4");
    assert!(over_one.contains(&"e6".to_owned()), "{over_one:?}");
    assert!(!over_one.contains(&"e5".to_owned()) && !over_one.contains(&"e7".to_owned()));
    let over_own = goals("3k5/9/9/4r4/4P4/4C4/9/9/9/5K3 w", "e4");
    assert!(over_own.contains(&"e6".to_owned()));
    let nothing_behind = goals("3k5/9/9/9/4p4/4C4/9/9/9/5K3 w", "e4");
    assert!(nothing_behind.iter().all(|goal| goal != "e6" && goal != "e5"));
}

/// 9: a pawn goes forward, beyond the river sideways too, and never back.
#[test]
fn rule_09_pawns_go_sideways_beyond_the_river() {
    assert_eq!(goals("3k5/9/9/9/9/4P4/9/9/9/5K3 w", "e4"), ["e5"]);
    assert_eq!(goals("3k5/9/9/9/4P4/9/9/9/9/5K3 w", "e5"), ["d5", "e6", "f5"]);
    assert_eq!(goals("P8/3k5/9/9/9/9/9/9/9/5K3 w", "a9"), ["b9"]);
    assert_eq!(goals("3k5/9/9/9/9/9/4p4/9/9/5K3 b", "e3"), ["d3", "e2", "f3"]);
}

/// 10: check must be answered, and no move may leave the king attacked.
#[test]
fn rule_10_check_must_be_answered() {
    let text = "3k5/9/9/9/4r4/9/9/9/R8/4K4 w";
    assert!(is_in_check(&position(text), Seat::FIRST));
    let mut moves: Vec<String> =
        RULES.legal(&position(text)).into_iter().map(|action| action.to_string()).collect();
    moves.sort();
    assert_eq!(moves, ["a1e1", "e0f0"]);
}

/// 11: a piece may not become the screen of a cannon, nor leave a knight's leg, against its own king.
#[test]
fn rule_11_screens_and_legs_are_pins() {
    assert!(!goals("3k5/9/9/9/4c4/9/9/9/R8/4K4 w", "a1").contains(&"e1".to_owned()));
    assert!(goals("3k5/9/9/9/4c4/9/9/9/R8/4K4 w", "a1").contains(&"f1".to_owned()));
    // The rook on f1 blocks the leg of the knight on g1, which would attack e0.
    assert!(!goals("3k5/9/9/9/9/9/9/9/5Rn2/4K4 w", "f1").contains(&"f5".to_owned()));
    assert!(goals("3k5/9/9/9/9/9/9/9/5Rn2/4K4 w", "f1").contains(&"g1".to_owned()));
}

/// 12: a king that is attacked and cannot be saved has lost.
#[test]
fn rule_12_checkmate_wins() {
    let state = after("3k5/9/R8/1R7/9/9/9/9/9/5K3 w", &["b6b9"]);
    assert!(is_in_check(&state, Seat::SECOND));
    assert_eq!(RULES.turn(&state), Turn::Seat(Seat::SECOND));
    let state = after("3k5/R8/9/1R7/9/9/9/9/9/5K3 w", &["b6b9"]);
    assert_eq!(RULES.ending(&state), won_by(Seat::FIRST));
}

/// 13: a side without a legal move has lost even where it is not in check.
#[test]
fn rule_13_stalemate_loses() {
    let state = after("3k5/9/9/9/9/9/9/9/8R/4K4 w", &["i1i8"]);
    assert_eq!(RULES.ending(&state), won_by(Seat::FIRST));
    assert!(!is_in_check(&state, Seat::SECOND));
}

/// 14: neither side can win without a knight, rook, cannon or pawn.
#[test]
fn rule_14_lack_of_attackers_draws() {
    assert_eq!(RULES.ending(&position("3k1a3/9/9/9/9/9/9/4B4/9/4KA3 w")), drawn());
    assert_eq!(RULES.ending(&position("3k1a3/9/9/9/9/9/P8/4B4/9/4KA3 w")), None);
    assert_eq!(Xiangqi::WITHOUT_DRAWS.ending(&position("3k5/9/9/9/9/9/9/9/9/4K4 w")), None);
}

/// 15: 60 rounds without a capture draw; a mate on the last ply wins.
#[test]
fn rule_15_sixty_rounds_draw() {
    let text = "3k5/9/9/9/9/9/9/9/R8/4K4 w - - 119 80";
    assert_eq!(RULES.ending(&position(text)), None);
    assert_eq!(RULES.ending(&after(text, &["a1b1"])), drawn());
    let mate = after("3k5/R8/9/1R7/9/9/9/9/9/5K3 w - - 119 80", &["b6b9"]);
    assert_eq!(RULES.ending(&mate), won_by(Seat::FIRST));
    let taken = after("3k5/9/9/9/9/9/9/9/Rp7/4K4 w - - 119 80", &["a1b1"]);
    assert_eq!((RULES.ending(&taken), taken.plies_without_capture()), (None, 0));
}

/// 16: an unreadable or illegal position names the point or the field.
#[test]
fn rule_16_errors_say_where() {
    assert!(refusal("9/9/9/9/9/9/9/9/9/4K4 w").contains("black has no king"));
    assert!(refusal("3k5/9/9/9/4x4/9/9/9/9/4K4 w").contains("'x' on e5"));
    assert!(refusal("3k5/9/9/9/9/9/9/9/9/4K3 w").contains("rank 0 has 8 points"));
    assert!(refusal("3k5/9/9/9/9/9/9/9/4K4 w").contains("9 ranks instead of 10"));
    assert!(refusal("3k5/9/9/9/9/9/9/9/9/K8 w").contains("red king cannot stand on a0"));
    assert!(refusal("3k5/9/9/9/9/9/9/9/3A5/4K4 w").contains("red advisor cannot stand on d1"));
    assert!(refusal("3k5/9/9/9/9/9/9/9/P8/4K4 w").contains("red pawn cannot stand on a1"));
    assert!(refusal("3k5/9/9/9/9/RRR6/9/9/9/4K4 w").contains("3 pieces of kind rook"));
    assert!(refusal("4k4/9/9/9/9/9/9/9/9/4K4 w").contains("black king on e9 is attacked"));
    assert!(refusal("3k5/9/9/9/9/9/9/9/9/4K4 x").contains("w or b, not \"x\""));
    assert!(refusal("3k5/9/9/9/9/9/9/9/9/4K4 w - - 121 1").contains("121 plies"));
    assert!(RULES.parse_action("z2a3").expect_err("no point").to_string().contains("a–i and 0–9"));
}
