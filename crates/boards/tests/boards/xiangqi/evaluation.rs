//! The static score: symmetric, whole, and term by term.

use boards::Xiangqi;
use boards::xiangqi::{State, Weights, material, position_terms};
use game::{Notation, Rules, Seat, StaticEvaluation, Stream};

const RULES: Xiangqi = Xiangqi::WITHOUT_DRAWS;
const WEIGHTS: &Weights = &Weights::STANDARD;

fn position(text: &str) -> State {
    RULES.parse_position(text).expect(text)
}

fn red_material(text: &str) -> i32 {
    material(WEIGHTS, &position(text), Seat::FIRST)
}

fn red_terms(text: &str) -> i32 {
    position_terms(WEIGHTS, &position(text), Seat::FIRST)
}

/// Random games, with every position given to `check`.
fn walk(mut check: impl FnMut(&State)) {
    let mut stream = Stream::from_seed(0x6576);
    for _ in 0..20 {
        let mut state = RULES.initial(&());
        for _ in 0..150 {
            check(&state);
            let legal = RULES.legal(&state);
            if legal.is_empty() {
                break;
            }
            RULES.apply(&mut state, legal[stream.below(legal.len() as u32) as usize]);
        }
    }
}

#[test]
fn both_sides_and_both_hands_score_alike() {
    let mut n_uneven = 0;
    walk(|state| {
        let score = RULES.static_score(state);
        assert_eq!(RULES.static_score(&state.mirrored()), score, "{state:?}");
        assert_eq!(RULES.static_score(&state.from_the_other_side()), score, "{state:?}");
        n_uneven += usize::from(score != 0);
    });
    assert!(n_uneven > 500, "{n_uneven}");
    assert_eq!(RULES.static_score(&RULES.initial(&())), 0);
}

#[test]
fn position_never_outweighs_a_pawn() {
    let mut largest = 0;
    walk(|state| {
        let [red, black] = Seat::BOTH.map(|seat| material(WEIGHTS, state, seat));
        let red_to_move = state.to_move() == Seat::FIRST;
        let score = RULES.static_score(state);
        let position = if red_to_move { score } else { -score } - (red - black);
        largest = largest.max(position.abs());
    });
    assert!(largest > 20 && 2 * largest < WEIGHTS.piece[6], "{largest}");
}

#[test]
fn pieces_have_their_worth() {
    assert_eq!(red_material("3k5/9/9/9/9/9/9/9/9/R3K4 w"), 900);
    assert_eq!(red_material("3k5/9/9/9/9/9/9/9/9/C3K4 w"), 450);
    assert_eq!(red_material("3k5/9/9/9/9/9/9/9/9/N3K4 w"), 400);
    assert_eq!(red_material("3k5/9/9/9/9/9/9/4B4/9/3AK4 w"), 400);
}

#[test]
fn pawns_rise_beyond_the_river_and_near_the_palace() {
    assert_eq!(red_material("3k5/9/9/9/9/P8/9/9/9/4K4 w"), 100);
    assert_eq!(red_material("3k5/9/9/9/P8/9/9/9/9/4K4 w"), 130);
    assert_eq!(red_material("3k5/9/P8/9/9/9/9/9/9/4K4 w"), 130);
    assert_eq!(red_material("3k5/9/5P3/9/9/9/9/9/9/4K4 w"), 180);
}

#[test]
fn complete_advisors_and_bishops_count() {
    let (one, both) = ("3k5/9/9/9/9/9/9/9/9/4KA3 w", "3k5/9/9/9/9/9/9/9/9/3AKA3 w");
    assert_eq!(red_terms(both) - red_terms(one), WEIGHTS.both_advisors);
    let (one, both) = ("3k5/9/9/9/9/9/9/9/9/2B1K4 w", "3k5/9/9/9/9/9/9/9/9/2B1K1B2 w");
    assert_eq!(red_terms(both) - red_terms(one), WEIGHTS.both_bishops);
}

#[test]
fn a_piece_alone_between_the_kings_counts_less() {
    let beside = red_terms("3k5/9/9/9/9/9/9/4B4/9/4K4 w");
    let between = red_terms("4k4/9/9/9/9/9/9/4B4/9/4K4 w");
    assert_eq!(between - beside, -WEIGHTS.alone_between_kings);
    assert_eq!(red_terms("4k4/4a4/9/9/9/9/9/4B4/9/4K4 w"), beside);
}

#[test]
fn free_pieces_reach_more() {
    // The knight in the corner has one jump, in the middle eight.
    let corner = red_terms("3k5/9/9/9/9/9/9/9/9/N3K4 w");
    let middle = red_terms("3k5/9/9/9/9/4N4/9/9/9/4K4 w");
    assert_eq!(middle - corner, 6 * WEIGHTS.mobility[3]);
}
