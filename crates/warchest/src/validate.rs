//! Every invariant of a position, checked from scratch.

use crate::apply::needs_coin;
use crate::field::Field;
use crate::state::NO_CAP;
use crate::{
    Army, Board, HAND_SIZE, Hex, HexSet, LOCATIONS, N_SLOTS, ROYAL_SLOT, State, Step, Unit,
    WarChest,
};
use game::{Any, InvalidState, Rules, Seat, Turn};

/// Refuses a position that these rules can never reach or go on from.
pub(crate) fn check(rules: &WarChest, state: &State) -> Result<(), InvalidState> {
    check_armies(rules, state)?;
    check_board(&rules.board, state)?;
    check_markers(&rules.board, state)?;
    for seat in Seat::BOTH {
        check_coins(state, seat)?;
    }
    check_counters(state)?;
    check_step(&rules.board, state)?;
    check_guard(state)?;
    if let Turn::Seat(_) = state.turn() {
        let mut any = Any::new(|_: &crate::Action| true);
        let _ = rules.actions(state, &mut any);
        ensure(any.found, || "no action is legal, but passing always is".to_owned())?;
    }
    Ok(())
}

fn ensure(holds: bool, what: impl FnOnce() -> String) -> Result<(), InvalidState> {
    if holds { Ok(()) } else { Err(InvalidState(what())) }
}

pub(crate) const fn seat_name(seat: Seat) -> &'static str {
    match seat.idx() {
        0 => "white",
        _ => "black",
    }
}

fn check_armies(rules: &WarChest, state: &State) -> Result<(), InvalidState> {
    Army::check_disjoint(&state.armies).map_err(|error| InvalidState(error.to_string()))?;
    for unit in state.armies.iter().flat_map(|army| *army.units()) {
        ensure(rules.knows(unit), || format!("{unit} is not in pool {}", rules.pool.name()))?;
    }
    Ok(())
}

fn check_board(board: &Board, state: &State) -> Result<(), InvalidState> {
    let mut units = [[HexSet::EMPTY; Army::LEN]; 2];
    for hex in Hex::all() {
        let stack = state.stack(hex);
        if stack.is_empty() {
            continue;
        }
        ensure(board.hexes.contains(hex), || format!("{hex} is not on the board"))?;
        ensure(stack.height() >= 1, || format!("the stack on {hex} has no coin"))?;
        let set = &mut units[stack.owner().idx()][stack.slot()];
        *set = set.with(hex);
    }
    ensure(units == state.units, || "stacks and unit sets disagree".to_owned())?;
    for seat in Seat::BOTH {
        for slot in 0..Army::LEN {
            let unit = state.army(seat).unit(slot);
            let n_deployed = state.units(seat, slot).len();
            ensure(n_deployed <= unit.n_deployed_max(), || {
                format!("{} has {n_deployed} units of type {unit}", seat_name(seat))
            })?;
        }
    }
    Ok(())
}

fn check_markers(board: &Board, state: &State) -> Result<(), InvalidState> {
    let [white, black] = state.control;
    ensure((white & black).is_empty(), || "a location has two markers".to_owned())?;
    for seat in Seat::BOTH {
        let control = state.control(seat);
        let name = seat_name(seat);
        ensure(control.minus(LOCATIONS & board.hexes).is_empty(), || {
            format!("{name} has a marker off the locations")
        })?;
        let n_placed = control.len();
        ensure(n_placed <= board.n_markers, || format!("{name} has placed {n_placed} markers"))?;
        ensure((n_placed == board.n_markers) == (state.step == Step::Over(Some(seat))), || {
            let n_markers = board.n_markers;
            format!(
                "{name} has placed {n_placed} markers of {n_markers}, which does not fit the ending"
            )
        })?;
    }
    Ok(())
}

fn check_coins(state: &State, seat: Seat) -> Result<(), InvalidState> {
    let name = seat_name(seat);
    let zones = state.zones(seat);
    let printed = state.army(seat).printed_coins();
    let mut total = [0u32; N_SLOTS];
    for (_, coins) in zones.named() {
        for (sum, count) in total.iter_mut().zip(coins.counts()) {
            *sum += u32::from(count);
        }
    }
    for hex in state.occupied_by(seat) {
        let stack = state.stack(hex);
        total[stack.slot()] += u32::from(stack.height());
    }
    for (slot, sum) in total.into_iter().enumerate() {
        let coin = state.army(seat).coin(slot);
        ensure(sum <= u32::from(printed.count(slot)), || {
            format!("{name} has {sum} coins of type {coin}, more than are printed")
        })?;
    }
    ensure(total[ROYAL_SLOT] == 1, || format!("{name} has no royal coin"))?;
    ensure(!zones.supply.has(ROYAL_SLOT) && !zones.eliminated.has(ROYAL_SLOT), || {
        format!("{name}'s royal coin has left the cycle of bag, hand and discard")
    })?;
    ensure(zones.hand.total() <= HAND_SIZE, || {
        format!("{name} holds {} coins", zones.hand.total())
    })?;
    let n_drawn = u32::from(state.step == Step::PriestPlay && state.actor == seat);
    ensure(zones.drawn.total() == n_drawn, || {
        format!("{name} has {} coins in flight, but {n_drawn} belong there", zones.drawn.total())
    })
}

