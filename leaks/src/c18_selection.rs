//! C18: checkpoints chosen by an evaluation that sees more than a player.

use crate::planted::{Leak, Planted, has_royal, hidden, leak, tell};

pub fn leaks() -> Vec<Leak> {
    vec![
        leak(
            18,
            "gate-sees-the-truth",
            "the score of a gate's game counts the coins that the opponent really holds",
            Planted {
                verdict: |scene, verdict| {
                    verdict.push_str(&format!(" {}", hidden(scene).hand.bits() % 97));
                },
                ..Planted::CLEAN
            },
        ),
        leak(
            18,
            "cut-off-games-judged-by-the-hands",
            "a truncated match is given to the side with its royal coin in hand",
            Planted {
                verdict: |scene, verdict| {
                    if has_royal(scene) {
                        *verdict = "lost".to_owned();
                    }
                },
                ..Planted::CLEAN
            },
        ),
        leak(
            18,
            "luck-taken-off-by-the-deal",
            "a match's score is corrected by the coins still in the bag",
            Planted {
                verdict: |scene, verdict| {
                    verdict.push_str(&format!(" {:+.2}", f64::from(tell(scene) % 7) / 100.0));
                },
                ..Planted::CLEAN
            },
        ),
    ]
}
