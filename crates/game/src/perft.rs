//! Counts of action sequences: the strongest cheap check of a move generator.

use crate::{ActionSink, Chance, Count, Rules, Turn};
use std::ops::ControlFlow;

/// How many sequences of exactly `depth` plies begin in `state`. Chance outcomes count once each, whatever their
/// weight. The last ply of a seat is counted, not played. `state` is the same afterwards.
pub fn perft<R: Chance>(rules: &R, state: &mut R::State, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    count_below(rules, state, depth)
}

/// The same number as [`perft`] with every ply played and taken back, the last one included.
pub fn perft_playing_every_ply<R: Chance>(rules: &R, state: &mut R::State, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let parts = divide_by(rules, state, depth, perft_playing_every_ply);
    parts.into_iter().map(|(_, leaves)| leaves).sum()
}

/// How many games beginning in `state` are over after fewer than `depth` plies: what [`perft`] leaves out, and some
/// published tables count. `state` is the same afterwards.
pub fn ended_before<R: Chance>(rules: &R, state: &mut R::State, depth: u32) -> u64 {
    if depth == 0 {
        return 0;
    }
    if rules.turn(state) == Turn::Over {
        return 1;
    }
    if depth == 1 {
        return 0;
    }
    let mut ended = 0;
    for action in possible(rules, state) {
        ended += rules.after(state, action, |state| ended_before(rules, state, depth - 1));
    }
    ended
}

/// `depth` is at least 1. Whose turn it is is asked only where no seat has an action, as finding the end of a game
/// costs some games as much as listing.
fn count_below<R: Chance>(rules: &R, state: &mut R::State, depth: u32) -> u64 {
    if depth == 1 {
        let mut count = Count::default();
        let _ = rules.actions(state, &mut count);
        if count.0 == 0 && rules.turn(state) == Turn::Chance {
            rules.outcomes(state, &mut |_, _| count.0 += 1);
        }
        return count.0;
    }
    let mut walked = state.clone();
    let mut below = Below { rules, state: &mut walked, depth, leaves: 0, is_any: false };
    let _ = rules.actions(state, &mut below);
    if !below.is_any && rules.turn(state) == Turn::Chance {
        rules.outcomes(state, &mut |action, _| {
            let _ = below.push(action);
        });
    }
    below.leaves
}

/// Walks below every action while the actions are being listed: no list is kept.
struct Below<'a, R: Rules> {
    rules: &'a R,
    /// A copy of the position whose actions are listed.
    state: &'a mut R::State,
    depth: u32,
    leaves: u64,
    is_any: bool,
}

impl<R: Chance> ActionSink<R::Action> for Below<'_, R> {
    #[inline]
    fn push(&mut self, action: R::Action) -> ControlFlow<()> {
        let Below { rules, depth, .. } = *self;
        self.is_any = true;
        self.leaves +=
            rules.after(self.state, action, |state| count_below(rules, state, depth - 1));
        ControlFlow::Continue(())
    }
}

/// [`perft`] split by the first ply, in the order in which the game lists its actions. `depth` is at least 1.
pub fn divide<R: Chance>(rules: &R, state: &mut R::State, depth: u32) -> Vec<(R::Action, u64)> {
    divide_by(rules, state, depth, perft)
}

fn divide_by<R: Chance>(
    rules: &R,
    state: &mut R::State,
    depth: u32,
    count: fn(&R, &mut R::State, u32) -> u64,
) -> Vec<(R::Action, u64)> {
    let mut parts = Vec::new();
    for action in possible(rules, state) {
        let undo = rules.apply(state, action);
        parts.push((action, count(rules, state, depth.saturating_sub(1))));
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
