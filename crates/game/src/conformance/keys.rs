//! Keys and symmetries of positions.

use super::{Pick, Place, Violation, Walk, walk};
use crate::perft::possible;
use crate::{Chance, Keyed, Stream, Symmetric};
use std::collections::{HashMap, HashSet};

/// What [`keys`] saw.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Keys {
    pub positions: u64,
    /// Keys compared after an action and after taking it back.
    pub recomputed: u64,
    pub distinct: u64,
}

/// The key kept up to date equals the key from scratch, before and after every action and after taking it back; two
/// positions with different texts have different keys on this walk. `text` names what the key is a function of.
pub fn keys<R: Chance + Keyed>(
    rules: &R,
    plan: Walk,
    mut pick: impl Pick<R>,
    text: impl Fn(&R, &R::State) -> String,
) -> Result<Keys, Violation> {
    let mut report = Keys::default();
    let mut known: HashMap<u64, String> = HashMap::new();
    let visit = |place: &Place<R>, _: &mut Stream| {
        report.positions += 1;
        let key = rules.key(place.state);
        let scratch = rules.key_from_scratch(place.state);
        place.ensure(key == scratch, || format!("key {key:#x}, from scratch {scratch:#x}"))?;
        let here = text(rules, place.state);
        let there = known.entry(key).or_insert_with(|| here.clone());
        place.ensure(*there == here, || format!("{here} and {there} have one key"))?;
        let mut state = place.state.clone();
        for action in possible(rules, place.state) {
            let undo = rules.apply(&mut state, action);
            let is_kept = rules.key(&state) == rules.key_from_scratch(&state);
            rules.undo(&mut state, action, undo);
            place.ensure(is_kept, || format!("the key after {action:?} is not kept"))?;
            place.ensure(rules.key(&state) == key, || format!("{action:?} leaves another key"))?;
            report.recomputed += 2;
        }
        Ok(())
    };
    walk(rules, plan, &mut pick, "keys", visit, |_, _, _| {})?;
    report.distinct = known.len() as u64;
    Ok(report)
}

/// What [`symmetry`] saw.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Symmetries {
    pub positions: u64,
    /// Positions compared with a turned one.
    pub turned: u64,
}

/// Under every symmetry the legal actions are the turned ones, endings are the same, and playing then turning gives
/// what turning then playing gives. Number 0 changes nothing.
pub fn symmetry<R: Chance + Symmetric>(
    rules: &R,
    plan: Walk,
    mut pick: impl Pick<R>,
) -> Result<Symmetries, Violation> {
    let mut report = Symmetries::default();
    let visit = |place: &Place<R>, _: &mut Stream| {
        report.positions += 1;
        let here = possible(rules, place.state);
        let is_same = rules.turned_state(0, place.state) == *place.state;
        place.ensure(is_same, || "symmetry 0 is not the identity".to_owned())?;
        for symmetry in 0..rules.n_symmetries() {
            let mut turned = rules.turned_state(symmetry, place.state);
            let same_end = rules.ending(&turned) == rules.ending(place.state);
            place.ensure(same_end, || format!("symmetry {symmetry} ends otherwise"))?;
            let there: HashSet<_> = possible(rules, &turned).into_iter().collect();
            let moved: HashSet<_> =
                here.iter().map(|action| rules.turned_action(symmetry, *action)).collect();
            place
                .ensure(there == moved, || format!("symmetry {symmetry}: {there:?}, {moved:?}"))?;
            for action in &here {
                let mut state = place.state.clone();
                rules.apply(&mut state, *action);
                let action = rules.turned_action(symmetry, *action);
                let undo = rules.apply(&mut turned, action);
                let commutes = turned == rules.turned_state(symmetry, &state);
                rules.undo(&mut turned, action, undo);
                place.ensure(commutes, || format!("symmetry {symmetry} and {action:?}"))?;
                report.turned += 1;
            }
        }
        Ok(())
    };
    walk(rules, plan, &mut pick, "symmetry", visit, |_, _, _| {})?;
    Ok(report)
}
