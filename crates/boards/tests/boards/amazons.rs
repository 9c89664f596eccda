//! The game of the amazons: the checks that every game passes, the rules one by one, evaluation.

use crate::counts::{check, check_without_bulk, section};
use crate::mutant::{Mutant, check_all_seen};
use crate::second::{Verdict, cell_names, compare, names_in};
use boards::Amazons;
use boards::amazons::{Action, Terms, Weights, evaluate};
use game::conformance::{Uniform, Walk, moves, notation};
use game::perft::perft;
use game::{Ending, Notation, Rules, Seat, Stream, Turn, Utility};
use std::collections::{BTreeMap, BTreeSet};

const COUNTS: &str = include_str!("../../perft/amazons.txt");
const WALK: Walk = Walk { games: 12, plies_max: 40, seed: 0x616d };

fn rules(size: usize) -> Amazons {
    Amazons::new(size).expect("a size")
}

fn legal_texts(rules: &Amazons, position: &str) -> BTreeSet<String> {
    let state = rules.parse_position(position).expect(position);
    rules.legal(&state).into_iter().map(|action| rules.action_text(action)).collect()
}

#[test]
fn moves_are_sound() {
    let report = moves(&rules(6), WALK, Uniform).expect("sound");
    assert!(report.undone > 10_000 && report.refused > 100, "{report:?}");
    assert!(report.scored == 12 && report.same_seat_again == 0, "{report:?}");
}

#[test]
fn texts_read_back() {
    let report = notation(&rules(10), Walk { games: 1, ..WALK }, Uniform).expect("reads back");
    assert!(report.positions > 30, "{report:?}");
}

#[test]
fn counts_are_those_of_other_programs() {
    for size in Amazons::SIZES {
        let counted = section(COUNTS, &format!("{size}x{size}"));
        assert!(check(&rules(size), &counted, 1, 50_000_000) >= 2);
        check_without_bulk(&rules(size), &counted, 200_000);
    }
}

/// Run by `scripts/long/perft.sh`.
#[test]
#[ignore = "a minute"]
fn deep_counts_are_those_of_another_program() {
    assert_eq!(check(&rules(10), &section(COUNTS, "10x10"), 50_000_001, u64::MAX), 1);
}

/// Squares by name and steps one at a time.
struct Plain {
    size: i32,
    things: BTreeMap<(i32, i32), usize>,
}

const ARROW: usize = 2;

impl Plain {
    fn begin(size: i32) -> Plain {
        let beginning: [&[&str]; 2] = match size {
            10 => [&["d1", "g1", "a4", "j4"], &["a7", "j7", "d10", "g10"]],
            8 => [&["c1", "f1", "a3", "h3"], &["a6", "h6", "c8", "f8"]],
            _ => [&["c1", "d6"], &["a4", "f3"]],
        };
        let mut things = BTreeMap::new();
        for (seat, names) in beginning.iter().enumerate() {
            things.extend(names.iter().map(|name| (Plain::at(name), seat)));
        }
        Plain { size, things }
    }

    fn at(name: &str) -> (i32, i32) {
        let column = i32::from(name.as_bytes()[0] - b'a');
        (column, name[1..].parse::<i32>().expect(name) - 1)
    }

    fn play(&mut self, text: &str) {
        let [from, to, arrow] = names_in(text).try_into().expect("three squares");
        let amazon = self.things.remove(&Plain::at(&from)).expect("an amazon");
        self.things.insert(Plain::at(&to), amazon);
        self.things.insert(Plain::at(&arrow), ARROW);
    }

    fn is_free(&self, (x, y): (i32, i32)) -> bool {
        (0..self.size).contains(&x)
            && (0..self.size).contains(&y)
            && !self.things.contains_key(&(x, y))
    }

    fn reach(&self, (x, y): (i32, i32)) -> Vec<(i32, i32)> {
        let mut reached = Vec::new();
        for (dx, dy) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)] {
            let mut n = 1;
            while self.is_free((x + n * dx, y + n * dy)) {
                reached.push((x + n * dx, y + n * dy));
                n += 1;
            }
        }
        reached
    }

    fn turns(&self, seat: usize) -> Vec<[(i32, i32); 3]> {
        let mut turns = Vec::new();
        for (&from, _) in self.things.iter().filter(|(_, thing)| **thing == seat) {
            for to in self.reach(from) {
                let mut moved = Plain { size: self.size, things: self.things.clone() };
                moved.things.remove(&from);
                moved.things.insert(to, seat);
                turns.extend(moved.reach(to).into_iter().map(|arrow| [from, to, arrow]));
            }
        }
        turns
    }
}

