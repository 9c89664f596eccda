//! What tests of the information boundary ask about War Chest: whole games in which every kind of decision comes up,
//! the names of these kinds, and the fields that a seat hides.

use super::Walk;
use crate::{Action, Decision, State, Step, WarChest};
use game::Seat;

/// A game is left after so many plies.
const PLIES_MAX: usize = 600;

/// Rules, start and plies of game number `number`, played as [`Walk::deal`] plays it. Every second one is a fight of
/// Warrior Priests against a Royal Guard, which gives the rarest decisions.
pub fn played(number: u64) -> (WarChest, State, Vec<Action>) {
    let half = number / 2;
    let is_fight = number % 2 == 1;
    let mut walk = Walk::deal(if is_fight { 4 * half + 3 } else { half / 3 * 4 + half % 3 });
    while walk.plies.len() < PLIES_MAX && walk.step() {}
    (walk.rules, walk.start, walk.plies)
}

/// One in how many decisions of this kind a test looks at: the rarer the kind, the more.
pub fn one_in(state: &State) -> u32 {
    match state.decision() {
        Some(Decision::Main) => 16,
        Some(Decision::RoyalGuard) => 1,
        _ => 2,
    }
}

/// The kind of the decision that a state waits for.
pub fn kind(state: &State) -> &'static str {
    state.decision().map_or("none", Decision::name)
}

/// The rarest mismatch of seats: a Royal Guard's owner decides its loss between the attacker's Warrior Priest draw
/// and the play of the drawn coin.
pub fn rare(state: &State) -> Option<&'static str> {
    let is_between = state.step() == Step::PriestPlay && state.attacked_guard().is_some();
    is_between.then_some("royal_guard_before_priest_play")
}

/// The hidden fields of `seat` that differ between two states.
pub fn differing(one: &State, other: &State, seat: Seat) -> Vec<&'static str> {
    let (one, other) = (one.zones(seat), other.zones(seat));
    let fields = [
        ("hand", one.hand != other.hand),
        ("bag", one.bag != other.bag),
        ("face_down", one.discard_down != other.discard_down),
        ("in_flight", one.drawn != other.drawn),
    ];
    fields.into_iter().filter(|(_, differ)| *differ).map(|(name, _)| name).collect()
}
