//! Proves the published conformance numbers: distinct states and decision counts after fixed openings, and the
//! successors of 27 positions, one or more for each unit. Two independent engines agree on them.

use crate::support::Builder;
use game::perft::{perft, possible};
use game::{Rules, Turn};
use std::collections::HashSet;
use warchest::{State, Step, WarChest};

const RULES: WarChest = WarChest {
    pool: warchest::Pool::Ranked,
    royal_guard: warchest::RoyalGuardCard::Revised,
    cap: None,
    dealing: warchest::Dealing::Random,
    board: warchest::Board::PRINTED,
};

/// Whether `state` stands after the coin play that began in `before`.
fn is_turn_over(before: &State, state: &State) -> bool {
    match state.step() {
        Step::Over(_) | Step::RoundDraw => true,
        Step::Main => state.coin_plays() > before.coin_plays(),
        _ => false,
    }
}

/// Every state that one coin play with all its decisions and draws can lead to.
fn after_one_turn(start: &State, found: &mut HashSet<State>) {
    let mut seen = HashSet::new();
    let mut open = vec![*start];
    while let Some(state) = open.pop() {
        for action in possible(&RULES, &state) {
            let mut next = state;
            RULES.apply(&mut next, action);
            if is_turn_over(start, &next) {
                found.insert(next);
            } else if seen.insert(next) {
                open.push(next);
            }
        }
    }
}

fn distinct_after_turns(start: &State, n_turns: usize) -> Vec<usize> {
    let mut level = HashSet::from([*start]);
    let mut sizes = Vec::new();
    for _ in 0..n_turns {
        let mut next = HashSet::new();
        for state in &level {
            after_one_turn(state, &mut next);
        }
        sizes.push(next.len());
        level = next;
    }
    sizes
}

fn check_opening(start: State, distinct: [usize; 5], decisions: [u64; 5]) {
    assert_eq!(distinct_after_turns(&start, 5), distinct);
    let counts = [1, 2, 3, 4, 5].map(|depth| perft(&RULES, &mut start.clone(), depth));
    assert_eq!(counts, decisions);
}

/// White holds the initiative and is to move; the hands are given and the rest of each bag stays.
fn opening(white: [&str; 4], white_hand: &str, black: [&str; 4], black_hand: &str) -> State {
    let mut builder = Builder::armies(white, black);
    builder.starting_coins();
    builder.hand_from_bag("white", white_hand).hand_from_bag("black", black_hand);
    builder.build(&RULES)
}

const FIRST_A: [&str; 4] = ["swordsman", "pikeman", "crossbowman", "light_cavalry"];
const FIRST_B: [&str; 4] = ["archer", "cavalry", "lancer", "scout"];

#[test]
fn opening_1() {
    let hands = ("swordsman crossbowman royal_coin", "archer scout royal_coin");
    check_opening(
        opening(FIRST_A, hands.0, FIRST_B, hands.1),
        [19, 418, 1_914, 10_266, 12_272],
        [19, 418, 5_148, 74_412, 446_472],
    );
}

#[test]
fn opening_2() {
    let hands = ("light_cavalry light_cavalry pikeman", "scout scout cavalry");
    check_opening(
        opening(FIRST_A, hands.0, FIRST_B, hands.1),
        [14, 224, 1_264, 7_584, 21_216],
        [14, 224, 2_576, 32_039, 258_302],
    );
}

#[test]
fn opening_3() {
    let white = ["mercenary", "berserker", "footman", "warrior_priest"];
    let black = ["ensign", "marshal", "knight", "royal_guard"];
    let hands = ("mercenary mercenary berserker", "ensign royal_guard royal_coin");
    check_opening(
        opening(white, hands.0, black, hands.1),
        [14, 308, 1_936, 9_680, 27_720],
        [14, 308, 3_278, 45_390, 327_980],
    );
}

/// A position of the table: units as `unit(q,r)xN`, white's hand, other coins as `zone:coin`, white's extra markers.
struct Row {
    id: &'static str,
    white: &'static str,
    black: &'static str,
    hand: &'static str,
    white_zones: &'static [(&'static str, &'static str)],
    black_zones: &'static [(&'static str, &'static str)],
    markers: &'static [(i8, i8)],
    root: usize,
    successors: usize,
}

const ROW: Row = Row {
    id: "",
    white: "",
    black: "",
    hand: "",
    white_zones: &[],
    black_zones: &[],
    markers: &[],
    root: 0,
    successors: 0,
};

const FIVE_MARKERS: &[(i8, i8)] = &[(-2, 0), (-1, 1), (1, -1)];

