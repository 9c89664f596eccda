//! C17: how many messages there are and how long they are.

use crate::planted::{Leak, Planted, has_royal, hidden, leak};
use audit::lab::Test;

pub fn leaks() -> Vec<Leak> {
    vec![
        leak(
            17,
            "padding-by-the-hand",
            "the message to the seat is padded to a length that the hand decides",
            Planted {
                shown: |scene, shown| {
                    let n = hidden(scene).hand.slots().count();
                    shown.push_str(&"\n".repeat(n));
                },
                ..Planted::CLEAN
            },
        ),
        leak(
            17,
            "asks-more-by-the-truth",
            "one more request is sent to the network when the opponent holds its royal coin",
            Planted {
                decided: |scene, decided| decided.asked.requests += u64::from(has_royal(scene)),
                ..Planted::CLEAN
            },
        ),
        leak(
            17,
            "splits-batches-by-the-truth",
            "the same requests come in other batches",
            Planted {
                decided: |scene, decided| {
                    decided.asked.batches += u64::from(hidden(scene).bag.bits().count_ones() % 2);
                },
                ..Planted::CLEAN
            },
        ),
    ]
    .into_iter()
    .map(|leak| leak.caught_by(Test::Sizes))
    .collect()
}
