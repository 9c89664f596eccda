//! Dots and boxes: the checks that every game passes, the rules one by one, solved values.

use crate::counts::{check, check_without_bulk, section};
use crate::mutant::{Mutant, check_all_seen};
use crate::second::{Verdict, compare, names_in};
use boards::DotsAndBoxes;
use boards::dots_and_boxes::{Line, Scoring, State};
use game::conformance::{Uniform, Walk, moves, notation};
use game::{Ending, Notation, Rules, Seat, Turn, Utility};

const COUNTS: &str = include_str!("../../perft/dots_and_boxes.txt");
const WALK: Walk = Walk { games: 60, plies_max: 100, seed: 0x646f };

fn rules(columns: usize, rows: usize) -> DotsAndBoxes {
    DotsAndBoxes::new(columns, rows).expect("a size").with_scoring(Scoring::Margin)
}

fn played(rules: &DotsAndBoxes, lines: &str) -> State {
    let mut state = rules.initial(&());
    for line in lines.split_whitespace() {
        rules.play(&mut state, rules.parse_action(line).expect(line)).expect(line);
    }
    state
}

#[test]
fn moves_are_sound() {
    let report = moves(&DotsAndBoxes::default(), WALK, Uniform).expect("sound");
    assert!(report.undone > 50_000 && report.refused > 1_000, "{report:?}");
    assert!(report.scored == 60 && report.same_seat_again > 500, "{report:?}");
}

#[test]
fn texts_read_back() {
    let report = notation(&DotsAndBoxes::default(), WALK, Uniform).expect("reads back");
    assert!(report.positions == 60 * 61, "{report:?}");
    notation(&rules(3, 1), WALK, Uniform).expect("reads back");
}

#[test]
fn counts_are_those_of_another_program() {
    for (name, columns, rows) in [("2x2", 2, 2), ("5x5", 5, 5), ("2x1", 2, 1)] {
        let counted = section(COUNTS, name);
        assert!(check(&self::rules(columns, rows), &counted, 1, 1_000_000) >= 3);
        check_without_bulk(&self::rules(columns, rows), &counted, 20_000);
    }
}

/// Counts boxes by looking at all of them after every line.
fn second(moves: &[String]) -> Verdict {
    let (columns, rows) = (2, 2);
    let dots: Vec<(i32, i32)> =
        (0..=rows).flat_map(|y| (0..=columns).map(move |x| (x, y))).collect();
    let name = |(x, y): (i32, i32)| format!("{}{}", (b'a' + x as u8) as char, y + 1);
    let all: Vec<String> = dots
        .iter()
        .flat_map(|&(x, y)| [((x, y), (x + 1, y)), ((x, y), (x, y + 1))])
        .filter(|(_, to)| dots.contains(to))
        .map(|(from, to)| name(from) + &name(to))
        .collect();
    let is_box = |drawn: &[String], (x, y): (i32, i32)| {
        let corners = [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)].map(name);
        [(0, 1), (2, 3), (0, 2), (1, 3)]
            .iter()
            .all(|&(a, b)| drawn.contains(&format!("{}{}", corners[a], corners[b])))
    };
    let n_boxes = |drawn: &[String]| dots.iter().filter(|dot| is_box(drawn, **dot)).count();
    let (mut seat, mut owned) = (0, [0, 0]);
    for n in 1..=moves.len() {
        let gained = n_boxes(&moves[..n]) - n_boxes(&moves[..n - 1]);
        owned[seat] += gained as i32;
        if gained == 0 {
            seat = 1 - seat;
        }
    }
    let is_over = moves.len() == all.len();
    assert!(moves.iter().all(|line| names_in(line).len() == 2));
    Verdict {
        seat: (!is_over).then_some(seat),
        legal: all.into_iter().filter(|line| !moves.contains(line)).collect(),
        result: is_over.then(|| f64::from(owned[0] - owned[1])),
    }
}

#[test]
fn a_second_implementation_agrees() {
    assert_eq!(compare(&rules(2, 2), second, 300, 5), Ok(300 * 13));
}

#[test]
fn planted_faults_are_seen() {
    let faults = [
        Mutant::new("no second turn after a box", rules(2, 2)).applying(|rules, state, line| {
            let before = state.to_move();
            rules.apply(state, line);
            if state.to_move() == before && rules.turn(state) != Turn::Over {
                *state = with_side(rules, state, before.other());
            }
        }),
        Mutant::new("a second turn always", rules(2, 2)).applying(|rules, state, line| {
            let before = state.to_move();
            rules.apply(state, line);
            *state = with_side(rules, state, before);
        }),
        Mutant::new("a drawn line is drawn again", rules(2, 2)).listing(|rules, state| {
            let mut legal = rules.legal(state);
            legal.extend((0..12).map(Line).find(|line| state.is_drawn(*line)));
            legal
        }),
        Mutant::new("the last line is not drawn", rules(2, 2)).listing(|rules, state| {
            let mut legal = rules.legal(state);
            legal.retain(|line| line.0 != 11);
            legal
        }),
        Mutant::new("boxes of the other side", rules(2, 2)).ending(|rules, state| {
            let swapped = |utility: Utility| utility.of(Seat::SECOND);
            rules.ending(state).map(|ending| match ending {
                Ending::Scored(utility) => {
                    Ending::Scored(Utility::new(&[swapped(utility), -swapped(utility)]))
                }
                Ending::Truncated => ending,
            })
        }),
        Mutant::new("a line stays after undo", rules(2, 2)).undoing(|_, state, _, before| {
            if before.boxes(Seat::FIRST) == 0 && before.drawn().count_ones() != 2 {
                *state = *before;
            }
        }),
    ];
    check_all_seen(&faults, &section(COUNTS, "2x2"), 700_000, Some((second, 60)));
}