fn rows() -> Vec<Row> {
    let archer_targets = "scout(1,0) lancer(2,0) cavalry(1,1) knight(-1,-1)";
    let row = |id, white, black, hand, root, successors| Row {
        id,
        white,
        black,
        hand,
        root,
        successors,
        ..ROW
    };
    vec![
        row("T01", "archer(0,0)", archer_targets, "archer", 10, 10),
        row("T02", "archer(0,0)x2", archer_targets, "archer", 11, 11),
        row(
            "T03",
            "crossbowman(0,0)",
            "scout(1,0) lancer(2,0) cavalry(-2,0) archer(1,1)",
            "crossbowman",
            10,
            10,
        ),
        row(
            "T04",
            "lancer(0,0)",
            "scout(2,0) cavalry(-3,0) archer(0,1) knight(0,-3)",
            "lancer",
            10,
            10,
        ),
        row("T05", "lancer(0,0)", "pikeman(0,2)", "lancer", 10, 10),
        row("T06", "cavalry(0,0)", "scout(2,0) archer(0,1)", "cavalry", 11, 12),
        row(
            "T07",
            "light_cavalry(0,0) pikeman(-2,0)",
            "scout(1,0) archer(0,1)",
            "light_cavalry",
            17,
            17,
        ),
        row("T08", "berserker(0,0)x3", "scout(1,0) knight(0,1)x2", "berserker", 9, 125),
        row("T09", "berserker(-1,1)x2", "pikeman(0,1)", "berserker", 10, 34),
        row("T10", "footman(0,0) footman(-2,0)", "scout(1,0)", "footman", 18, 58),
        row("T11", "footman(0,0) footman(1,0)", "", "footman", 15, 42),
        row("T12", "footman(0,0)", "scout(1,0)", "footman", 12, 11),
        row("T13", "ensign(0,0) pikeman(2,0) archer(-1,0) scout(0,3)", "", "ensign", 16, 16),
        row("T14", "ensign(0,0) berserker(2,0)x2", "scout(3,0)", "ensign", 12, 24),
        row(
            "T15",
            "marshal(0,0) swordsman(1,0) archer(0,1) lancer(-1,0)",
            "scout(2,0) cavalry(-2,0) knight(1,-1)",
            "marshal",
            6,
            9,
        ),
        Row {
            white_zones: &[("supply", "mercenary"), ("supply", "archer")],
            ..row("T16", "mercenary(0,0)", "scout(1,0)", "archer", 8, 20)
        },
        row("T17", "swordsman(0,0)", "scout(1,0) pikeman(0,1)", "swordsman", 9, 14),
        row("T18", "swordsman(0,0)x2", "pikeman(0,1)", "swordsman", 9, 15),
        Row {
            black_zones: &[("supply", "royal_guard royal_guard")],
            ..row("T19", "archer(0,0)", "royal_guard(2,0)", "archer", 10, 11)
        },
        Row { markers: FIVE_MARKERS, ..row("T20", "royal_guard(-1,0)", "", "archer", 11, 11) },
        Row {
            white_zones: &[("bag", "archer warrior_priest")],
            ..row("T21", "warrior_priest(-1,1)", "scout(0,1)", "warrior_priest", 10, 32)
        },
        row("T22", "warrior_priest(-1,1)", "scout(0,1)", "warrior_priest", 10, 31),
        Row {
            white_zones: &[("bag", "archer archer")],
            ..row("T23", "warrior_priest(0,0)", "pikeman(0,1)", "warrior_priest", 9, 9)
        },
        row("T24", "pikeman(0,0) archer(2,-2)", "", "scout", 14, 14),
        row("T25", "swordsman(0,0)", "knight(1,0)", "swordsman", 8, 8),
        row("T26", "swordsman(0,0)x2", "knight(1,0)x3", "swordsman", 9, 14),
        Row { markers: FIVE_MARKERS, ..row("T27", "pikeman(1,2)", "", "pikeman", 8, 8) },
    ]
}

fn position(row: &Row) -> State {
    let mut builder = Builder::for_types(
        &[row.white, row.hand, &crate::support::coins_of(row.white_zones)],
        &[row.black, &crate::support::coins_of(row.black_zones)],
    );
    builder.units("white", row.white).units("black", row.black);
    builder.zone("white", "hand", row.hand).zone("white", "hand", "royal_coin");
    builder.zone("black", "hand", "royal_coin");
    for (zone, coins) in row.white_zones {
        builder.zone("white", zone, coins);
    }
    for (zone, coins) in row.black_zones {
        builder.zone("black", zone, coins);
    }
    for (q, r) in row.markers {
        builder.marker("white", *q, *r);
    }
    builder.build(&RULES)
}

#[test]
fn the_table_of_positions() {
    let rows = rows();
    assert_eq!(rows.len(), 27);
    for row in rows {
        let state = position(&row);
        assert_eq!(RULES.turn(&state), Turn::Seat(game::Seat::FIRST));
        let mut successors = HashSet::new();
        after_one_turn(&state, &mut successors);
        assert_eq!(successors.len(), row.successors, "{}: successors", row.id);
        assert_eq!(RULES.legal(&state).len(), row.root, "{}: first decisions", row.id);
    }
}