fn second(moves: &[String]) -> Verdict {
    let mut plain = Plain::begin(6);
    moves.iter().for_each(|text| plain.play(text));
    let seat = moves.len() % 2;
    let names = cell_names(6, 6);
    let name = |(x, y): (i32, i32)| names[(y * 6 + x) as usize].clone();
    let legal: BTreeSet<String> =
        plain.turns(seat).into_iter().map(|turn| turn.map(name).concat()).collect();
    let is_over = legal.is_empty();
    Verdict { seat: (!is_over).then_some(seat), legal, result: is_over.then(|| [-1.0, 1.0][seat]) }
}

#[test]
fn a_second_implementation_agrees() {
    let n_positions = compare(&rules(6), second, 60, 3).expect("no difference");
    assert!(n_positions > 600, "{n_positions}");
}

/// Counts that only one program had found before, by steps one at a time: depth 2 of the smaller boards in full.
#[test]
fn a_second_implementation_counts_the_same() {
    for (size, expected) in [(6, 147_748), (8, 1_331_198)] {
        let plain = Plain::begin(size);
        let mut leaves = 0;
        for [from, to, arrow] in plain.turns(0) {
            let mut next = Plain { size, things: plain.things.clone() };
            next.things.remove(&from);
            next.things.insert(to, 0);
            next.things.insert(arrow, ARROW);
            leaves += next.turns(1).len() as u64;
        }
        assert_eq!(leaves, expected, "{size}");
        let rules = rules(size as usize);
        assert_eq!(perft(&rules, &mut rules.initial(&()), 2), expected, "{size}");
    }
}

#[test]
fn planted_faults_are_seen() {
    let new = |name| Mutant::new(name, rules(6));
    let faults = [
        new("no shot back over the square left").listing(|rules, state| {
            let mut legal = rules.legal(state);
            legal.retain(|action| action.arrow != action.from);
            legal
        }),
        new("only straight moves").listing(|rules, state| {
            let mut legal = rules.legal(state);
            let is_straight =
                |a: &Action| a.from.column() == a.to.column() || a.from.row() == a.to.row();
            legal.retain(is_straight);
            legal
        }),
        new("arrows fly to the first square they can").applying(|rules, state, action| {
            let is_same_move = |a: &&Action| (a.from, a.to) == (action.from, action.to);
            let legal = rules.legal(state);
            rules.apply(state, *legal.iter().find(is_same_move).expect("a shot"));
        }),
        new("amazons of the other side move").listing(|rules, state| {
            let mut other = *state;
            if let Some(action) = rules.legal(state).first() {
                rules.apply(&mut other, *action);
            }
            rules.legal(&other)
        }),
        new("one amazon is forgotten").listing(|rules, state| {
            let mut legal = rules.legal(state);
            let last = legal.iter().map(|action| action.from).max();
            legal.retain(|action| Some(action.from) != last);
            legal
        }),
        new("nobody moves to the first row").listing(|rules, state| {
            let mut legal = rules.legal(state);
            legal.retain(|action| action.to.row() > 0);
            legal
        }),
        new("the first turn is not taken back").undoing(|_, state, _, before| {
            if !before.arrows().is_empty() {
                *state = *before;
            }
        }),
        new("who cannot move wins").ending(|rules, state| {
            let ending = rules.ending(state);
            ending.map(|_| Ending::Scored(Utility::won_by(state.to_move())))
        }),
    ];
    check_all_seen(&faults, &section(COUNTS, "6x6"), 200_000, Some((second, 20)));
}

/// Rule 1: the first side begins, with its amazons where the size says.
#[test]
fn rule_1_beginnings() {
    for (size, n_amazons) in [(10, 4), (8, 4), (6, 2)] {
        let rules = rules(size);
        let state = rules.initial(&());
        assert_eq!(rules.turn(&state), Turn::Seat(Seat::FIRST));
        assert_eq!(state.amazons(Seat::SECOND).len(), n_amazons);
    }
    let state = rules(10).initial(&());
    let text = rules(10).position_text(&state);
    assert_eq!(text, "3b2b3/10/10/b8b/10/10/W8W/10/10/3W2W3 w");
}

/// Rule 2: an amazon moves like a queen of chess, not over and not onto anything.
#[test]
fn rule_2_amazons_move_like_queens() {
    let legal = legal_texts(&rules(6), "x5/6/2x3/bx4/W1x3/xx2bW w");
    let targets: BTreeSet<String> = legal
        .iter()
        .filter(|text| text.starts_with("a2"))
        .map(|text| text[2..4].to_owned())
        .collect();
    assert_eq!(targets, BTreeSet::from(["b2".to_owned()]));
}

