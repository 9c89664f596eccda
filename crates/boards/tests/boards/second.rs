//! Comparison of rules with a second, plain implementation: both are told the moves of random games and must agree at
//! every ply about whose turn it is, what is legal and how a game ends.

use game::conformance::{Pick, Uniform};
use game::{Chance, Ending, Notation, Seat, Stream, Turn};
use std::collections::BTreeSet;

/// What a second implementation says after a list of moves.
#[derive(PartialEq, Debug)]
pub struct Verdict {
    /// The seat to act, from 0; nobody after the end.
    pub seat: Option<usize>,
    pub legal: BTreeSet<String>,
    /// The first seat's result after the end.
    pub result: Option<f64>,
}

/// Told the texts of all actions so far.
pub type Second = fn(&[String]) -> Verdict;

fn verdict<R: Notation>(rules: &R, state: &R::State) -> Verdict {
    Verdict {
        seat: match rules.turn(state) {
            Turn::Seat(seat) => Some(seat.idx()),
            Turn::Chance | Turn::Over => None,
        },
        legal: rules.legal(state).into_iter().map(|action| rules.action_text(action)).collect(),
        result: match rules.ending(state) {
            Some(Ending::Scored(utility)) => Some(utility.of(Seat::FIRST)),
            Some(Ending::Truncated) | None => None,
        },
    }
}

/// Random games from the beginning; gives the number of positions, or the first difference.
pub fn compare<R: Chance + Notation>(
    rules: &R,
    second: Second,
    n_games: u64,
    seed: u64,
) -> Result<u64, String> {
    compare_picking(rules, second, n_games, seed, Uniform)
}

pub fn compare_picking<R: Chance + Notation>(
    rules: &R,
    second: Second,
    n_games: u64,
    seed: u64,
    mut pick: impl Pick<R>,
) -> Result<u64, String> {
    let mut stream = Stream::from_seed(seed);
    let mut n_positions = 0;
    for _ in 0..n_games {
        let mut state = rules.initial(&rules.deal(&mut stream));
        let mut moves = Vec::new();
        loop {
            let (ours, theirs) = (verdict(rules, &state), second(&moves));
            if ours != theirs {
                return Err(format!("after {moves:?}: {ours:?} and {theirs:?}"));
            }
            n_positions += 1;
            let legal = rules.legal(&state);
            if legal.is_empty() {
                break;
            }
            let action = legal[pick.pick(rules, &state, &legal, &mut stream)];
            rules.apply(&mut state, action);
            moves.push(rules.action_text(action));
        }
    }
    Ok(n_positions)
}

/// Every cell name of a board, row by row from below.
pub fn cell_names(width: usize, height: usize) -> Vec<String> {
    let letters = "abcdefghijklmnopqrst".as_bytes();
    (0..height)
        .flat_map(|row| (0..width).map(move |column| (column, row)))
        .map(|(column, row)| format!("{}{}", letters[column] as char, row + 1))
        .collect()
}

/// The names of cells in a text, cut before every letter.
pub fn names_in(text: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for letter in text.chars() {
        if letter.is_ascii_alphabetic() {
            names.push(String::new());
        }
        names.last_mut().expect("a letter first").push(letter);
    }
    names
}
