//! The rules one by one. Numbers in brackets are articles of the FIDE Laws of Chess (2023).

use boards::Chess;
use boards::chess::{Draws, State, is_in_check};
use game::{Ending, Notation, Rules, Seat, Turn, Utility};

const RULES: Chess =
    Chess { draws: Some(Draws { plies_without_progress_max: 100, is_lack_of_material: true }) };

fn position(text: &str) -> State {
    RULES.parse_position(text).expect(text)
}

fn moves_from(text: &str, square: &str) -> Vec<String> {
    let state = position(text);
    let mut texts: Vec<String> = RULES
        .legal(&state)
        .into_iter()
        .map(|action| RULES.action_text(action))
        .filter(|action| action.starts_with(square))
        .collect();
    texts.sort();
    texts
}

fn may(text: &str, action: &str) -> bool {
    RULES.is_possible(&position(text), RULES.parse_action(action).expect(action))
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

fn is_draw(state: &State) -> bool {
    RULES.ending(state) == Some(Ending::Scored(Utility::new(&[0.0, 0.0])))
}

/// 1 (3.1): a bishop, rook or queen does not pass over pieces, and takes the first one that is not its own.
#[test]
fn rule_01_sliding_pieces_stop_at_the_first_piece() {
    let moves = moves_from("4k3/8/8/3p4/8/3R1P2/8/4K3 w - - 0 1", "d3");
    assert!(moves.contains(&"d3d5".to_owned()) && moves.contains(&"d3e3".to_owned()));
    assert!(!moves.contains(&"d3d6".to_owned()) && !moves.contains(&"d3f3".to_owned()));
    assert_eq!(moves.len(), 2 + 2 + 3 + 1);
}

/// 2 (3.6): a knight jumps.
#[test]
fn rule_02_knights_jump() {
    assert_eq!(
        moves_from("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", "g1"),
        ["g1f3", "g1h3"]
    );
}

/// 3 (3.7.1, 3.7.2): a pawn goes one square, from its first place two, and over nobody.
#[test]
fn rule_03_pawns_go_one_or_from_their_place_two() {
    assert_eq!(moves_from("4k3/8/8/8/8/4n3/P3P3/4K3 w - - 0 1", "a2"), ["a2a3", "a2a4"]);
    assert!(moves_from("4k3/8/8/8/8/4n3/P3P3/4K3 w - - 0 1", "e2").is_empty());
    assert_eq!(moves_from("4k3/8/8/8/8/P7/8/4K3 w - - 0 1", "a3"), ["a3a4"]);
}

/// 4 (3.7.3): a pawn takes diagonally and only so.
#[test]
fn rule_04_pawns_take_diagonally() {
    assert_eq!(moves_from("4k3/8/8/8/1p1n4/2P5/8/4K3 w - - 0 1", "c3"), ["c3b4", "c3c4", "c3d4"]);
}

/// 5 (3.7.3.1): en passant on the next ply only.
#[test]
fn rule_05_en_passant_is_for_one_ply() {
    let text = "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1";
    let state = after(text, &["d7d5", "e5d6"]);
    assert_eq!(state.board().occupied().len(), 3);
    let state = after(text, &["d7d5", "e1e2", "e8e7"]);
    assert!(!RULES.is_possible(&state, RULES.parse_action("e5d6").expect("a move")));
}

/// 6 (3.7.3.1, 3.9.2): en passant that opens a line to the own king is illegal.
#[test]
fn rule_06_en_passant_may_not_open_the_rank() {
    assert!(!may("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1", "e5d6"));
    assert!(may("8/8/8/3pP2r/K7/8/8/4k3 w - d6 0 1", "e5d6"));
}

/// 7 (3.7.3.3): a pawn on the last rank becomes a queen, rook, bishop or knight, and nothing else.
#[test]
fn rule_07_promotion_has_four_choices() {
    let moves = moves_from("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7");
    assert_eq!(moves, ["a7a8b", "a7a8n", "a7a8q", "a7a8r"]);
    assert!(!may("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8"));
}

/// 8 (3.8.2): castling moves king and rook, and is written as the king's move.
#[test]
fn rule_08_castling_moves_king_and_rook() {
    let state = after("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", &["e1g1"]);
    assert!(RULES.position_text(&state).starts_with("4k3/8/8/8/8/8/8/R4RK1 b"));
    let state = after("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", &["e1c1"]);
    assert!(RULES.position_text(&state).starts_with("4k3/8/8/8/8/8/8/2KR3R b"));
}

/// 9 (3.8.2.1): no castling once king or rook has moved or the rook was taken.
#[test]
fn rule_09_castling_rights_end() {
    assert!(!may("4k3/8/8/8/8/8/8/R3K2R w K - 0 1", "e1c1"));
    let state = after("r3k3/8/8/8/8/8/8/R3K2R w KQq - 0 1", &["a1a8", "e8e7", "a8a1", "e7e8"]);
    assert!(!RULES.is_possible(&state, RULES.parse_action("e1c1").expect("a move")));
    assert!(RULES.is_possible(&state, RULES.parse_action("e1g1").expect("a move")));
}

/// 10 (3.8.2.2): no castling out of, through or into check, or over a piece; the rook may be attacked.
#[test]
fn rule_10_castling_not_through_check() {
    assert!(!may("4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1", "e1g1"));
    assert!(!may("4k3/8/8/8/5r2/8/8/R3K2R w KQ - 0 1", "e1g1"));
    assert!(!may("4k3/8/8/8/6r1/8/8/R3K2R w KQ - 0 1", "e1g1"));
    assert!(!may("4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1", "e1c1"));
    assert!(may("4k3/8/8/8/7r/8/8/R3K2R w KQ - 0 1", "e1g1"));
    assert!(may("1r2k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1"));
}

/// 11 (3.9): a king in check must get out of it, and no move may put it there.
#[test]
fn rule_11_check_must_be_answered() {
    let text = "4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1";
    assert!(is_in_check(&position(text)));
    let moves: Vec<String> =
        RULES.legal(&position(text)).into_iter().map(|action| RULES.action_text(action)).collect();
    assert_eq!(moves.len(), 3, "{moves:?}");
    assert!(!may("4k3/4r3/8/8/8/8/4B3/4K3 w - - 0 1", "e2d3"));
}

/// 12 (5.1.1): checkmate wins.
#[test]
fn rule_12_checkmate_wins() {
    let text = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";
    let state = after(text, &["d8h4"]);
    assert_eq!(RULES.turn(&state), Turn::Over);
    assert_eq!(RULES.ending(&state), Some(Ending::Scored(Utility::won_by(Seat::SECOND))));
}

/// 13 (5.2.1): stalemate is a draw.
#[test]
fn rule_13_stalemate_draws() {
    assert!(is_draw(&position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")));
}

/// 14 (5.2.2): a position that nobody can win is a draw; one pawn, two knights or bishops of both colours can.
#[test]
fn rule_14_lack_of_material_draws() {
    // The bishops of the third stand on squares of one colour, those of the last do not.
    for text in ["4k3/8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/4KN2", "4k1b1/8/8/8/8/8/8/4KB2"] {
        assert!(is_draw(&position(&format!("{text} w - - 0 1"))), "{text}");
    }
    for text in ["4k3/8/8/8/8/8/4P3/4K3", "4k3/8/8/8/8/8/8/3NKN2", "4kb2/8/8/8/8/8/8/4KB2"] {
        assert!(!is_draw(&position(&format!("{text} w - - 0 1"))), "{text}");
    }
}

/// 15 (9.3): fifty moves of each side without a capture or a pawn's move draw; mate on the last one wins.
#[test]
fn rule_15_fifty_moves_draw() {
    let state = after("4k3/8/8/8/8/8/4P3/R3K3 w - - 99 80", &["a1a2"]);
    assert!(is_draw(&state));
    assert!(!is_draw(&after("4k3/8/8/8/8/8/4P3/R3K3 w - - 99 80", &["e2e3"])));
    let state = after("4k3/R7/4K3/8/8/8/8/7R w - - 99 80", &["h1h8"]);
    assert_eq!(RULES.ending(&state), Some(Ending::Scored(Utility::won_by(Seat::FIRST))));
}

/// 16 (9.2.3): positions are the same where pieces, side, castling and playable en passant are.
#[test]
fn rule_16_the_key_knows_what_a_repetition_compares() {
    let start = position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let back = after(
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        &["g1f3", "g8f6", "f3g1", "f6g8"],
    );
    assert_eq!(start.key(), back.key());
    let idle = position("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1");
    assert_eq!(idle.key(), position("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1").key());
    let playable = position("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1");
    assert_ne!(playable.key(), position("4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1").key());
    let with_rights = position("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    assert_ne!(with_rights.key(), position("4k3/8/8/8/8/8/8/4K2R w - - 0 1").key());
}

/// 17: an unreadable or illegal position names the square or the field.
#[test]
fn rule_17_errors_say_where() {
    assert!(refusal("8/8/8/8/8/8/8/8 w - - 0 1").contains("white has 0 kings"));
    assert!(refusal("4k3/8/8/3x4/8/8/8/4K3 w - - 0 1").contains("'x' on d5"));
    assert!(refusal("4k2P/8/8/8/8/8/8/4K3 w - - 0 1").contains("pawn cannot stand on h8"));
    assert!(refusal("4k3/9/8/8/8/8/8/4K3 w - - 0 1").contains("rank 7 has 9 squares"));
    assert!(refusal("4k3/8/8/8/8/8/8/4K3 w KQ - 0 1").contains("castling rights \"KQ\""));
    assert!(refusal("4k3/8/8/8/8/8/8/4K3 x - - 0 1").contains("w or b, not \"x\""));
    assert!(refusal("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1").contains("is attacked"));
}
