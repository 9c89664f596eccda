//! Counts of move sequences.

use crate::counts::{check, check_without_bulk, read};
use boards::InARow;
use boards::in_a_row::StoneOrder;

const CONNECT6_BY_TURNS: InARow = InARow::CONNECT6.with_stone_order(StoneOrder::Ascending);

#[test]
fn counts_are_those_of_other_programs() {
    let tic_tac_toe = read(include_str!("../../../perft/tic-tac-toe.txt"));
    assert_eq!(check(&InARow::TIC_TAC_TOE, &tic_tac_toe, 1, u64::MAX), 9);
    check_without_bulk(&InARow::TIC_TAC_TOE, &tic_tac_toe, u64::MAX);
    let gomoku = read(include_str!("../../../perft/gomoku.txt"));
    assert_eq!(check(&InARow::GOMOKU_FREESTYLE, &gomoku, 1, 20_000_000), 3);
    assert_eq!(check(&InARow::GOMOKU_STANDARD, &gomoku, 1, 20_000_000), 3);
    check_without_bulk(&InARow::GOMOKU_FREESTYLE, &gomoku, 60_000);
    let connect6 = read(include_str!("../../../perft/connect6.txt"));
    assert_eq!(check(&InARow::CONNECT6, &connect6, 1, u64::MAX), 3);
    check_without_bulk(&InARow::CONNECT6, &connect6, 200_000);
}

#[test]
fn pairs_of_stones_count_once_where_their_order_is_fixed() {
    let turns = read(include_str!("../../../perft/connect6-turns.txt"));
    assert_eq!(check(&CONNECT6_BY_TURNS, &turns, 1, u64::MAX), 3);
    check_without_bulk(&CONNECT6_BY_TURNS, &turns, 200_000);
}

/// Run by `scripts/long/perft.sh`.
#[test]
#[ignore = "seconds"]
fn deep_counts_are_those_of_other_programs() {
    let gomoku = read(include_str!("../../../perft/gomoku.txt"));
    assert_eq!(check(&InARow::GOMOKU_FREESTYLE, &gomoku, 20_000_001, u64::MAX), 1);
}
