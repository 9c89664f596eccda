//! The legal actions of the seat to act. Their order depends only on what that seat may know.

use crate::field::Field;
use crate::tactic;
use crate::{Action, Army, Coin, HexSet, N_SLOTS, ROYAL_SLOT, State, Step, Unit, WarChest};
use game::{ActionSink, Count, Turn};
use std::ops::ControlFlow;

/// Pushes every legal action. Looks at no hidden zone but the deciding seat's own.
pub(crate) fn generate(
    rules: &WarChest,
    state: &State,
    sink: &mut impl ActionSink<Action>,
) -> ControlFlow<()> {
    let Turn::Seat(_) = state.turn() else { return ControlFlow::Continue(()) };
    if state.attacked_guard.is_some() {
        sink.push(Action::RoyalGuardLose { from_supply: true })?;
        return sink.push(Action::RoyalGuardLose { from_supply: false });
    }
    let field = Field::new(&rules.board, state, state.actor);
    let zones = state.zones(state.actor);
    match state.step {
        Step::Main => {
            for slot in zones.hand.slots() {
                coin_actions(rules, &field, slot, sink)?;
            }
            ControlFlow::Continue(())
        }
        Step::PriestPlay => {
            for slot in zones.drawn.slots() {
                coin_actions(rules, &field, slot, sink)?;
            }
            ControlFlow::Continue(())
        }
        _ => pending_actions(&field, sink),
    }
}

/// For each slot, how many legal actions the acting seat has that use a coin of it, had it one: at a decision that
/// uses a coin, the legal actions are those of the types in the hand, or of the coin in flight.
pub(crate) fn counts_by_coin(rules: &WarChest, state: &State) -> [u64; N_SLOTS] {
    let field = Field::new(&rules.board, state, state.actor);
    std::array::from_fn(|slot| {
        let mut count = Count::default();
        let _ = coin_actions(rules, &field, slot, &mut count);
        count.0
    })
}

/// What one coin of the hand, or the one in flight, can be used for.
#[inline]
fn coin_actions(
    rules: &WarChest,
    field: &Field,
    slot: usize,
    sink: &mut impl ActionSink<Action>,
) -> ControlFlow<()> {
    if slot == ROYAL_SLOT {
        tactic::royal_guard(rules, field, sink)?;
    } else {
        let unit = field.army().unit(slot);
        let standing = field.state.units(field.seat, slot);
        deploy(field, unit, standing, sink)?;
        for at in standing {
            sink.push(Action::Bolster { unit, at })?;
            for to in field.steps(at) {
                sink.push(Action::Move { from: at, to })?;
            }
            if field.can_control(at) {
                sink.push(Action::Control { at })?;
            }
            for target in field.normal_targets(at, unit) {
                sink.push(Action::Attack { from: at, target })?;
            }
            tactic::of_unit(field, unit, at, sink)?;
        }
        if unit.is_footman()
            && !standing.is_empty()
            && field.any_footman_can_maneuver(field.footmen())
        {
            sink.push(Action::TacticFootman { unit })?;
        }
    }
    face_down(field, field.army().coin(slot), sink)
}

#[inline]
fn deploy(
    field: &Field,
    unit: Unit,
    standing: HexSet,
    sink: &mut impl ActionSink<Action>,
) -> ControlFlow<()> {
    if standing.len() >= unit.n_deployed_max() {
        return ControlFlow::Continue(());
    }
    let mut spots = field.state.control(field.seat);
    if unit == Unit::Scout {
        for friend in field.own {
            spots |= friend.adjacent();
        }
    }
    for at in spots & field.empty {
        sink.push(Action::Deploy { unit, at })?;
    }
    ControlFlow::Continue(())
}

#[inline]
fn face_down(field: &Field, coin: Coin, sink: &mut impl ActionSink<Action>) -> ControlFlow<()> {
    let state = field.state;
    if state.initiative != field.seat && !state.initiative_moved {
        sink.push(Action::ClaimInitiative { coin })?;
    }
    for slot in state.zones(field.seat).supply.slots() {
        if slot < Army::LEN {
            sink.push(Action::Recruit { unit: field.army().unit(slot), coin })?;
        }
    }
    sink.push(Action::Pass { coin })
}

/// The decisions inside a turn.
fn pending_actions(field: &Field, sink: &mut impl ActionSink<Action>) -> ControlFlow<()> {
    let state = field.state;
    match state.step {
        Step::Cavalry(from) => {
            for target in field.normal_targets(from, Unit::Cavalry) {
                sink.push(Action::CavalryAttack { from, target })?;
            }
        }
        Step::Footmen(waiting) => {
            for from in waiting {
                for to in field.steps(from) {
                    sink.push(Action::FootmanMove { from, to })?;
                }
                if field.can_control(from) {
                    sink.push(Action::FootmanControl { at: from })?;
                }
                for target in field.normal_targets(from, Unit::Footman) {
                    sink.push(Action::FootmanAttack { from, target })?;
                }
            }
        }
        Step::Berserker(from) => {
            let options = field.berserker_options(from);
            for to in options.steps {
                sink.push(Action::BerserkerMove { from, to })?;
            }
            if options.control {
                sink.push(Action::BerserkerControl { at: from })?;
            }
            for target in options.targets {
                sink.push(Action::BerserkerAttack { from, target })?;
            }
            sink.push(Action::BerserkerStop)?;
        }
        Step::Swordsman(from) => {
            for to in field.steps(from) {
                sink.push(Action::SwordsmanMove { from, to })?;
            }
            sink.push(Action::SwordsmanDecline)?;
        }
        Step::Mercenary(from) => {
            for to in field.steps(from) {
                sink.push(Action::MercenaryMove { from, to })?;
            }
            if field.can_control(from) {
                sink.push(Action::MercenaryControl { at: from })?;
            }
            for target in field.normal_targets(from, Unit::Mercenary) {
                sink.push(Action::MercenaryAttack { from, target })?;
            }
            sink.push(Action::MercenaryDecline)?;
        }
        Step::FootmanV2Deploy(slot) => {
            let standing = state.units(field.seat, slot);
            if standing.len() < field.army().unit(slot).n_deployed_max() {
                for at in state.control(field.seat) & field.empty {
                    sink.push(Action::FootmanV2Deploy { at })?;
                }
            }
            sink.push(Action::FootmanV2Decline)?;
        }
        _ => {}
    }
    ControlFlow::Continue(())
}
