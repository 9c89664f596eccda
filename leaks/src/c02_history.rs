//! C2: the history of events and the pending decision.

use crate::planted::{Leak, Planted, Seen, Sight, hidden, leak};
use game::Observation;
use warchest::Seen as What;
use warchest::{Action, Event, Step};

/// The observation with its events told anew by one who knows what was really played.
fn retold(scene: &Sight<'_>, seen: &Seen, tell: fn(&mut Event, Action)) -> Seen {
    let mut changed = Observation::begin(seen.seat(), *seen.start());
    for (event, &action) in seen.events().iter().zip(scene.truth.plies()) {
        let mut event = *event;
        if event.seat != seen.seat() {
            tell(&mut event, action);
        }
        changed.extend(event, *seen.now());
    }
    changed
}

fn coin_of(action: Action) -> Option<warchest::Coin> {
    match action {
        Action::Draw { coin }
        | Action::ClaimInitiative { coin }
        | Action::Recruit { coin, .. }
        | Action::Pass { coin } => Some(coin),
        _ => None,
    }
}

pub fn leaks() -> Vec<Leak> {
    vec![
        leak(
            2,
            "in-flight-coin-shown",
            "the event of a Warrior Priest's draw names the coin while it is in flight",
            Planted {
                observe: |scene, seen| {
                    let is_in_flight = !hidden(scene).drawn.is_empty();
                    if !is_in_flight {
                        return seen;
                    }
                    retold(scene, &seen, |event, action| {
                        if event.seen == What::PriestDrew {
                            event.coin = coin_of(action);
                        }
                    })
                },
                ..Planted::CLEAN
            },
        ),
        leak(
            2,
            "draws-shown",
            "the events of the opponent's draws name the coins",
            Planted {
                observe: |scene, seen| {
                    retold(scene, &seen, |event, action| {
                        if event.seen == What::Drew {
                            event.coin = coin_of(action);
                        }
                    })
                },
                ..Planted::CLEAN
            },
        ),
        leak(
            2,
            "face-down-coin-in-the-event",
            "claims, recruits and passes name the coin that was spent face-down",
            Planted {
                observe: |scene, seen| {
                    retold(scene, &seen, |event, action| {
                        if !matches!(event.seen, What::Drew | What::PriestDrew | What::Open(_)) {
                            event.coin = coin_of(action);
                        }
                    })
                },
                ..Planted::CLEAN
            },
        ),
        leak(
            2,
            "pending-loss-knows-the-drawn-coin",
            "a Royal Guard's owner who decides before the drawn coin is played gets a hint in a feature",
            Planted {
                features: |scene, _, out| {
                    let state = scene.truth.planted_state();
                    let is_between =
                        state.step() == Step::PriestPlay && state.attacked_guard().is_some();
                    if is_between {
                        out[3] += hidden(scene).drawn.bits() as f32;
                    }
                },
                ..Planted::CLEAN
            },
        ),
        leak(
            2,
            "turn-of-the-hand",
            "the message about a pending decision says what the opponent holds for its answer",
            Planted {
                shown: |scene, shown| {
                    let is_pending = scene.truth.planted_state().step() != Step::Main;
                    if is_pending {
                        shown.push_str(&format!("{:?}\n", hidden(scene).hand));
                    }
                },
                ..Planted::CLEAN
            },
        ),
    ]
}
