//! The static score: symmetric, whole, and term by term.

use boards::Chess;
use boards::chess::{State, Weights, material, phase, position_terms};
use cozy_chess::{Board, BoardBuilder, Color, Square};
use game::{Notation, Rules, StaticEvaluation, Stream};

const RULES: Chess = Chess::WITHOUT_DRAWS;
const WEIGHTS: &Weights = &Weights::STANDARD;

fn board(text: &str) -> Board {
    RULES.parse_position(text).expect(text).board().clone()
}

fn white_material(text: &str) -> i32 {
    let board = board(text);
    material(WEIGHTS, &board, Color::White, phase(WEIGHTS, &board))
}

fn white_terms(text: &str) -> i32 {
    let board = board(text);
    position_terms(WEIGHTS, &board, Color::White, phase(WEIGHTS, &board))
}

/// Colours exchanged and the board turned round.
fn from_the_other_side(board: &Board) -> State {
    let mut turned = BoardBuilder::empty();
    for square in Square::ALL {
        if let (Some(piece), Some(color)) = (board.piece_on(square), board.color_on(square)) {
            *turned.square_mut(square.flip_rank()) = Some((piece, !color));
        }
    }
    turned.side_to_move = !board.side_to_move();
    State::on(turned.build().expect("the turned board is a board"))
}

#[test]
fn both_sides_score_alike() {
    let mut stream = Stream::from_seed(0x6576);
    let (mut n_uneven, mut largest) = (0, 0);
    for _ in 0..20 {
        let mut state = RULES.initial(&());
        for _ in 0..150 {
            let score = RULES.static_score(&state);
            assert_eq!(RULES.static_score(&from_the_other_side(state.board())), score);
            n_uneven += usize::from(score != 0);
            let (us, phase) = (state.board().side_to_move(), phase(WEIGHTS, state.board()));
            let of = |color| material(WEIGHTS, state.board(), color, phase);
            largest = largest.max((score - of(us) + of(!us)).abs());
            let legal = RULES.legal(&state);
            if legal.is_empty() {
                break;
            }
            RULES.apply(&mut state, legal[stream.below(legal.len() as u32) as usize]);
        }
    }
    assert!(n_uneven > 500, "{n_uneven}");
    assert!(largest > 20 && 2 * largest < WEIGHTS.piece[0], "{largest}");
    assert_eq!(RULES.static_score(&RULES.initial(&())), 0);
}

#[test]
fn pieces_have_their_worth() {
    for (piece, worth) in [("N", 300), ("B", 300), ("R", 500), ("Q", 900)] {
        assert_eq!(white_material(&format!("4k3/8/8/8/8/8/{piece}7/4K3 w - - 0 1")), worth);
    }
    let full = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(white_material(full), 8 * 100 + 2 * 300 + 2 * 300 + 2 * 500 + 900);
}

#[test]
fn pawns_rise_in_the_endgame() {
    assert_eq!(white_material("4k3/8/8/8/8/8/P7/4K3 w - - 0 1"), 120);
    assert_eq!(white_material("4k3/P7/8/8/8/8/8/4K3 w - - 0 1"), 170);
    // Four rooks and two queens are 16 of 24.
    let middle = "r2qk2r/P7/8/8/8/8/8/R2QK2R w - - 0 1";
    assert_eq!(white_material(middle) - 2 * 500 - 900, 100 + 70 * 8 / 24);
}

#[test]
fn two_bishops_count() {
    let (one, two) = ("4k3/8/8/8/8/8/8/B3K3 w - - 0 1", "4k3/8/8/8/8/8/8/B3K2B w - - 0 1");
    let second = white_terms("4k3/8/8/8/8/8/8/4K2B w - - 0 1");
    let king = white_terms("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    // In the corner the first bishop reaches seven squares, and so does the second.
    assert_eq!(white_terms(two) - white_terms(one), second - king + WEIGHTS.both_bishops);
}

#[test]
fn the_king_hides_first_and_comes_out_last() {
    // All pieces but White's own are there, 12 of 24, so half of the term counts.
    let (exposed, sheltered) =
        ("rnbqkbnr/8/8/8/8/8/8/4K3 w - - 0 1", "rnbqkbnr/8/8/8/8/8/8/6K1 w - - 0 1");
    assert_eq!(white_terms(sheltered) - white_terms(exposed), WEIGHTS.king_sheltered / 2);
    let (edge, middle) = ("4k3/8/8/8/8/8/8/K7 w - - 0 1", "4k3/8/8/8/3K4/8/8/8 w - - 0 1");
    assert_eq!(white_terms(middle) - white_terms(edge), 3 * WEIGHTS.king_centre_in_endgame);
}
