//! What an action does. Everything here takes legal actions and possible draws only.

use crate::field::Field;
use crate::state::NO_CAP;
use crate::{
    Action, Board, Coin, Coins, HAND_SIZE, Hex, HexSet, LOCATIONS, Stack, State, Step, Unit,
};
use game::Seat;

/// What a unit has just done; its attributes may answer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Maneuver {
    Move,
    Control,
    Attack,
}

/// Plays one action or draw and settles what follows until the next decision.
#[inline]
pub(crate) fn advance(board: &Board, state: &mut State, action: Action) {
    match action {
        Action::Draw { coin } => return draw(state, coin),
        Action::RoyalGuardLose { from_supply } => lose_guard_coin(state, from_supply),
        Action::Deploy { .. }
        | Action::Bolster { .. }
        | Action::ClaimInitiative { .. }
        | Action::Recruit { .. }
        | Action::Pass { .. } => state.step = use_as_coin(state, action),
        Action::Move { .. }
        | Action::Control { .. }
        | Action::Attack { .. }
        | Action::TacticArcher { .. }
        | Action::TacticCavalry { .. }
        | Action::TacticCrossbowman { .. }
        | Action::TacticEnsign { .. }
        | Action::TacticFootman { .. }
        | Action::TacticLancer { .. }
        | Action::TacticLightCavalry { .. }
        | Action::TacticMarshal { .. }
        | Action::TacticRoyalGuard { .. } => state.step = maneuver(board, state, action),
        _ => state.step = follow_up(board, state, action),
    }
    settle(board, state);
}

/// Placements and face-down uses of a coin.
#[inline]
fn use_as_coin(state: &mut State, action: Action) -> Step {
    let actor = state.actor;
    match action {
        Action::Deploy { unit, at } => {
            let slot = slot_of(state, unit);
            spend(state, slot);
            state.set_stack(at, Stack::new(actor, slot, 1));
        }
        Action::Bolster { unit, at } => {
            let slot = slot_of(state, unit);
            spend(state, slot);
            let stack = state.stacks[at.idx()];
            state.stacks[at.idx()] = stack.higher();
        }
        Action::ClaimInitiative { coin } => {
            spend_face_down(state, coin);
            state.initiative = actor;
            state.initiative_moved = true;
        }
        Action::Recruit { unit, coin } => {
            spend_face_down(state, coin);
            return recruit(state, unit);
        }
        Action::Pass { coin } => spend_face_down(state, coin),
        _ => unreachable!("advance passes only these on"),
    }
    Step::EndOfTurn
}

#[inline]
fn recruit(state: &mut State, unit: Unit) -> Step {
    let slot = slot_of(state, unit);
    let zones = &mut state.zones[state.actor.idx()];
    zones.supply = zones.supply - Coins::one(slot);
    zones.discard_up = zones.discard_up + Coins::one(slot);
    let standing = state.units(state.actor, slot);
    match (unit, standing.first()) {
        (Unit::Mercenary, Some(at)) => Step::Mercenary(at),
        (Unit::FootmanV2, Some(_)) => Step::FootmanV2Deploy(slot),
        _ => Step::EndOfTurn,
    }
}

