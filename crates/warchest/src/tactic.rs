//! The tactics on the unit cards, one function a card.

use crate::field::Field;
use crate::{Action, Hex, HexSet, RoyalGuardCard, Unit, WarChest};
use game::ActionSink;
use std::ops::ControlFlow;

/// The tactics of the unit of type `unit` on `at` that its own coin pays for. The Footman's is not about one
/// hex and the Royal Guard's needs the royal coin; neither is here.
#[inline]
pub(crate) fn of_unit(
    field: &Field,
    unit: Unit,
    at: Hex,
    sink: &mut impl ActionSink<Action>,
) -> ControlFlow<()> {
    match unit {
        Unit::Archer => archer(field, at, sink),
        Unit::Cavalry => cavalry(field, at, sink),
        Unit::Crossbowman => crossbowman(field, at, sink),
        Unit::Ensign => ensign(field, at, sink),
        Unit::Lancer => lancer(field, at, sink),
        Unit::LightCavalry => light_cavalry(field, at, sink),
        Unit::Marshal => marshal(field, at, sink),
        _ => ControlFlow::Continue(()),
    }
}

/// Attacks at distance exactly 2, straight or bent, whatever stands between.
fn archer(field: &Field, from: Hex, sink: &mut impl ActionSink<Action>) -> ControlFlow<()> {
    for target in field.targets(from.two_away(), field.height(from)) {
        sink.push(Action::TacticArcher { from, target })?;
    }
    ControlFlow::Continue(())
}

/// Moves one step to where it then has a target.
fn cavalry(field: &Field, from: Hex, sink: &mut impl ActionSink<Action>) -> ControlFlow<()> {
    let height = field.height(from);
    for to in field.steps(from) {
        if !field.targets(to.adjacent(), height).is_empty() {
            sink.push(Action::TacticCavalry { from, to })?;
        }
    }
    ControlFlow::Continue(())
}

/// Attacks two away on a straight line over a hex without a unit.
fn crossbowman(field: &Field, from: Hex, sink: &mut impl ActionSink<Action>) -> ControlFlow<()> {
    let targets = field.targets(from.two_away(), field.height(from));
    if targets.is_empty() {
        return ControlFlow::Continue(());
    }
    for direction in 0..6 {
        let Some(middle) = from.neighbor(direction) else { continue };
        let Some(target) = middle.neighbor(direction) else { continue };
        if field.empty.contains(middle) && targets.contains(target) {
            sink.push(Action::TacticCrossbowman { from, target })?;
        }
    }
    ControlFlow::Continue(())
}

/// Another friendly unit within two moves one step and is again within two of the Ensign.
fn ensign(field: &Field, at: Hex, sink: &mut impl ActionSink<Action>) -> ControlFlow<()> {
    for from in field.own & at.within_two() {
        for to in field.steps(from) & at.within_two() {
            sink.push(Action::TacticEnsign { from, to })?;
        }
    }
    ControlFlow::Continue(())
}

/// Moves one or two steps straight through empty hexes, then attacks the next hex in that direction.
fn lancer(field: &Field, from: Hex, sink: &mut impl ActionSink<Action>) -> ControlFlow<()> {
    let targets = field.targets(HexSet::ALL, field.height(from));
    for direction in 0..6 {
        let mut to = from;
        for _ in 0..2 {
            let Some(next) = to.neighbor(direction) else { break };
            if !field.empty.contains(next) {
                break;
            }
            to = next;
            let Some(target) = to.neighbor(direction) else { break };
            if targets.contains(target) {
                sink.push(Action::TacticLancer { from, to, target })?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// Two steps through an empty hex to an empty hex two away.
fn light_cavalry(field: &Field, from: Hex, sink: &mut impl ActionSink<Action>) -> ControlFlow<()> {
    for to in two_steps(field, from) {
        sink.push(Action::TacticLightCavalry { from, to })?;
    }
    ControlFlow::Continue(())
}

/// Another friendly unit within two makes its plain attack.
fn marshal(field: &Field, at: Hex, sink: &mut impl ActionSink<Action>) -> ControlFlow<()> {
    for from in field.own & at.within_two() {
        let unit = field.army().unit(field.state.stack(from).slot());
        for target in field.normal_targets(from, unit) {
            sink.push(Action::TacticMarshal { from, target })?;
        }
    }
    ControlFlow::Continue(())
}

/// The Royal Guard's tactic, paid with the royal coin.
pub(crate) fn royal_guard(
    rules: &WarChest,
    field: &Field,
    sink: &mut impl ActionSink<Action>,
) -> ControlFlow<()> {
    let Some(slot) = field.army().slot_of(Unit::RoyalGuard) else {
        return ControlFlow::Continue(());
    };
    for from in field.state.units(field.seat, slot) {
        let reach = match rules.royal_guard {
            RoyalGuardCard::Revised => {
                (field.steps(from) | two_steps(field, from)) & field.state.control(field.seat)
            }
            RoyalGuardCard::Printed2018 => field.steps(from),
        };
        for to in reach {
            sink.push(Action::TacticRoyalGuard { from, to })?;
        }
    }
    ControlFlow::Continue(())
}

/// The empty hexes exactly two away that one empty hex in between connects.
fn two_steps(field: &Field, from: Hex) -> HexSet {
    let mut reach = HexSet::EMPTY;
    for middle in field.steps(from) {
        reach |= middle.adjacent();
    }
    reach & from.two_away() & field.empty
}
