//! The dense numbers of actions.

use super::{Pick, Place, Violation, Walk, walk};
use crate::{ActionSpace, Chance, Stream, Turn};
use std::collections::HashSet;

/// What [`action_index`] saw.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ActionIndexes {
    pub decisions: u64,
    /// Decisions with at least two actions.
    pub open_decisions: u64,
    /// How many different indexes occurred.
    pub distinct_indexes: u64,
}

/// Every legal action has an index inside the layout, and no two of one position share it.
pub fn action_index<R: Chance + ActionSpace>(
    rules: &R,
    plan: Walk,
    mut pick: impl Pick<R>,
) -> Result<ActionIndexes, Violation> {
    let mut report = ActionIndexes::default();
    let mut occurred = HashSet::new();
    let n_actions = rules.policy_layout().n_actions();
    let visit = |place: &Place<R>, _: &mut Stream| {
        let Turn::Seat(seat) = rules.turn(place.state) else { return Ok(()) };
        let legal = rules.legal(place.state);
        let mut used = HashSet::new();
        for action in &legal {
            let index = rules.action_index(place.setup, seat, *action);
            place.ensure(usize::from(index) < n_actions, || {
                format!("{action:?} has index {index} of {n_actions}")
            })?;
            place.ensure(used.insert(index), || format!("{action:?} shares index {index}"))?;
            occurred.insert(index);
        }
        report.decisions += 1;
        report.open_decisions += u64::from(legal.len() >= 2);
        Ok(())
    };
    walk(rules, plan, &mut pick, "action index", visit, |_, _, _| {})?;
    report.distinct_indexes = occurred.len() as u64;
    Ok(report)
}