/// Maneuvers paid by a face-up coin.
#[inline]
fn maneuver(board: &Board, state: &mut State, action: Action) -> Step {
    match action {
        Action::Move { from, to } => {
            spend_face_up(state, slot_at(state, from));
            move_stack(state, from, to);
            after(state, to, Maneuver::Move)
        }
        Action::Control { at } => {
            spend_face_up(state, slot_at(state, at));
            take_control(board, state, at)
        }
        Action::Attack { from, target } => {
            spend_face_up(state, slot_at(state, from));
            strike(state, from, target);
            after(state, from, Maneuver::Attack)
        }
        Action::TacticArcher { from, target } | Action::TacticCrossbowman { from, target } => {
            spend_face_up(state, slot_at(state, from));
            strike(state, from, target);
            Step::EndOfTurn
        }
        Action::TacticCavalry { from, to } => {
            spend_face_up(state, slot_at(state, from));
            move_stack(state, from, to);
            Step::Cavalry(to)
        }
        Action::TacticEnsign { from, to } => {
            spend_face_up(state, slot_of(state, Unit::Ensign));
            move_stack(state, from, to);
            after(state, to, Maneuver::Move)
        }
        Action::TacticFootman { unit } => {
            spend_face_up(state, slot_of(state, unit));
            Step::Footmen(Field::new(board, state, state.actor).footmen())
        }
        Action::TacticLancer { from, to, target } => {
            spend_face_up(state, slot_at(state, from));
            move_stack(state, from, to);
            strike(state, to, target);
            Step::EndOfTurn
        }
        Action::TacticLightCavalry { from, to } => {
            spend_face_up(state, slot_at(state, from));
            move_stack(state, from, to);
            Step::EndOfTurn
        }
        Action::TacticMarshal { from, target } => {
            spend_face_up(state, slot_of(state, Unit::Marshal));
            strike(state, from, target);
            after(state, from, Maneuver::Attack)
        }
        Action::TacticRoyalGuard { from, to } => {
            spend_face_up(state, crate::ROYAL_SLOT);
            move_stack(state, from, to);
            Step::EndOfTurn
        }
        _ => unreachable!("advance passes only these on"),
    }
}

/// Decisions inside a turn; no coin is used.
#[inline]
fn follow_up(board: &Board, state: &mut State, action: Action) -> Step {
    match action {
        Action::CavalryAttack { from, target } | Action::MercenaryAttack { from, target } => {
            strike(state, from, target);
            Step::EndOfTurn
        }
        Action::FootmanMove { from, to } => {
            move_stack(state, from, to);
            footman_done(state, from)
        }
        Action::FootmanControl { at } => {
            let waiting = footman_done(state, at);
            match take_control(board, state, at) {
                won @ Step::Over(_) => won,
                _ => waiting,
            }
        }
        Action::FootmanAttack { from, target } => {
            strike(state, from, target);
            footman_done(state, from)
        }
        Action::BerserkerMove { from, to } => {
            pay_from_stack(state, from);
            move_stack(state, from, to);
            after(state, to, Maneuver::Move)
        }
        Action::BerserkerControl { at } => {
            pay_from_stack(state, at);
            take_control(board, state, at)
        }
        Action::BerserkerAttack { from, target } => {
            pay_from_stack(state, from);
            strike(state, from, target);
            after(state, from, Maneuver::Attack)
        }
        Action::SwordsmanMove { from, to } | Action::MercenaryMove { from, to } => {
            move_stack(state, from, to);
            Step::EndOfTurn
        }
        Action::MercenaryControl { at } => take_control(board, state, at),
        Action::FootmanV2Deploy { at } => {
            let slot = slot_of(state, Unit::FootmanV2);
            let zones = &mut state.zones[state.actor.idx()];
            zones.discard_up = zones.discard_up - Coins::one(slot);
            state.set_stack(at, Stack::new(state.actor, slot, 1));
            Step::EndOfTurn
        }
        _ => Step::EndOfTurn,
    }
}

/// Moves on when nothing is left to decide: past Footmen that are blocked and a Berserker with nothing to pay for,
/// to the next turn or round. A Swordsman, a Mercenary or a recruited Footman V2 that can do nothing still has
/// its (only) answer to give, as in the referee's games.
#[inline]
fn settle(board: &Board, state: &mut State) {
    if state.attacked_guard.is_some() {
        return;
    }
    let is_pending = match state.step {
        Step::EndOfTurn => false,
        Step::Footmen(waiting) => {
            Field::new(board, state, state.actor).any_footman_can_maneuver(waiting)
        }
        Step::Berserker(at) => {
            !Field::new(board, state, state.actor).berserker_options(at).is_empty()
        }
        _ => true,
    };
    if !is_pending {
        next_turn(state);
    }
}

