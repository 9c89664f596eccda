//! The one symmetry of the game: half a turn of the board, with the sides swapped.

use crate::{Action, Hex, Stack, State, Step};

/// The same position with the sides swapped and the board turned. Turning twice changes nothing.
pub fn turned_state(state: &State) -> State {
    let mut turned = *state;
    let turn_units = |units: [crate::HexSet; 4]| units.map(crate::HexSet::turned);
    let [white, black] = state.units;
    turned.units = [turn_units(black), turn_units(white)];
    turned.control = [state.control[1].turned(), state.control[0].turned()];
    turned.zones.swap(0, 1);
    turned.armies.swap(0, 1);
    for hex in Hex::all() {
        let stack = state.stack(hex);
        turned.stacks[hex.turned().idx()] = if stack.is_empty() {
            stack
        } else {
            Stack::new(stack.owner().other(), stack.slot(), stack.height())
        };
    }
    turned.step = turned_step(state.step);
    turned.attacked_guard = state.attacked_guard.map(Hex::turned);
    turned.actor = state.actor.other();
    turned.initiative = state.initiative.other();
    turned
}

fn turned_step(step: Step) -> Step {
    match step {
        Step::Cavalry(hex) => Step::Cavalry(hex.turned()),
        Step::Footmen(hexes) => Step::Footmen(hexes.turned()),
        Step::Berserker(hex) => Step::Berserker(hex.turned()),
        Step::Swordsman(hex) => Step::Swordsman(hex.turned()),
        Step::Mercenary(hex) => Step::Mercenary(hex.turned()),
        Step::Over(winner) => Step::Over(winner.map(game::Seat::other)),
        Step::RoundDraw
        | Step::Main
        | Step::FootmanV2Deploy(_)
        | Step::PriestDraw
        | Step::PriestPlay
        | Step::EndOfTurn => step,
    }
}

/// What `action` becomes in the turned position.
pub fn turned_action(action: Action) -> Action {
    use Action::*;
    match action {
        Draw { .. }
        | ClaimInitiative { .. }
        | Recruit { .. }
        | Pass { .. }
        | TacticFootman { .. }
        | BerserkerStop
        | SwordsmanDecline
        | MercenaryDecline
        | FootmanV2Decline
        | RoyalGuardLose { .. } => action,
        Deploy { unit, at } => Deploy { unit, at: at.turned() },
        Bolster { unit, at } => Bolster { unit, at: at.turned() },
        Move { from, to } => Move { from: from.turned(), to: to.turned() },
        Control { at } => Control { at: at.turned() },
        Attack { from, target } => Attack { from: from.turned(), target: target.turned() },
        TacticArcher { from, target } => {
            TacticArcher { from: from.turned(), target: target.turned() }
        }
        TacticCavalry { from, to } => TacticCavalry { from: from.turned(), to: to.turned() },
        TacticCrossbowman { from, target } => {
            TacticCrossbowman { from: from.turned(), target: target.turned() }
        }
        TacticEnsign { from, to } => TacticEnsign { from: from.turned(), to: to.turned() },
        TacticLancer { from, to, target } => {
            TacticLancer { from: from.turned(), to: to.turned(), target: target.turned() }
        }
        TacticLightCavalry { from, to } => {
            TacticLightCavalry { from: from.turned(), to: to.turned() }
        }
        TacticMarshal { from, target } => {
            TacticMarshal { from: from.turned(), target: target.turned() }
        }
        TacticRoyalGuard { from, to } => TacticRoyalGuard { from: from.turned(), to: to.turned() },
        CavalryAttack { from, target } => {
            CavalryAttack { from: from.turned(), target: target.turned() }
        }
        FootmanMove { from, to } => FootmanMove { from: from.turned(), to: to.turned() },
        FootmanControl { at } => FootmanControl { at: at.turned() },
        FootmanAttack { from, target } => {
            FootmanAttack { from: from.turned(), target: target.turned() }
        }
        BerserkerMove { from, to } => BerserkerMove { from: from.turned(), to: to.turned() },
        BerserkerControl { at } => BerserkerControl { at: at.turned() },
        BerserkerAttack { from, target } => {
            BerserkerAttack { from: from.turned(), target: target.turned() }
        }
        SwordsmanMove { from, to } => SwordsmanMove { from: from.turned(), to: to.turned() },
        MercenaryMove { from, to } => MercenaryMove { from: from.turned(), to: to.turned() },
        MercenaryControl { at } => MercenaryControl { at: at.turned() },
        MercenaryAttack { from, target } => {
            MercenaryAttack { from: from.turned(), target: target.turned() }
        }
        FootmanV2Deploy { at } => FootmanV2Deploy { at: at.turned() },
    }
}
