//! C5: samplers that return the truth too often, never, or too few worlds.

use crate::planted::{Leak, Planted, hidden, leak};
use audit::lab::Test;
use warchest::Concealed;

pub fn leaks() -> Vec<Leak> {
    vec![
        leak(
            5,
            "truth-in-one-of-a-hundred",
            "one world in a hundred is the true one",
            Planted {
                world: |sampling| match sampling.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32 {
                    draw if draw % 100 == 0 => *sampling.truth,
                    _ => sampling.honest(sampling.seed),
                },
                ..Planted::CLEAN
            },
        ),
        leak(
            5,
            "pool-order-from-the-truth",
            "the pool of unseen coins is laid out in the order in which they really lie",
            Planted {
                world: |sampling| {
                    let real = Concealed::of(sampling.truth, sampling.viewer().other());
                    sampling.honest(sampling.seed ^ u64::from(real.hand.bits()))
                },
                ..Planted::CLEAN
            },
        ),
        leak(
            5,
            "never-the-truth",
            "a world that is the true one is drawn again",
            Planted {
                world: |sampling| {
                    let world = sampling.honest(sampling.seed);
                    match world == *sampling.truth {
                        true => sampling.honest(!sampling.seed),
                        false => world,
                    }
                },
                ..Planted::CLEAN
            },
        ),
        leak(
            5,
            "table-marks-the-truth",
            "the belief's table ends with a mark at the true configuration",
            Planted {
                table: |scene, table| table.push(hidden(scene).hand.bits() as u8),
                ..Planted::CLEAN
            },
        ),
        leak(
            5,
            "one-world-for-all-seeds",
            "every seed gives the same world",
            Planted { world: |sampling| sampling.honest(1), ..Planted::CLEAN },
        )
        .caught_by(Test::Spread),
        leak(
            5,
            "lopsided-worlds",
            "one world comes up half of the time, whatever the belief says",
            Planted {
                world: |sampling| match sampling.seed >> 5 & 1 {
                    0 => sampling.honest(1),
                    _ => sampling.honest(sampling.seed),
                },
                ..Planted::CLEAN
            },
        )
        .caught_by(Test::Spread),
    ]
}