#[inline]
fn next_turn(state: &mut State) {
    state.priest_v2_drew = false;
    let other = state.actor.other();
    if state.cap != NO_CAP && state.coin_plays >= state.cap {
        state.step = Step::Over(None);
    } else if !state.zones[other.idx()].hand.is_empty() {
        state.actor = other;
        state.step = Step::Main;
    } else if !state.zones[state.actor.idx()].hand.is_empty() {
        state.step = Step::Main;
    } else {
        state.round = state.round.saturating_add(1);
        state.initiative_moved = false;
        state.actor = state.initiative;
        next_draw(state);
    }
}

/// Finds who draws next, or starts the first turn of the round.
#[inline]
fn next_draw(state: &mut State) {
    if needs_coin(state, state.actor) {
        state.step = Step::RoundDraw;
        return;
    }
    if state.actor == state.initiative {
        state.actor = state.actor.other();
        if needs_coin(state, state.actor) {
            state.step = Step::RoundDraw;
            return;
        }
    }
    let holder = state.initiative;
    // Everybody owns the royal coin, which never leaves the cycle: the holder has drawn at least that one.
    debug_assert!(!state.zones[holder.idx()].hand.is_empty());
    state.actor = holder;
    state.step = Step::Main;
}

/// Whether `seat` draws (another) coin at the start of a round.
#[inline]
pub(crate) fn needs_coin(state: &State, seat: Seat) -> bool {
    let zones = state.zones(seat);
    zones.hand.total() < HAND_SIZE && !zones.draw_pool().is_empty()
}

#[inline]
fn draw(state: &mut State, coin: Coin) {
    let seat = state.actor;
    let slot = coin_slot(state, coin);
    let zones = &mut state.zones[seat.idx()];
    if zones.bag.is_empty() {
        zones.bag = zones.discard();
        zones.discard_up = Coins::NONE;
        zones.discard_down = Coins::NONE;
    }
    zones.bag = zones.bag - Coins::one(slot);
    if state.step == Step::PriestDraw {
        zones.drawn = Coins::one(slot);
        state.step = Step::PriestPlay;
    } else {
        zones.hand = zones.hand + Coins::one(slot);
        next_draw(state);
    }
}

#[inline]
fn slot_of(state: &State, unit: Unit) -> usize {
    state.army(state.actor).slot_of(unit).expect("the acting army has the type")
}

#[inline]
fn coin_slot(state: &State, coin: Coin) -> usize {
    state.army(state.actor).coin_slot(coin).expect("the acting army has the coin")
}

#[inline]
fn slot_at(state: &State, hex: Hex) -> usize {
    state.stack(hex).slot()
}

/// Takes the used coin from the hand, or from flight.
#[inline]
fn spend(state: &mut State, slot: usize) {
    let zones = &mut state.zones[state.actor.idx()];
    if state.step == Step::PriestPlay {
        zones.drawn = Coins::NONE;
    } else {
        zones.hand = zones.hand - Coins::one(slot);
        state.coin_plays = (state.coin_plays + 1).min(NO_CAP - 1);
    }
}

#[inline]
fn spend_face_up(state: &mut State, slot: usize) {
    spend(state, slot);
    let zones = &mut state.zones[state.actor.idx()];
    zones.discard_up = zones.discard_up + Coins::one(slot);
}

#[inline]
fn spend_face_down(state: &mut State, coin: Coin) {
    let slot = coin_slot(state, coin);
    spend(state, slot);
    let zones = &mut state.zones[state.actor.idx()];
    zones.discard_down = zones.discard_down + Coins::one(slot);
}

#[inline]
fn move_stack(state: &mut State, from: Hex, to: Hex) {
    let stack = state.stacks[from.idx()];
    let units = &mut state.units[stack.owner().idx()][stack.slot()];
    *units = units.without(from).with(to);
    state.stacks[from.idx()] = Stack::EMPTY;
    state.stacks[to.idx()] = stack;
}