/// Rule 3: after the move the same amazon shoots the same way.
#[test]
fn rule_3_the_moved_amazon_shoots() {
    let legal = legal_texts(&rules(6), "x5/6/2x3/bx4/W1x3/xx2bW w");
    assert!(legal.contains("a2b2c1") && !legal.contains("a2b2d1"));
    assert!(!legal.iter().any(|text| text == "a2b2b4"), "an arrow does not pass an arrow");
}

/// Rule 4: the square that the amazon left is free for the arrow.
#[test]
fn rule_4_the_square_left_is_free() {
    assert!(legal_texts(&rules(6), "x5/6/2x3/bx4/W1x3/xx2bW w").contains("a2b2a2"));
}

/// Rule 5: arrows stay for the rest of the game.
#[test]
fn rule_5_arrows_stay() {
    let rules = rules(6);
    let mut state = rules.initial(&());
    for (n, text) in ["c1c3c2", "a4a1a5", "c3c4c3"].into_iter().enumerate() {
        rules.play(&mut state, rules.parse_action(text).expect(text)).expect(text);
        assert_eq!(state.arrows().len(), n + 1);
    }
}

/// Rule 6: who cannot move has lost; there are no draws.
#[test]
fn rule_6_who_cannot_move_has_lost() {
    let rules = rules(6);
    let state = rules.parse_position("6/6/6/b1b3/xx2xx/WxxxxW w").expect("a position");
    assert_eq!(rules.turn(&state), Turn::Over);
    assert_eq!(rules.ending(&state), Some(Ending::Scored(Utility::won_by(Seat::SECOND))));
}

#[test]
fn wrong_texts_say_where() {
    for (text, reason) in [
        ("6/6/6/6/6/WW3b w", "the second side has 1 amazons instead of 2"),
        ("6/6/6/6/6/WWq2b w", "'q' on c1 is none of W, b and x"),
        ("6/6/6/6/6/WW2bb b", "after 0 arrows it is the other side's turn"),
        ("6/6/7/6/6/WW2bb w", "row 4 has more than 6 cells"),
    ] {
        assert_eq!(rules(6).parse_position(text).expect_err(text).reason, reason);
    }
    assert!(Amazons::new(7).is_err());
}

#[test]
fn sides_and_mirrors_have_the_same_value() {
    let rules = rules(6);
    let mut stream = Stream::from_seed(8);
    let mut n_uneven = 0;
    for _ in 0..30 {
        let mut state = rules.initial(&());
        loop {
            let legal = rules.legal(&state);
            if legal.is_empty() {
                break;
            }
            rules.apply(&mut state, legal[stream.below(legal.len() as u32) as usize]);
            let value = evaluate(&rules, &state, &Weights::default());
            let text = rules.position_text(&state);
            let (board, side) = text.split_once(' ').expect("two fields");
            let upside_down: Vec<&str> = board.split('/').rev().collect();
            let mirrored = rules
                .parse_position(&format!("{} {side}", upside_down.join("/")))
                .expect("a position");
            assert_eq!(evaluate(&rules, &mirrored, &Weights::default()), value, "{text}");
            let exchanged: String = board
                .chars()
                .map(|letter| match letter {
                    'W' => 'b',
                    'b' => 'W',
                    other => other,
                })
                .collect();
            let exchanged =
                rules.parse_position(&format!("{exchanged} {side}")).expect("a position");
            assert_eq!(evaluate(&rules, &exchanged, &Weights::default()), -value, "{text}");
            n_uneven += u32::from(value != 0);
        }
    }
    assert!(n_uneven > 100, "{n_uneven}");
}

#[test]
fn terms_count_what_they_say() {
    let rules = rules(6);
    // A wall on the fourth row: above it 10 empty squares for Black, below it 16 for White, who is to move.
    let state = rules.parse_position("b5/5b/xxxxxx/6/6/W4W w").expect("a position");
    let terms = Terms::of(&rules, &state);
    assert_eq!((terms.nearer, terms.cut_off), (0, 16 - 10));
    // Along the row, up or down, and across; each of White's two amazons, then each of Black's.
    assert_eq!(terms.mobility, 2 * (4 + 2 + 2) - 2 * (5 + 1 + 1));
    let even = rules.initial(&());
    assert_eq!(Terms::of(&rules, &even), Terms::default());
    let value = evaluate(&rules, &state, &Weights { mobility: 0, nearer: 0, cut_off: 7 });
    assert_eq!(value, 42);
}
