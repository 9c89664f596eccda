//! The checks that every game passes.

use crate::walks::ten_thousand_there_and_back;
use boards::Othello;
use boards::othello::Scoring;
use game::conformance::{Uniform, Walk, keys, moves, notation, symmetry};
use game::{Notation, StaticEvaluation, Stream, Symmetric, Turn};

const WALK: Walk = Walk { games: 60, plies_max: 130, seed: 0x07 };

fn boards() -> [Othello; 3] {
    [4, 6, 8].map(|size| Othello::new(size, Scoring::Won).expect("a board"))
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
        assert!(report.positions > 500, "{report:?}");
    }
}

#[test]
fn keys_are_kept() {
    for rules in boards() {
        let text = |rules: &Othello, state: &_| rules.position_text(state);
        let report = keys(&rules, WALK, Uniform, text).expect("kept");
        assert!(report.distinct > 400, "{report:?}");
    }
}

#[test]
fn turned_boards_play_the_same() {
    for rules in boards() {
        symmetry(&rules, WALK, Uniform).expect("the same");
    }
}

#[test]
fn whole_games_are_taken_back() {
    ten_thousand_there_and_back(&Othello::default());
}

#[test]
fn turned_boards_have_the_same_score() {
    use game::Rules;
    let mut stream = Stream::from_seed(11);
    let rules = Othello::default();
    let mut n_scores = 0;
    for _ in 0..50 {
        let mut state = rules.initial(&());
        while let Turn::Seat(_) = rules.turn(&state) {
            for symmetry in 1..4 {
                let turned = rules.turned_state(symmetry, &state);
                assert_eq!(rules.static_score(&turned), rules.static_score(&state));
                n_scores += 1;
            }
            let legal = rules.legal(&state);
            rules.apply(&mut state, legal[stream.below(legal.len() as u32) as usize]);
        }
    }
    assert!(n_scores > 5_000);
}
