//! Outcomes, weights and draws.

use super::{Pick, Place, Violation, Walk, walk};
use crate::{Chance, Stream, Turn};
use std::collections::HashSet;

/// What [`chance_weights`] saw.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ChanceWeights {
    pub nodes: u64,
    /// Nodes with at least two outcomes.
    pub open_nodes: u64,
    /// Nodes where weights differ.
    pub uneven_nodes: u64,
}

/// Outcomes are distinct and have weight; `draw` gives the outcome that one `below` over the total of the weights
/// picks, and uses nothing else of the stream.
pub fn chance_weights<R: Chance>(
    rules: &R,
    plan: Walk,
    mut pick: impl Pick<R>,
) -> Result<ChanceWeights, Violation> {
    let mut report = ChanceWeights::default();
    let visit = |place: &Place<R>, stream: &mut Stream| {
        if rules.turn(place.state) != Turn::Chance {
            return Ok(());
        }
        let mut outcomes = Vec::new();
        rules.outcomes(place.state, &mut |action, weight| outcomes.push((action, weight)));
        let distinct: HashSet<_> = outcomes.iter().map(|(action, _)| *action).collect();
        place.ensure(!outcomes.is_empty(), || "a chance node without outcome".to_owned())?;
        place.ensure(distinct.len() == outcomes.len(), || format!("duplicate in {outcomes:?}"))?;
        place.ensure(outcomes.iter().all(|(_, weight)| *weight >= 1), || {
            format!("weight 0 in {outcomes:?}")
        })?;
        let mut twin = stream.clone();
        let drawn = rules.draw(place.state, stream);
        let mut left = twin.below(outcomes.iter().map(|(_, weight)| weight).sum());
        let expected = outcomes.iter().find(|(_, weight)| {
            let is_hit = left < *weight;
            left = left.wrapping_sub(*weight);
            is_hit
        });
        place.ensure(expected.map(|(action, _)| *action) == Some(drawn), || {
            format!("drew {drawn:?} instead of {expected:?}")
        })?;
        place.ensure(twin.next_u64() == stream.next_u64(), || {
            "a draw used more than one number of the stream".to_owned()
        })?;
        report.nodes += 1;
        report.open_nodes += u64::from(outcomes.len() >= 2);
        report.uneven_nodes += u64::from(outcomes.iter().any(|(_, w)| *w != outcomes[0].1));
        Ok(())
    };
    walk(rules, plan, &mut pick, "chance weights", visit, |_, _, _| {})?;
    Ok(report)
}
