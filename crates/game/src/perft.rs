//! Counts of action sequences: the strongest cheap check of a move generator.

use crate::{Chance, Count, Rules, Turn};

/// How many sequences of exactly `depth` plies begin in `state`. Chance outcomes count once each, whatever their
/// weight. `state` is the same afterwards.
pub fn perft<R: Chance>(rules: &R, state: &mut R::State, depth: u32) -> u64 {
    match (depth, rules.turn(state)) {
        (0, _) => return 1,
        (_, Turn::Over) => return 0,
        (1, Turn::Seat(_)) => {
            let mut count = Count::default();
            let _ = rules.actions(state, &mut count);
            return count.0;
        }
        _ => {}
    }
    let mut total = 0;
    for action in possible(rules, state) {
        let undo = rules.apply(state, action);
        total += perft(rules, state, depth - 1);
        rules.undo(state, action, undo);
    }
    total
}

/// [`perft`] split by the first ply, in the order in which the game lists its actions. `depth` is at least 1.
pub fn divide<R: Chance>(rules: &R, state: &mut R::State, depth: u32) -> Vec<(R::Action, u64)> {
    let mut parts = Vec::new();
    for action in possible(rules, state) {
        let undo = rules.apply(state, action);
        parts.push((action, perft(rules, state, depth.saturating_sub(1))));
        rules.undo(state, action, undo);
    }
    parts
}

/// Everything that can happen next: the legal actions or the chance outcomes.
pub fn possible<R: Chance>(rules: &R, state: &R::State) -> Vec<R::Action> {
    let mut actions = Vec::new();
    match rules.turn(state) {
        Turn::Seat(_) => {
            let _ = Rules::actions(rules, state, &mut actions);
        }
        Turn::Chance => rules.outcomes(state, &mut |action, _| actions.push(action)),
        Turn::Over => {}
    }
    actions
}
