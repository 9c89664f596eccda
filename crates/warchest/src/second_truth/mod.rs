//! Another game that one seat cannot tell from the real one: the opponent's hidden coins are chosen anew, the
//! whole history is replayed through the rules, and the result is kept only if the seat saw the same at every
//! ply.
//!
//! This is the independent witness against which beliefs, searches and rows are tested: it knows the real game
//! and shares nothing with any belief.

mod assign;
mod script;

use crate::{Action, Coins, State, WarChest};
use assign::Assignment;
use game::{Hidden, Rules, Seat, SecondPast, SecondTruth, Stream};
use script::{Item, Script};

/// How often an assignment is drawn before one that changes nothing hidden now is accepted.
const ATTEMPTS: usize = 8;

impl SecondTruth for WarChest {
    fn second_truth(
        &self,
        start: &State,
        plies: &[Action],
        seat: Seat,
        stream: &mut Stream,
    ) -> Option<SecondPast<WarChest>> {
        let script = Script::read(self, start, plies, seat.other());
        let mut found = None;
        for attempt in 0..ATTEMPTS {
            // Later attempts leave more of the past as it was, which never fails.
            let from_cycle = if attempt < ATTEMPTS / 2 { 0 } else { script.last_cycle() };
            let Some(assignment) = Assignment::draw(&script, from_cycle, stream) else { continue };
            let Some(past) = rebuild(&script, &assignment, start, plies) else { continue };
            let is_real = past.start == *start && past.plies == plies;
            if is_real || !looks_the_same(self, start, plies, &past, seat) {
                continue;
            }
            if assignment.end != script.real_end() {
                return Some(past);
            }
            found = Some(past);
        }
        found
    }
}

/// The game with the assigned coins in place of the real ones.
fn rebuild(
    script: &Script,
    assignment: &Assignment,
    start: &State,
    plies: &[Action],
) -> Option<SecondPast<WarChest>> {
    let army = *start.army(script.seat);
    let mut plies = plies.to_vec();
    let zones = start.zones(script.seat);
    let mut bag = zones.bag + zones.hand + zones.discard_down + zones.drawn;
    let (mut hand, mut discard_down, mut drawn) = (Coins::NONE, Coins::NONE, Coins::NONE);
    for (item, slot) in script.items.iter().zip(&assignment.slots) {
        let coin = army.coin(*slot);
        match item {
            Item::Start(place) => {
                bag = bag - Coins::one(*slot);
                let zone = match place {
                    script::Place::Hand => &mut hand,
                    script::Place::Flight => &mut drawn,
                    script::Place::DiscardDown => &mut discard_down,
                };
                *zone = *zone + Coins::one(*slot);
            }
            Item::Draw { ply_idx, .. } => plies[*ply_idx] = Action::Draw { coin },
            Item::UseHidden { ply_idx, .. } => {
                plies[*ply_idx] = match plies[*ply_idx] {
                    Action::ClaimInitiative { .. } => Action::ClaimInitiative { coin },
                    Action::Recruit { unit, .. } => Action::Recruit { unit, coin },
                    Action::Pass { .. } => Action::Pass { coin },
                    _ => return None,
                };
            }
            Item::UseShown { .. } | Item::Discarded(_) | Item::Retrieved(_) => {}
        }
    }
    let mut start = *start;
    let zones = start.zones_mut(script.seat);
    (zones.bag, zones.hand, zones.discard_down, zones.drawn) = (bag, hand, discard_down, drawn);
    Some(SecondPast { start, plies })
}

/// Whether the rules allow the other game and `seat` sees the same in it, ply by ply.
fn looks_the_same(
    rules: &WarChest,
    start: &State,
    plies: &[Action],
    past: &SecondPast<WarChest>,
    seat: Seat,
) -> bool {
    if rules.validate(&past.start).is_err() {
        return false;
    }
    let (mut real, mut other) = (*start, past.start);
    if rules.now(&real, seat) != rules.now(&other, seat) {
        return false;
    }
    for (played, replayed) in plies.iter().zip(&past.plies) {
        if !rules.is_possible(&other, *replayed) {
            return false;
        }
        if rules.event(&real, *played, seat) != rules.event(&other, *replayed, seat) {
            return false;
        }
        rules.apply(&mut real, *played);
        rules.apply(&mut other, *replayed);
        if rules.now(&real, seat) != rules.now(&other, seat) {
            return false;
        }
    }
    true
}