/// The actor's unit on `at` takes the location; the last marker wins.
#[inline]
fn take_control(board: &Board, state: &mut State, at: Hex) -> Step {
    let actor = state.actor;
    debug_assert!(LOCATIONS.contains(at));
    let theirs = &mut state.control[actor.other().idx()];
    *theirs = theirs.without(at);
    let ours = &mut state.control[actor.idx()];
    *ours = ours.with(at);
    if ours.len() == board.n_markers {
        return Step::Over(Some(actor));
    }
    after(state, at, Maneuver::Control)
}

/// One attack: the target loses a coin (a Royal Guard's owner may have to choose which), and a Pikeman beside
/// the attacker takes one of the attacker's.
#[inline]
fn strike(state: &mut State, from: Hex, target: Hex) {
    let victim = state.stack(target);
    let defender = victim.owner();
    let unit = state.army(defender).unit(victim.slot());
    if unit == Unit::RoyalGuard && state.zones(defender).supply.has(victim.slot()) {
        state.attacked_guard = Some(target);
    } else {
        remove_coin(state, target);
    }
    if unit == Unit::Pikeman && from.adjacent().contains(target) {
        remove_coin(state, from);
    }
}

/// One coin of the stack leaves the game.
#[inline]
fn remove_coin(state: &mut State, hex: Hex) {
    let stack = state.stack(hex);
    let zones = &mut state.zones[stack.owner().idx()];
    zones.eliminated = zones.eliminated + Coins::one(stack.slot());
    if stack.height() == 1 {
        state.set_stack(hex, Stack::EMPTY);
    } else {
        state.stacks[hex.idx()] = stack.lower();
    }
}

fn lose_guard_coin(state: &mut State, from_supply: bool) {
    let Some(hex) = state.attacked_guard.take() else { return };
    if from_supply {
        let stack = state.stack(hex);
        let zones = &mut state.zones[stack.owner().idx()];
        zones.supply = zones.supply - Coins::one(stack.slot());
        zones.eliminated = zones.eliminated + Coins::one(stack.slot());
    } else {
        remove_coin(state, hex);
    }
}

/// A Berserker pays for its next maneuver; the coin returns to the bag some day.
#[inline]
fn pay_from_stack(state: &mut State, hex: Hex) {
    let stack = state.stack(hex);
    state.stacks[hex.idx()] = stack.lower();
    let zones = &mut state.zones[stack.owner().idx()];
    zones.discard_up = zones.discard_up + Coins::one(stack.slot());
}

/// What the attributes of the unit on `hex` offer after it has maneuvered there, if it still stands.
#[inline]
fn after(state: &mut State, hex: Hex, done: Maneuver) -> Step {
    let stack = state.stack(hex);
    if stack.is_empty() {
        return Step::EndOfTurn;
    }
    match (state.army(state.actor).unit(stack.slot()), done) {
        (Unit::Berserker, _) | (Unit::BerserkerV2, Maneuver::Move | Maneuver::Attack)
            if stack.height() >= 2 =>
        {
            Step::Berserker(hex)
        }
        (Unit::Swordsman, Maneuver::Attack) => Step::Swordsman(hex),
        (Unit::WarriorPriest, Maneuver::Control | Maneuver::Attack) => Step::PriestDraw,
        (Unit::WarriorPriestV2, Maneuver::Control | Maneuver::Attack) if !state.priest_v2_drew => {
            state.priest_v2_drew = true;
            Step::PriestDraw
        }
        _ => Step::EndOfTurn,
    }
}

/// The Footman that stood on `hex` has acted.
#[inline]
fn footman_done(state: &State, hex: Hex) -> Step {
    let Step::Footmen(waiting) = state.step else { return Step::EndOfTurn };
    match waiting.without(hex) {
        HexSet::EMPTY => Step::EndOfTurn,
        left => Step::Footmen(left),
    }
}
