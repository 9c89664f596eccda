//! Players that do not search.

use game::{Appeal, Hidden, Observation, Stream, Tactical};

/// One of the legal actions, each equally likely. Draws one number.
pub fn random<G: Hidden>(
    rules: &G,
    observation: &Observation<G>,
    stream: &mut Stream,
) -> G::Action {
    let actions = legal(rules, observation);
    actions[stream.below(actions.len() as u32) as usize]
}

/// Takes control when it can, else attacks, else comes nearer to where the game is won; among equals, and where
/// it can do none of these, at random. Draws one number.
pub fn greedy<G: Tactical>(
    rules: &G,
    observation: &Observation<G>,
    stream: &mut Stream,
) -> G::Action {
    let mut actions = legal(rules, observation);
    let appeal = |action: &G::Action| rules.appeal(observation.now(), *action);
    let best = actions.iter().map(appeal).max().unwrap_or(Appeal::Plain);
    actions.retain(|action| appeal(action) == best);
    actions[stream.below(actions.len() as u32) as usize]
}

/// The observer's legal actions, as it knows them.
fn legal<G: Hidden>(rules: &G, observation: &Observation<G>) -> Vec<G::Action> {
    let mut actions = Vec::new();
    let _ = rules.now_actions(observation.now(), &mut actions);
    assert!(!actions.is_empty(), "a player is asked only when its seat is to act");
    actions
}
