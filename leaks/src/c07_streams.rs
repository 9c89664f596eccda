//! C7: random streams tied to the deal.

use crate::planted::{Leak, Planted, has_royal, leak};
use search::SearchStreams;

pub fn leaks() -> Vec<Leak> {
    vec![
        leak(
            7,
            "search-stream-from-the-deal",
            "the stream of the worlds is the stream of the deal",
            Planted {
                streams: |scene, streams| SearchStreams {
                    worlds: scene.secret.deal_stream(u64::from(scene.ply)),
                    ..streams
                },
                ..Planted::CLEAN
            },
        ),
        leak(
            7,
            "one-seed-for-everything",
            "noise is drawn from a seed that the deal secret starts with",
            Planted {
                streams: |scene, streams| {
                    let seed = u64::from(scene.secret.0[0]);
                    SearchStreams { noise: SearchStreams::from_seed(seed).noise, ..streams }
                },
                ..Planted::CLEAN
            },
        ),
        leak(
            7,
            "extra-draw-by-the-truth",
            "one more number is drawn when the opponent holds its royal coin",
            Planted {
                decided: |scene, decided| decided.words_drawn += u128::from(has_royal(scene)),
                ..Planted::CLEAN
            },
        ),
    ]
}
