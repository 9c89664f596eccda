//! C14: searches that simulate on the live observation.

use crate::planted::{Leak, Planted, leak};
use audit::lab::Test;

pub fn leaks() -> Vec<Leak> {
    vec![
        leak(
            14,
            "simulates-on-the-live-observation",
            "an event of a simulation stays in the history",
            Planted {
                live: |_, live| {
                    if let Some(event) = live.events().last().copied() {
                        let now = *live.now();
                        live.extend(event, now);
                    }
                },
                ..Planted::CLEAN
            },
        )
        .caught_by(Test::SideEffects),
        leak(
            14,
            "leaf-left-in-now",
            "what the seat knows now is that of the last leaf",
            Planted {
                live: |_, live| {
                    let mut now = *live.now();
                    now.coin_plays += 1;
                    if let Some(event) = live.events().last().copied() {
                        live.extend(event, now);
                    }
                },
                ..Planted::CLEAN
            },
        )
        .caught_by(Test::SideEffects),
    ]
}
