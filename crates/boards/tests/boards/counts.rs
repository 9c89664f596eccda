//! Counts of move sequences, from the files in `perft/`.

use game::perft::{divide, perft, perft_playing_every_ply};
use game::{Chance, Notation};

/// A position and how many sequences of 1, 2, … plies begin there.
pub struct Counted {
    pub position: &'static str,
    /// Found by at least two programs.
    pub counts: Vec<u64>,
    /// The next depths, from publications alone.
    pub published: Vec<u64>,
}

/// The lines of one section, which `[name]` begins.
pub fn section(text: &'static str, name: &str) -> Vec<Counted> {
    let heading = format!("[{name}]\n");
    let (_, after) = text.split_once(&heading).expect(name);
    read(after.split("\n[").next().unwrap_or_default())
}

/// Reads `position | counts | published`; `#` begins a comment.
pub fn read(text: &'static str) -> Vec<Counted> {
    let numbers = |field: &str| -> Vec<u64> {
        field.split_whitespace().map(|number| number.parse().expect(number)).collect()
    };
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| match line.split('|').collect::<Vec<_>>()[..] {
            [position, counts, published] => Counted {
                position: position.trim(),
                counts: numbers(counts),
                published: numbers(published),
            },
            _ => panic!("not three fields: {line}"),
        })
        .collect()
}

/// Compares every count between two sizes, and says where to look where one differs. Gives how many there were.
pub fn check<R: Chance + Notation>(
    rules: &R,
    counted: &[Counted],
    leaves_min: u64,
    leaves_max: u64,
) -> usize {
    let mut n_compared = 0;
    for Counted { position, counts, published } in counted {
        let mut state = rules.parse_position(position).expect(position);
        for (depth, &expected) in (1..).zip(counts.iter().chain(published)) {
            if !(leaves_min..=leaves_max).contains(&expected) {
                continue;
            }
            let leaves = perft(rules, &mut state, depth);
            if leaves != expected {
                let parts = divide(rules, &mut state, depth);
                let parts: Vec<String> = parts
                    .into_iter()
                    .map(|(action, leaves)| format!("{} {leaves}", rules.action_text(action)))
                    .collect();
                panic!("{position}, depth {depth}: {leaves} instead of {expected}: {parts:?}");
            }
            n_compared += 1;
        }
    }
    n_compared
}

/// Counting the last ply gives what playing it gives.
pub fn check_without_bulk<R: Chance + Notation>(rules: &R, counted: &[Counted], leaves_max: u64) {
    for Counted { position, counts, .. } in counted {
        let mut state = rules.parse_position(position).expect(position);
        let before = state.clone();
        let depths = (1..).zip(counts).take_while(|(_, leaves)| **leaves <= leaves_max);
        let (depth, &expected) = depths.last().expect("a count below the limit");
        assert_eq!(perft_playing_every_ply(rules, &mut state, depth), expected, "{position}");
        assert_eq!(state, before, "{position}");
    }
}

/// The first count that differs, positions in order and depths ascending: what a faulty set of rules is seen by.
pub fn first_difference<R: Chance + Notation>(
    rules: &R,
    counted: &[Counted],
    leaves_max: u64,
) -> Option<String> {
    for Counted { position, counts, .. } in counted {
        let mut state = rules.parse_position(position).expect(position);
        for (depth, &expected) in (1..).zip(counts).take_while(|(_, n)| **n <= leaves_max) {
            let leaves = perft_playing_every_ply_but_the_last(rules, &mut state, depth);
            if leaves != expected {
                return Some(format!(
                    "{leaves} instead of {expected} at depth {depth} of {position}"
                ));
            }
        }
    }
    None
}

/// Plays and takes back on the position itself, so that what a faulty undo leaves behind is seen.
fn perft_playing_every_ply_but_the_last<R: Chance>(
    rules: &R,
    state: &mut R::State,
    depth: u32,
) -> u64 {
    let parts = divide(rules, state, depth);
    parts.into_iter().map(|(_, leaves)| leaves).sum()
}
