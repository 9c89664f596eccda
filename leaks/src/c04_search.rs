//! C4: searches that read the true state.

use crate::planted::{Leak, Planted, has_royal, leak, tell};
use game::Seat;

/// The named negative control.
pub const TRUTH_GROWN: &str = "truth-grown";

/// A search that grows its trees in the truth and masks only the network's input.
pub fn truth_grown() -> Planted {
    Planted { world: |sampling| *sampling.truth, ..Planted::CLEAN }
}

pub fn leaks() -> Vec<Leak> {
    vec![
        leak(
            4,
            TRUTH_GROWN,
            "the tree is grown in the true state and only the network's input is masked",
            truth_grown(),
        ),
        leak(
            4,
            "one-tree-in-the-truth",
            "every second world of a search is the true one",
            Planted {
                world: |sampling| match sampling.seed % 2 {
                    0 => *sampling.truth,
                    _ => sampling.honest(sampling.seed),
                },
                ..Planted::CLEAN
            },
        ),
        leak(
            4,
            "choice-by-the-truth",
            "the most visited action is passed over when the opponent holds its royal coin",
            Planted {
                decided: |scene, decided| {
                    if has_royal(scene) {
                        decided.chosen_idx = (decided.chosen_idx + 1) % decided.actions.len();
                    }
                },
                ..Planted::CLEAN
            },
        ),
        leak(
            4,
            "root-value-of-the-truth",
            "the root value is nudged by what the opponent hides",
            Planted {
                decided: |scene, decided| {
                    decided.root_value *= 1.0 - (tell(scene) % 5) as f32 * 1e-3
                },
                ..Planted::CLEAN
            },
        ),
        leak(
            4,
            "leaves-know-the-hand",
            "the value of a leaf counts the true hand",
            Planted {
                evaluation: |truth, request, mut evaluation| {
                    let royals = Seat::BOTH.map(|seat| truth.zones(seat).hand.has(4));
                    let other = request.now.observer.other();
                    evaluation.value *= if royals[other.idx()] { 0.9 } else { 1.0 };
                    evaluation
                },
                ..Planted::CLEAN
            },
        ),
        leak(
            4,
            "priors-know-the-hand",
            "the first action gets a higher prior when the true hand is of a kind",
            Planted {
                evaluation: |truth, _, mut evaluation| {
                    let hands = Seat::BOTH.map(|seat| truth.zones(seat).hand.bits());
                    if (hands[0] ^ hands[1]).count_ones() % 2 == 1 {
                        evaluation.priors[0] *= 1.5;
                    }
                    evaluation
                },
                ..Planted::CLEAN
            },
        ),
        leak(
            4,
            "one-more-visit",
            "one visit moves from the last to the first action by the truth",
            Planted {
                decided: |scene, decided| {
                    let last = decided.visits.iter().rposition(|&n| n > 0).unwrap_or(0);
                    if tell(scene).count_ones() % 2 == 1 {
                        decided.visits[last] -= 1;
                        decided.visits[0] += 1;
                    }
                },
                ..Planted::CLEAN
            },
        ),
    ]
}
