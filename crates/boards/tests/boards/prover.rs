//! Proves what a regression position expects, by looking at every line of play.

use game::{Chance, Ending, Notation, StaticEvaluation, Turn};

/// A position of a regression set.
struct Expected {
    position: &'static str,
    /// Plies to search.
    depth: u32,
    /// The first moves of the line, one to three.
    moves: Vec<&'static str>,
    reason: &'static str,
}

/// How many expectations of each kind were proven.
#[derive(Debug, Default)]
pub struct Proven {
    pub mates: usize,
    pub wins: usize,
    pub terms: usize,
}

impl Proven {
    pub fn all(&self) -> usize {
        self.mates + self.wins + self.terms
    }
}

/// How much better than any other move one must be that is said to win, in hundredths.
const LEAD_MIN: i32 = 250;

/// Proves every line of a set, or panics at the first that does not hold.
pub fn prove<G: StaticEvaluation + Chance + Notation>(rules: &G, set: &'static str) -> Proven {
    let mut proven = Proven::default();
    for Expected { position, depth, moves, reason } in read(set) {
        let state = rules.parse_position(position).expect(position);
        let line: Vec<G::Action> =
            moves.iter().map(|text| rules.parse_action(text).expect(text)).collect();
        match reason.split(':').next() {
            Some("mate") => {
                assert!(is_only_mate_in_two(rules, &state, &line), "{position}");
                proven.mates += 1;
            }
            Some(kind @ ("wins" | "term")) => {
                let (best, lead) = lead_of_best(rules, &state, depth);
                let text = rules.action_text(best);
                assert_eq!([text.as_str()], moves[..], "{position}: ahead by {lead}");
                let lead_min = if kind == "wins" { LEAD_MIN } else { 1 };
                assert!(lead >= lead_min, "{position}: ahead by {lead}");
                proven.wins += usize::from(kind == "wins");
                proven.terms += usize::from(kind == "term");
            }
            _ => panic!("no kind of reason: {reason}"),
        }
    }
    proven
}

/// Reads `position | depth | moves | reason`; `#` begins a comment.
fn read(text: &'static str) -> Vec<Expected> {
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| match line.split('|').map(str::trim).collect::<Vec<_>>()[..] {
            [position, depth, moves, reason] => Expected {
                position,
                depth: depth.parse().expect(depth),
                moves: moves.split_whitespace().collect(),
                reason,
            },
            _ => panic!("not four fields: {line}"),
        })
        .collect()
}

/// Whether the seat to act wins within `plies` (odd) plies against every defence.
fn wins_within<R: Chance>(rules: &R, state: &mut R::State, plies: u32) -> bool {
    winning_moves(rules, state, plies, 1) > 0
}

/// How many moves win within `plies`, counted up to `enough`.
fn winning_moves<R: Chance>(rules: &R, state: &mut R::State, plies: u32, enough: usize) -> usize {
    let mut n_winning = 0;
    for action in rules.legal(state) {
        let is_winning = rules.after(state, action, |state| loses_within(rules, state, plies - 1));
        n_winning += usize::from(is_winning);
        if n_winning == enough {
            break;
        }
    }
    n_winning
}

/// Whether the seat to act, which may be mated already, loses within `plies` (even) plies whatever it does.
fn loses_within<R: Chance>(rules: &R, state: &mut R::State, plies: u32) -> bool {
    let Turn::Seat(_) = rules.turn(state) else {
        let Some(Ending::Scored(utility)) = rules.ending(state) else { return false };
        // Only the side that was to act can have lost.
        return game::Seat::BOTH.iter().any(|seat| utility.of(*seat) > 0.0);
    };
    plies > 0
        && rules
            .legal(state)
            .into_iter()
            .all(|action| rules.after(state, action, |state| wins_within(rules, state, plies - 1)))
}

/// Nothing else wins within three plies, the defence is the only legal move, and nothing else mates then.
fn is_only_mate_in_two<R: Chance + Notation>(
    rules: &R,
    state: &R::State,
    line: &[R::Action],
) -> bool {
    let mut state = state.clone();
    let [key, defence, mate] = line else { return false };
    let is_only_key = winning_moves(rules, &mut state, 1, 1) == 0
        && winning_moves(rules, &mut state, 3, 2) == 1
        && rules.after(&mut state, *key, |state| loses_within(rules, state, 2));
    if !is_only_key {
        return false;
    }
    rules.apply(&mut state, *key);
    if rules.legal(&state) != [*defence] {
        return false;
    }
    rules.apply(&mut state, *defence);
    winning_moves(rules, &mut state, 1, 2) == 1
        && rules.after(&mut state, *mate, |state| loses_within(rules, state, 0))
}

/// By how much the best move is better than the second, at a depth searched in full, and which it is.
fn lead_of_best<G: StaticEvaluation + Chance>(
    rules: &G,
    state: &G::State,
    depth: u32,
) -> (G::Action, i32) {
    let mut state = state.clone();
    let mut scored: Vec<(i32, G::Action)> = Vec::new();
    for action in rules.legal(&state) {
        // The second best must be known exactly too.
        let bound = second(&scored);
        let score = rules
            .after(&mut state, action, |state| -value(rules, state, depth - 1, -WIN - 99, -bound));
        scored.push((score, action));
    }
    scored.sort_by_key(|(score, _)| -score);
    (scored[0].1, scored[0].0 - scored.get(1).map_or(-WIN, |(score, _)| *score))
}

const WIN: i32 = 1_000_000;

fn second<A>(scored: &[(i32, A)]) -> i32 {
    let mut scores: Vec<i32> = scored.iter().map(|(score, _)| *score).collect();
    scores.sort_unstable();
    scores.len().checked_sub(2).map_or(-WIN - 99, |idx| scores[idx])
}

/// Alpha-beta in its plainest form, fail-soft.
fn value<G: StaticEvaluation + Chance>(
    rules: &G,
    state: &mut G::State,
    depth: u32,
    alpha: i32,
    beta: i32,
) -> i32 {
    let Turn::Seat(_) = rules.turn(state) else {
        let Some(Ending::Scored(utility)) = rules.ending(state) else { return 0 };
        let best = utility.of(game::Seat::FIRST);
        // A side without a move has lost or drawn.
        return if best == 0.0 { 0 } else { -WIN - depth as i32 };
    };
    if depth == 0 {
        return rules.static_score(state);
    }
    let (mut best, mut alpha) = (-WIN - 99, alpha);
    for action in rules.legal(state) {
        let score =
            rules.after(state, action, |state| -value(rules, state, depth - 1, -beta, -alpha));
        best = best.max(score);
        alpha = alpha.max(score);
        if alpha >= beta {
            break;
        }
    }
    best
}