fn with_side(rules: &DotsAndBoxes, state: &State, seat: Seat) -> State {
    let text = rules.position_text(state);
    let side = [" 1 ", " 2 "][seat.idx()];
    let text = text.replacen([" 1 ", " 2 "][state.to_move().idx()], side, 1);
    rules.parse_position(&text).expect("a position")
}

/// Rule 1: a turn draws one line between two neighbouring dots.
#[test]
fn rule_1_lines_join_neighbours() {
    let rules = rules(5, 5);
    assert_eq!(rules.legal(&rules.initial(&())).len(), 60);
    for text in ["a1b2", "a1a3", "a1a1", "a1", "a1g1", "a1b1c1"] {
        assert!(rules.parse_action(text).is_err(), "{text}");
    }
    assert_eq!(rules.parse_action("b1a1"), rules.parse_action("a1b1"));
}

/// Rule 2: who completes no box passes the turn.
#[test]
fn rule_2_turns_pass() {
    let rules = rules(2, 2);
    assert_eq!(rules.turn(&played(&rules, "a1b1")), Turn::Seat(Seat::SECOND));
}

/// Rule 3: who completes a box owns it and draws again, whoever drew its other lines.
#[test]
fn rule_3_a_box_gives_another_turn() {
    let rules = rules(2, 2);
    let state = played(&rules, "a1b1 a2b2 a1a2 b1b2");
    assert_eq!(rules.turn(&state), Turn::Seat(Seat::SECOND));
    assert_eq!((state.boxes(Seat::FIRST), state.boxes(Seat::SECOND)), (0, 1));
}

/// Rule 4: one line can complete two boxes, and still gives one turn.
#[test]
fn rule_4_one_line_completes_two_boxes() {
    let rules = rules(2, 1);
    let state = played(&rules, "a1b1 b1c1 a2b2 b2c2 a1a2 c1c2 b1b2");
    assert_eq!((state.boxes(Seat::FIRST), state.boxes(Seat::SECOND)), (2, 0));
}

/// Rule 5: the game ends with the last line, and boxes are counted.
#[test]
fn rule_5_boxes_are_counted_at_the_end() {
    let lines = "a1b1 b1c1 a2b2 b2c2 a1a2 c1c2 b1b2";
    let margin = Ending::Scored(Utility::new(&[2.0, -2.0]));
    assert_eq!(rules(2, 1).ending(&played(&rules(2, 1), lines)), Some(margin));
    let won = DotsAndBoxes::new(2, 1).expect("a size");
    let ending = Some(Ending::Scored(Utility::won_by(Seat::FIRST)));
    assert_eq!(won.ending(&played(&won, lines)), ending);
}

/// Rule 6: as many boxes each are a draw.
#[test]
fn rule_6_as_many_boxes_draw() {
    let rules = DotsAndBoxes::new(2, 1).expect("a size");
    let state = rules.parse_position("--/|||/-- 1 1 1").expect("a position");
    assert_eq!(rules.ending(&state), Some(Ending::Scored(Utility::new(&[0.0, 0.0]))));
}

#[test]
fn wrong_texts_say_where() {
    let rules = rules(2, 1);
    for (text, reason) in [
        ("--/|||/-- 1 1 2", "2 boxes are complete, and the players own 3"),
        ("--/|||/-- 3 1 1", "the side to move is 1 or 2, not \"3\""),
        ("--/|||/-x 1 1 1", "line b1c1 is '-' or '.', not 'x'"),
        ("--/||/-- 1 1 1", "\"||\" has 2 lines instead of 3"),
        ("--/|||/-- 1 1 1 1", "\"1\" follows the last field"),
        ("--/||| 1 1 1", "there are 2 rows of lines instead of 3"),
    ] {
        let error = rules.parse_position(text).expect_err(text);
        assert_eq!(error.reason, reason);
    }
    assert!(DotsAndBoxes::new(0, 3).is_err() && DotsAndBoxes::new(8, 8).is_err());
    assert_eq!(DotsAndBoxes::new(7, 7).map(|rules| rules.n_lines()), Ok(112));
}

/// The net score of the seat to move from here on, by the rules themselves; `known` holds it for every set of drawn
/// lines, on which alone it depends.
fn net_score(rules: &DotsAndBoxes, state: &mut State, known: &mut [i8]) -> i8 {
    const UNKNOWN: i8 = i8::MIN;
    let idx = state.drawn() as usize;
    if known[idx] != UNKNOWN {
        return known[idx];
    }
    let mover = state.to_move();
    let mut best = UNKNOWN;
    for line in (0..rules.n_lines() as u8).map(Line) {
        if state.is_drawn(line) {
            continue;
        }
        let before = state.boxes(mover);
        let undo = rules.apply(state, line);
        let gained = (state.boxes(mover) - before) as i8;
        let sign = if state.to_move() == mover { 1 } else { -1 };
        best = best.max(gained + sign * net_score(rules, state, known));
        rules.undo(state, line, undo);
    }
    known[idx] = if best == UNKNOWN { 0 } else { best };
    known[idx]
}

/// The first side's net score under perfect play; 1×1, 1×2 and 2×2 are those of OpenSpiel's solver too.
#[test]
fn solved_values() {
    let sizes = [(1, 1, -1), (2, 1, 0), (3, 1, -1), (4, 1, 0), (2, 2, 2), (3, 2, -2), (3, 3, -3)];
    for (columns, rows, value) in sizes {
        let rules = self::rules(columns, rows);
        let mut known = vec![i8::MIN; 1 << rules.n_lines()];
        let found = net_score(&rules, &mut rules.initial(&()), &mut known);
        assert_eq!(found, value, "{columns}×{rows}");
    }
}
