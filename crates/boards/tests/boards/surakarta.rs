//! Surakarta: the checks that every game passes, and the rules one by one.

use crate::counts::{Counted, check, check_without_bulk, read};
use crate::mutant::{Mutant, check_all_seen};
use crate::second::{Verdict, cell_names, compare};
use boards::Surakarta;
use boards::surakarta::{Action, Point, State};
use game::conformance::{Uniform, Walk, moves, notation};
use game::{Ending, Notation, Rules, Seat, Turn, Utility};
use std::collections::{BTreeMap, BTreeSet};

const WALK: Walk = Walk { games: 30, plies_max: 400, seed: 0x7375 };
const BEGINNING: &str = "wwwwww/wwwwww/6/6/bbbbbb/bbbbbb b";

fn counted() -> Vec<Counted> {
    read(include_str!("../../perft/surakarta.txt"))
}

fn at(position: &str) -> State {
    Surakarta::default().parse_position(position).expect(position)
}

/// Where the stone on `from` can go.
fn targets(position: &str, from: &str) -> BTreeSet<String> {
    let rules = Surakarta::default();
    let texts = rules.legal(&at(position)).into_iter().map(|action| rules.action_text(action));
    texts.filter_map(|text| text.strip_prefix(from).map(str::to_owned)).collect()
}

fn set(names: &str) -> BTreeSet<String> {
    names.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn moves_are_sound() {
    let report = moves(&Surakarta::default(), WALK, Uniform).expect("sound");
    assert!(report.undone > 50_000 && report.refused > 1_000, "{report:?}");
    assert!(report.scored >= 15 && report.same_seat_again == 0, "{report:?}");
}

#[test]
fn texts_read_back() {
    let report = notation(&Surakarta::default(), WALK, Uniform).expect("reads back");
    assert!(report.positions > 2_000, "{report:?}");
}

#[test]
fn counts_are_those_of_other_programs() {
    assert_eq!(check(&Surakarta::WITHOUT_LIMIT, &counted(), 1, 3_000_000), 5);
    check_without_bulk(&Surakarta::WITHOUT_LIMIT, &counted(), 200_000);
}

/// Column and row.
type Place = (i32, i32);
/// From one place to the next.
type Step = (i32, i32);

/// Stones by place; a capture walks on from point to point and is led round every loop it comes to.
#[derive(Clone)]
struct Plain {
    stones: BTreeMap<Place, usize>,
    plies_without_capture: usize,
}

impl Plain {
    fn begin() -> Plain {
        let rows = [(0, 0), (1, 0), (4, 1), (5, 1)];
        let stones = rows.iter().flat_map(|&(y, seat)| (0..6).map(move |x| ((x, y), seat)));
        Plain { stones: stones.collect(), plies_without_capture: 0 }
    }

    fn play(&mut self, (from, to): (Place, Place)) {
        let stone = self.stones.remove(&from).expect("a stone");
        let is_capture = self.stones.insert(to, stone).is_some();
        self.plies_without_capture = if is_capture { 0 } else { self.plies_without_capture + 1 };
    }

    /// The point after `at` on the way `step`, the way from there, and whether a loop lies between.
    fn onward(at: Place, step: Step) -> Option<(Place, Step, bool)> {
        let (x, y) = (at.0 + step.0, at.1 + step.1);
        if (0..6).contains(&x) && (0..6).contains(&y) {
            return Some(((x, y), step, false));
        }
        let line = if step.0 == 0 { at.0 } else { at.1 };
        let mirrored = 5 - line;
        if line == 0 || line == 5 {
            return None;
        }
        let is_low = line < 3;
        let (next, step) = match (step, is_low) {
            ((1, 0), true) => ((mirrored, 0), (0, 1)),
            ((1, 0), false) => ((line, 5), (0, -1)),
            ((-1, 0), true) => ((line, 0), (0, 1)),
            ((-1, 0), false) => ((mirrored, 5), (0, -1)),
            ((0, 1), true) => ((0, mirrored), (1, 0)),
            ((0, 1), false) => ((5, line), (-1, 0)),
            ((0, -1), true) => ((0, line), (1, 0)),
            _ => ((5, mirrored), (-1, 0)),
        };
        Some((next, step, true))
    }

    fn capture(&self, from: Place, step: Step) -> Option<Place> {
        let (mut at, mut step, mut n_loops) = (from, step, 0);
        for _ in 0..24 {
            let (next, next_step, is_loop) = Plain::onward(at, step)?;
            n_loops += i32::from(is_loop);
            match self.stones.get(&next) {
                Some(stone) if next != from => {
                    return (n_loops > 0 && *stone != self.stones[&from]).then_some(next);
                }
                _ => (at, step) = (next, next_step),
            }
        }
        None
    }

    fn moves(&self, seat: usize) -> BTreeSet<(Place, Place)> {
        let mut moves = BTreeSet::new();
        for (&from, _) in self.stones.iter().filter(|(_, stone)| **stone == seat) {
            for to in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (from.0 + dx, from.1 + dy))) {
                let is_inside = (0..6).contains(&to.0) && (0..6).contains(&to.1);
                if is_inside && !self.stones.contains_key(&to) {
                    moves.insert((from, to));
                }
            }
            for step in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                moves.extend(self.capture(from, step).map(|to| (from, to)));
            }
        }
        moves
    }

    fn count(&self, seat: usize, depth: u32) -> u64 {
        let moves = self.moves(seat);
        if depth == 1 {
            return moves.len() as u64;
        }
        let below = |step| {
            let mut next = self.clone();
            next.play(step);
            next.count(1 - seat, depth - 1)
        };
        moves.into_iter().map(below).sum()
    }
}

