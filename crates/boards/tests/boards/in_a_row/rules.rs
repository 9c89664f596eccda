//! The rules, one a test.

use boards::InARow;
use boards::in_a_row::{Overline, State};
use game::{Ending, Notation, Rules, Seat, Stream, Turn, Utility};
use std::collections::HashSet;

fn played(rules: &InARow, actions: &str) -> State {
    let mut state = rules.initial(&());
    for action in actions.split_whitespace() {
        let action = rules.parse_action(action).expect(action);
        rules.play(&mut state, action).expect("legal");
    }
    state
}

/// 1. Stones go to free points.
#[test]
fn a_taken_point_is_refused() {
    let rules = InARow::TIC_TAC_TOE;
    let mut state = played(&rules, "b2");
    let error = rules.play(&mut state, rules.parse_action("b2").expect("a point")).unwrap_err();
    assert_eq!(error.reason, "it is not among the legal actions");
}

/// 2. A row of k wins, in each of four directions.
#[test]
fn rows_win_in_four_directions() {
    for actions in ["a1 a2 b1 b2 c1", "a1 b1 a2 b2 a3", "a1 a2 b2 b1 c3", "a3 a2 b2 b1 c1"] {
        let state = played(&InARow::TIC_TAC_TOE, actions);
        let won = Some(Ending::Scored(Utility::won_by(Seat::FIRST)));
        assert_eq!(InARow::TIC_TAC_TOE.ending(&state), won, "{actions}");
    }
}

/// 3. A row does not go on at the other edge.
#[test]
fn rows_do_not_go_round_the_edge() {
    let state = played(&InARow::TIC_TAC_TOE, "b1 a3 c1 b3 a2");
    assert_eq!(InARow::TIC_TAC_TOE.ending(&state), None);
}

/// 4. A full board without a row is a draw.
#[test]
fn a_full_board_is_a_draw() {
    let state = played(&InARow::TIC_TAC_TOE, "a1 b1 c1 b2 a2 a3 b3 c2 c3");
    let drawn = Some(Ending::Scored(Utility::new(&[0.0, 0.0])));
    assert_eq!(InARow::TIC_TAC_TOE.ending(&state), drawn);
}

/// 5. Freestyle: six win. Standard: six do not, five do.
#[test]
fn an_overline_wins_in_freestyle_only() {
    let six = "a1 a15 b1 b14 c1 c13 d1 d12 f1 f10 e1";
    let freestyle = InARow::GOMOKU_FREESTYLE;
    assert_eq!(freestyle.turn(&played(&freestyle, six)), Turn::Over);
    let standard = InARow::GOMOKU_STANDARD;
    assert_eq!(standard.ending(&played(&standard, six)), None);
    let five = "a1 a15 b1 b14 c1 c13 d1 d12 e1";
    assert_eq!(standard.turn(&played(&standard, five)), Turn::Over);
}

/// 6. Connect6: one stone first, then two a turn.
#[test]
fn connect6_gives_two_stones_a_turn() {
    let rules = InARow::CONNECT6;
    let mut seats = Vec::new();
    let mut state = rules.initial(&());
    for action in "j10 a1 b1 c1 d1 e1 f1 g1".split(' ') {
        seats.push(state.to_move().idx());
        rules.play(&mut state, rules.parse_action(action).expect(action)).expect("legal");
    }
    assert_eq!(seats, [0, 1, 1, 0, 0, 1, 1, 0]);
}

/// 7. Six or more win in Connect6, at once, also with the first stone of a turn.
#[test]
fn connect6_is_won_with_the_first_stone_of_a_turn() {
    let rules = InARow::CONNECT6;
    let state = played(&rules, "s19 a1 b1 s17 q19 c1 d1 s15 o19 e1 a9 s13 m19 f1");
    assert_eq!((rules.turn(&state), state.winner()), (Turn::Over, Some(Seat::SECOND)));
    assert_eq!(state.left_in_turn(), 1);
}

/// 8. Rows found on the lines of the last stone are the rows that a scan of the board finds.
#[test]
fn the_last_stone_tells_what_a_scan_tells() {
    let mut stream = Stream::from_seed(8);
    let (mut n_won, mut n_positions) = (0, 0);
    let small = |overline| InARow::new(9, 8, 5, overline).expect("playable");
    for rules in [small(Overline::Wins), small(Overline::Ignored)] {
        for _ in 0..200 {
            let mut state = rules.initial(&());
            while let Turn::Seat(_) = rules.turn(&state) {
                let legal = rules.legal(&state);
                rules.apply(&mut state, legal[stream.below(legal.len() as u32) as usize]);
                rules.validate(&state).expect("the winner is who has a row");
                n_positions += 1;
            }
            n_won += u32::from(state.winner().is_some());
        }
    }
    assert!(n_won > 150 && n_positions > 10_000, "{n_won} of {n_positions}");
}

/// 9. Tic-tac-toe has 5,478 positions, 958 of them finished, and 255,168 games.
#[test]
fn tic_tac_toe_has_its_known_size() {
    fn visit(rules: &InARow, state: &mut State, seen: &mut HashSet<State>, ended: &mut u32) -> u64 {
        let is_new = seen.insert(*state);
        if rules.turn(state) == Turn::Over {
            *ended += u32::from(is_new);
            return 1;
        }
        let mut games = 0;
        for action in rules.legal(state) {
            let undo = rules.apply(state, action);
            games += visit(rules, state, seen, ended);
            rules.undo(state, action, undo);
        }
        games
    }
    let rules = InARow::TIC_TAC_TOE;
    let (mut seen, mut ended) = (HashSet::new(), 0);
    let games = visit(&rules, &mut rules.initial(&()), &mut seen, &mut ended);
    assert_eq!((games, seen.len(), ended), (255_168, 5_478, 958));
}

/// 10. What does not read says where and why.
#[test]
fn errors_name_the_point_and_the_reason() {
    let rules = InARow::TIC_TAC_TOE;
    for (text, reason) in [
        ("3/1z1/3 x", "'z' on b2 is no stone (x or o)"),
        ("3/1x1/3 x", "after 1 stones o is to move"),
        ("3/1o1/3 o", "the second seat has 1 of 1 stones, not 0"),
        ("3/3 x", "the board has 2 rows instead of 3"),
        ("xxx/ooo/3 x", "the winner is not who has a row"),
    ] {
        let error = rules.parse_position(text).unwrap_err();
        assert_eq!(error.reason, reason, "{text}");
    }
    let error = rules.parse_action("d1").unwrap_err();
    assert_eq!(error.reason, "a point is between a1 and c3");
}
