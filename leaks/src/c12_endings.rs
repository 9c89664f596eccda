//! C12: resignation, length of a game and adjudication by the truth.

use crate::planted::{Leak, Planted, has_royal, leak, tell};

pub fn leaks() -> Vec<Leak> {
    vec![
        leak(
            12,
            "resigns-on-the-truth",
            "a seat gives up when the opponent holds its royal coin, and the value target follows",
            Planted { resigns: has_royal, ..Planted::CLEAN },
        ),
        leak(
            12,
            "cut-off-by-the-truth",
            "a game is cut off early where the true hands are dull",
            Planted {
                verdict: |scene, verdict| {
                    if tell(scene) % 16 == 0 {
                        *verdict = "Some(Truncated)".to_owned();
                    }
                },
                ..Planted::CLEAN
            },
        ),
        leak(
            12,
            "adjudicated-by-the-truth",
            "a game that goes on counts as given up where the true hands are lost",
            Planted {
                verdict: |scene, verdict| {
                    if has_royal(scene) {
                        verdict.push_str(" resigned");
                    }
                },
                ..Planted::CLEAN
            },
        ),
    ]
}