fn second(moves: &[String]) -> Verdict {
    let names = cell_names(6, 6);
    let name = |(x, y): Place| names[(y * 6 + x) as usize].as_str();
    let place = |name: &str| {
        let idx = names.iter().position(|other| other == name).expect(name) as i32;
        (idx % 6, idx / 6)
    };
    let mut plain = Plain::begin();
    moves.iter().for_each(|text| plain.play((place(&text[..2]), place(&text[2..]))));
    let seat = moves.len() % 2;
    let n_stones = |seat| plain.stones.values().filter(|stone| **stone == seat).count() as i32;
    let is_decided = plain.plies_without_capture >= 100 || n_stones(0) == 0 || n_stones(1) == 0;
    let legal = if is_decided { BTreeSet::new() } else { plain.moves(seat) };
    Verdict {
        seat: (!legal.is_empty()).then_some(seat),
        result: legal.is_empty().then(|| f64::from((n_stones(0) - n_stones(1)).signum())),
        legal: legal.into_iter().map(|(from, to)| format!("{}{}", name(from), name(to))).collect(),
    }
}

#[test]
fn a_second_implementation_agrees() {
    let n_positions = compare(&Surakarta::default(), second, 40, 3).expect("no difference");
    assert!(n_positions > 4_000, "{n_positions}");
}

/// Depth 4 here; depth 5 by `scripts/long/perft.sh`.
#[test]
fn a_second_implementation_counts_the_same() {
    assert_eq!(Plain::begin().count(0, 4), counted()[0].counts[3]);
}

#[test]
#[ignore = "a minute"]
fn a_second_implementation_counts_the_same_deeper() {
    assert_eq!(Plain::begin().count(0, 5), counted()[0].counts[4]);
}

#[test]
fn planted_faults_are_seen() {
    fn is_capture(state: &State, action: &Action) -> bool {
        state.stone_at(action.to).is_some()
    }
    let new = |name| Mutant::new(name, Surakarta::default());
    let faults = [
        new("no captures").listing(|rules, state| {
            let mut legal = rules.legal(state);
            legal.retain(|action| !is_capture(state, action));
            legal
        }),
        new("captures without a loop").listing(|rules, state| {
            let mut legal = rules.legal(state);
            let next_to: Vec<Action> = (0..6)
                .flat_map(|column| (0..5).map(move |row| (column, row)))
                .map(|(column, row)| Action {
                    from: Point::new(column, row),
                    to: Point::new(column, row + 1),
                })
                .filter(|action| {
                    state.stone_at(action.from) == Some(state.to_move())
                        && state.stone_at(action.to) == Some(state.to_move().other())
                })
                .collect();
            legal.extend(next_to);
            legal
        }),
        new("captures on the edge's neighbours only").listing(|rules, state| {
            let mut legal = rules.legal(state);
            let is_outer = |point: Point| {
                [point.column(), point.row()].iter().any(|line| *line == 2 || *line == 3)
            };
            legal.retain(|action| !is_capture(state, action) || !is_outer(action.to));
            legal
        }),
        new("straight steps only").listing(|rules, state| {
            let mut legal = rules.legal(state);
            let is_straight =
                |a: &Action| a.from.column() == a.to.column() || a.from.row() == a.to.row();
            legal.retain(|action| is_capture(state, action) || is_straight(action));
            legal
        }),
        new("must capture").listing(|rules, state| {
            let mut legal = rules.legal(state);
            if legal.iter().any(|action| is_capture(state, action)) {
                legal.retain(|action| is_capture(state, action));
            }
            legal
        }),
        new("a capture is not taken back").undoing(|_, state, action, before| {
            if before.stone_at(action.to).is_none() {
                *state = *before;
            }
        }),
        new("the side without stones wins").ending(|rules, state| {
            let ending = rules.ending(state);
            ending.map(|_| Ending::Scored(Utility::won_by(Seat::SECOND)))
        }),
        new("the game stops after 60 plies without a capture").listing(|rules, state| {
            if state.plies_without_capture() >= 60 { Vec::new() } else { rules.legal(state) }
        }),
    ];
    check_all_seen(&faults, &counted(), 3_000_000, Some((second, 20)));
}

