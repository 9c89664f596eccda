//! Text that reads back.

use super::{Pick, Place, Violation, Walk, walk};
use crate::perft::possible;
use crate::{Chance, Notation, Stream};
use std::collections::HashSet;

/// What [`notation`] saw.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NotationRoundTrips {
    pub setups: u64,
    pub positions: u64,
    pub actions: u64,
}

/// Set-ups, positions and possible actions read back from their text to the same value, and different actions have
/// different texts.
pub fn notation<R: Chance + Notation>(
    rules: &R,
    plan: Walk,
    mut pick: impl Pick<R>,
) -> Result<NotationRoundTrips, Violation> {
    let mut report = NotationRoundTrips::default();
    let visit = |place: &Place<R>, _: &mut Stream| {
        if place.plies == 0 {
            let text = rules.setup_text(place.setup);
            let read = rules.parse_setup(&text);
            place.ensure(read.as_ref() == Ok(place.setup), || format!("{text} gives {read:?}"))?;
            report.setups += 1;
        }
        let text = rules.position_text(place.state);
        let read = rules.parse_position(&text);
        place.ensure(read.as_ref() == Ok(place.state), || format!("{text} gives {read:?}"))?;
        report.positions += 1;
        let actions = possible(rules, place.state);
        let mut texts = HashSet::new();
        for action in &actions {
            let text = rules.action_text(*action);
            let read = rules.parse_action(&text);
            place.ensure(read.as_ref() == Ok(action), || format!("{text} gives {read:?}"))?;
            texts.insert(text);
            report.actions += 1;
        }
        place.ensure(texts.len() == actions.len(), || "two actions share a text".to_owned())
    };
    walk(rules, plan, &mut pick, "notation", visit, |_, _, _| {})?;
    Ok(report)
}