fn check_counters(state: &State) -> Result<(), InvalidState> {
    ensure(state.round >= 1, || "rounds count from 1".to_owned())?;
    ensure(state.cap >= 1, || "a cap of 0 coin plays allows no game".to_owned())?;
    let is_turn_open = !matches!(state.step, Step::Main | Step::RoundDraw | Step::Over(_));
    let is_capped = state.cap != NO_CAP;
    let n = state.coin_plays;
    ensure(!is_capped || n <= state.cap, || format!("{n} coin plays lie beyond the cap"))?;
    if matches!(state.step, Step::Main | Step::RoundDraw) {
        ensure(!is_capped || n < state.cap, || format!("{n} coin plays reach the cap"))?;
    }
    if state.step == Step::Over(None) {
        ensure(is_capped && n == state.cap, || "truncated away from the cap".to_owned())?;
    }
    if state.priest_v2_drew {
        let has_priest = state.army(state.actor).slot_of(Unit::WarriorPriestV2).is_some();
        let is_won = matches!(state.step, Step::Over(Some(_)));
        ensure(has_priest && (is_turn_open || is_won), || {
            "a Warrior Priest V2 has drawn in no turn".to_owned()
        })?;
    }
    Ok(())
}

fn check_step(board: &Board, state: &State) -> Result<(), InvalidState> {
    let actor = state.actor;
    let name = seat_name(actor);
    let field = Field::new(board, state, actor);
    let is_open = state.attacked_guard.is_none();
    match state.step {
        Step::RoundDraw => check_round_draw(state),
        Step::Main => ensure(!state.zones(actor).hand.is_empty(), || {
            format!("{name} is to use a coin but holds none")
        }),
        Step::EndOfTurn => ensure(!is_open, || "a turn has ended but not passed on".to_owned()),
        Step::Cavalry(at) => {
            check_unit_at(state, at, |unit| unit == Unit::Cavalry)?;
            ensure(!field.normal_targets(at, Unit::Cavalry).is_empty(), || {
                format!("the cavalry on {at} has no target")
            })
        }
        Step::Footmen(waiting) => {
            ensure(!waiting.is_empty() && waiting.minus(field.footmen()).is_empty(), || {
                format!("{name} has no footman waiting at {waiting:?}")
            })?;
            ensure(!is_open || field.any_footman_can_maneuver(waiting), || {
                "no waiting footman can maneuver".to_owned()
            })
        }
        Step::Berserker(at) => {
            check_unit_at(state, at, Unit::is_berserker)?;
            ensure(state.stack(at).height() >= 2, || {
                format!("the berserker on {at} has no coin to pay with")
            })?;
            ensure(!is_open || !field.berserker_options(at).is_empty(), || {
                format!("the berserker on {at} has nothing to pay for")
            })
        }
        Step::Swordsman(at) => check_unit_at(state, at, |unit| unit == Unit::Swordsman),
        Step::Mercenary(at) => check_unit_at(state, at, |unit| unit == Unit::Mercenary),
        Step::FootmanV2Deploy(slot) => {
            let is_footman = slot < Army::LEN && state.army(actor).unit(slot) == Unit::FootmanV2;
            ensure(
                is_footman
                    && !state.units(actor, slot).is_empty()
                    && state.zones(actor).discard_up.has(slot),
                || format!("{name} has recruited no footman_v2 beside a deployed one"),
            )
        }
        Step::PriestDraw => {
            check_priest(state)?;
            ensure(!state.zones(actor).draw_pool().is_empty(), || {
                format!("{name}'s warrior priest has no coin to draw")
            })
        }
        Step::PriestPlay => check_priest(state),
        Step::Over(_) => Ok(()),
    }
}

fn check_round_draw(state: &State) -> Result<(), InvalidState> {
    let (actor, other) = (state.actor, state.actor.other());
    ensure(!state.initiative_moved, || "the initiative moved before the first turn".to_owned())?;
    ensure(needs_coin(state, actor), || format!("{} has no coin to draw", seat_name(actor)))?;
    if actor == state.initiative {
        ensure(state.zones(other).hand.is_empty(), || {
            format!("{} drew before the holder of the initiative", seat_name(other))
        })
    } else {
        ensure(!needs_coin(state, other), || {
            format!("{} draws first, as it holds the initiative", seat_name(other))
        })
    }
}

fn check_unit_at(
    state: &State,
    at: Hex,
    is_kind: impl Fn(Unit) -> bool,
) -> Result<(), InvalidState> {
    let is_own = !state.stack(at).is_empty() && state.stack(at).owner() == state.actor;
    ensure(is_own && state.unit_at(at).is_some_and(is_kind), || {
        format!("the unit that is to act does not stand on {at}")
    })
}

fn check_priest(state: &State) -> Result<(), InvalidState> {
    let army = state.army(state.actor);
    ensure(army.units().iter().any(|unit| unit.is_warrior_priest()), || {
        format!("{} has no warrior priest to draw for", seat_name(state.actor))
    })
}

fn check_guard(state: &State) -> Result<(), InvalidState> {
    let Some(hex) = state.attacked_guard else { return Ok(()) };
    let stack = state.stack(hex);
    let defender = state.actor.other();
    let is_guard = !stack.is_empty()
        && stack.owner() == defender
        && state.unit_at(hex) == Some(Unit::RoyalGuard)
        && state.zones(defender).supply.has(stack.slot());
    ensure(is_guard, || format!("no royal guard with a supply was attacked on {hex}"))?;
    let is_after_attack = !matches!(
        state.step,
        Step::Main
            | Step::RoundDraw
            | Step::Cavalry(_)
            | Step::Mercenary(_)
            | Step::FootmanV2Deploy(_)
            | Step::Over(_)
    );
    ensure(is_after_attack, || "a royal guard's loss is open, but nothing attacked".to_owned())
}