/// Rule 1: twelve stones a side on two rows each; the first side begins.
#[test]
fn rule_1_beginning() {
    let rules = Surakarta::default();
    let state = rules.initial(&());
    assert_eq!(rules.position_text(&state), format!("{BEGINNING} 0"));
    assert_eq!(rules.turn(&state), Turn::Seat(Seat::FIRST));
}

/// Rule 2: a stone steps to any of the eight points next to it that are empty.
#[test]
fn rule_2_steps_in_eight_directions() {
    let free = targets("6/6/6/3b2/6/w5 b", "d3");
    assert_eq!(free, set("c2 d2 e2 c3 e3 c4 d4 e4"));
    assert_eq!(targets("6/6/2b3/3b2/4w1/6 b", "d3"), set("c2 d2 c3 e3 d4 e4"));
    assert_eq!(targets("6/6/6/6/6/b4w b", "a1"), set("a2 b1 b2"));
}

/// Rule 3: a capture runs round at least one loop. From b1 down the b line, round the lower left loop, to f2.
#[test]
fn rule_3_captures_run_round_a_loop() {
    assert!(targets("6/6/6/6/5w/1b4 b", "b1").contains("f2"));
    assert!(!targets("6/1w4/6/6/2b3/1b4 b", "b1").contains("b5"), "no loop before b5");
}

/// Rule 4: stones in the way stop it, own ones and, before a loop, those of the opponent.
#[test]
fn rule_4_the_first_stone_stops_it() {
    assert!(!targets("6/2b3/6/6/2b2w/1b4 b", "b1").contains("f2"));
    // The other way round leads up the b line, along row 5, down the e line, and along row 2 from the right.
    assert!(targets("6/6/6/6/2b2w/1b4 b", "b1").contains("f2"));
    assert!(targets("6/6/6/6/2w2w/1b4 b", "b1").contains("c2"));
    // Up the b line, past the upper left loop, the first stone on row 5 is taken.
    assert!(targets("6/3w2/6/6/6/1b4 b", "b1").contains("d5"));
    assert!(!targets("6/3w2/1w4/6/6/1b4 b", "b1").contains("b4"), "in front of the loop");
}

/// Rule 5: points on the edge lines that no circuit touches capture nothing.
#[test]
fn rule_5_corners_capture_nothing() {
    assert_eq!(targets("5w/6/6/6/6/b5 b", "a1"), set("a2 b1 b2"));
}

/// Rule 6: the own point does not block a way that leads back over it: b2 lies twice on its circuit.
#[test]
fn rule_6_the_own_point_is_free_on_the_way() {
    // Down from b2 and round the loop the way comes along row 2 over b2 itself, to f2.
    assert!(targets("6/6/6/6/1b3w/6 b", "b2").contains("f2"));
}

/// Rule 7: who has lost all stones has lost.
#[test]
fn rule_7_without_stones_lost() {
    let rules = Surakarta::default();
    let mut state = at("6/6/6/6/5w/1b4 b");
    rules.play(&mut state, rules.parse_action("b1f2").expect("a move")).expect("legal");
    assert_eq!(rules.ending(&state), Some(Ending::Scored(Utility::won_by(Seat::FIRST))));
}

/// Rule 8: after so many plies without a capture more stones win, and as many draw.
#[test]
fn rule_8_long_play_is_counted() {
    let rules = Surakarta::default();
    let won = Ending::Scored(Utility::won_by(Seat::SECOND));
    let drawn = Ending::Scored(Utility::new(&[0.0, 0.0]));
    assert_eq!(rules.ending(&at("6/6/6/6/4ww/1b4 b 100")), Some(won));
    assert_eq!(rules.ending(&at("6/6/6/6/5w/1b4 b 100")), Some(drawn));
    assert_eq!(rules.ending(&at("6/6/6/6/5w/1b4 b 99")), None);
    assert_eq!(Surakarta::WITHOUT_LIMIT.ending(&at("6/6/6/6/5w/1b4 b 100")), None);
}

#[test]
fn wrong_texts_say_where() {
    for (text, reason) in [
        ("6/6/6/6/5x/1b4 b", "'x' on f2 is no stone: they are b and w"),
        ("6/6/6/6/6/6 b", "there are no stones"),
        ("6/b5/6/bbbbbb/bbbbbb/6 b", "the first side has 13 stones, and 12 is the most"),
        ("6/6/6/6/5w/1b4 b 101", "101 plies without a capture, and the game ends after 100"),
    ] {
        assert_eq!(Surakarta::default().parse_position(text).expect_err(text).reason, reason);
    }
    for text in ["c2", "c2d3e4", "c2g3", "c2d7"] {
        assert!(Surakarta::default().parse_action(text).is_err(), "{text}");
    }
}
