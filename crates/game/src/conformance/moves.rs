//! Legal actions, their effects, taking back, endings.

use super::{Pick, Place, Violation, Walk, walk};
use crate::perft::possible;
use crate::{Chance, Ending, Seat, Stream, Turn};
use std::collections::HashSet;

/// What [`moves`] saw.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Moves {
    pub positions: u64,
    /// Positions where a seat decides.
    pub decisions: u64,
    pub chance_nodes: u64,
    /// Actions applied and taken back.
    pub undone: u64,
    /// Actions from elsewhere that were refused.
    pub refused: u64,
    /// Decisions after which the same seat decides again without chance in between.
    pub same_seat_again: u64,
    pub scored: u64,
    pub truncated: u64,
}

/// Positions validate; a seat to act has a legal action, each listed once; listing and `is_legal` agree; every
/// possible action can be applied, gives a valid position and is taken back exactly; others are refused and change
/// nothing; there is an ending exactly when nobody acts; scores sum to zero where the
/// game says so.
pub fn moves<R: Chance>(rules: &R, plan: Walk, mut pick: impl Pick<R>) -> Result<Moves, Violation> {
    let mut report = Moves::default();
    let mut elsewhere: Vec<R::Action> = Vec::new();
    let again = std::cell::Cell::new(0);
    let visit = |place: &Place<R>, stream: &mut Stream| {
        report.positions += 1;
        rules.validate(place.state).map_err(|error| place.violation(error.to_string()))?;
        check_ending(place, &mut report)?;
        check_lists(place, &mut report)?;
        check_undo(place, &mut report)?;
        check_refusal(place, &elsewhere, &mut report)?;
        elsewhere.truncate(64);
        let here = possible(rules, place.state);
        if let Some(action) = here.get(stream.below(here.len().max(1) as u32) as usize) {
            elsewhere.insert(0, *action);
        }
        Ok(())
    };
    walk(rules, plan, &mut pick, "moves", visit, |before, _, after| {
        let seats = (rules.turn(before), rules.turn(after));
        let is_same = matches!(seats, (Turn::Seat(a), Turn::Seat(b)) if a == b);
        again.set(again.get() + u64::from(is_same));
    })?;
    report.same_seat_again = again.get();
    Ok(report)
}

fn check_ending<R: Chance>(place: &Place<R>, report: &mut Moves) -> Result<(), Violation> {
    let ending = place.rules.ending(place.state);
    let is_over = place.rules.turn(place.state) == Turn::Over;
    place.ensure(ending.is_some() == is_over, || format!("{ending:?}, but over is {is_over}"))?;
    match ending {
        Some(Ending::Scored(utility)) => {
            report.scored += 1;
            let seats = (0..place.rules.n_seats()).map(|idx| Seat::new(idx as u8));
            let sum: f64 = seats.map(|seat| utility.of(seat)).sum();
            let is_as_said = !place.rules.is_zero_sum() || sum.abs() < 1e-9;
            place.ensure(is_as_said, || format!("scores sum to {sum}"))
        }
        Some(Ending::Truncated) => {
            report.truncated += 1;
            Ok(())
        }
        None => Ok(()),
    }
}

fn check_lists<R: Chance>(place: &Place<R>, report: &mut Moves) -> Result<(), Violation> {
    let legal = place.rules.legal(place.state);
    match place.rules.turn(place.state) {
        Turn::Seat(_) => {
            report.decisions += 1;
            place.ensure(!legal.is_empty(), || "no legal action at a decision".to_owned())?;
        }
        other => {
            report.chance_nodes += u64::from(other == Turn::Chance);
            place.ensure(legal.is_empty(), || format!("{legal:?} listed at {other:?}"))?;
        }
    }
    let distinct: HashSet<_> = legal.iter().collect();
    place.ensure(distinct.len() == legal.len(), || format!("{legal:?} has a duplicate"))?;
    for action in &legal {
        let agrees = place.rules.is_legal(place.state, *action)
            && place.rules.is_possible(place.state, *action);
        place.ensure(agrees, || format!("{action:?} is listed but not legal"))?;
    }
    Ok(())
}

fn check_undo<R: Chance>(place: &Place<R>, report: &mut Moves) -> Result<(), Violation> {
    for action in possible(place.rules, place.state) {
        let mut state = place.state.clone();
        let undo = place.rules.apply(&mut state, action);
        place
            .rules
            .validate(&state)
            .map_err(|error| place.violation(format!("after {action:?}: {error}")))?;
        place.rules.undo(&mut state, action, undo);
        place.ensure(state == *place.state, || format!("{action:?} is not taken back exactly"))?;
        report.undone += 1;
    }
    Ok(())
}

fn check_refusal<R: Chance>(
    place: &Place<R>,
    elsewhere: &[R::Action],
    report: &mut Moves,
) -> Result<(), Violation> {
    let here: HashSet<_> = possible(place.rules, place.state).into_iter().collect();
    for action in elsewhere.iter().filter(|action| !here.contains(*action)) {
        let mut state = place.state.clone();
        let is_refused = place.rules.play(&mut state, *action).is_err();
        place.ensure(is_refused && state == *place.state, || {
            format!("{action:?} is not possible here but was played")
        })?;
        report.refused += 1;
    }
    Ok(())
}
