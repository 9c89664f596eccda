//! C3: the legal actions, their number and their order.

use crate::planted::{Leak, Planted, has_royal, leak, tell};
use warchest::Action;

pub fn leaks() -> Vec<Leak> {
    vec![
        leak(
            3,
            "mask-from-the-truth",
            "no claim of the initiative is offered when the opponent holds its royal coin",
            Planted {
                actions: |scene, actions| {
                    if has_royal(scene) {
                        actions.retain(|action| !matches!(action, Action::ClaimInitiative { .. }));
                    }
                },
                ..Planted::CLEAN
            },
        ),
        leak(
            3,
            "order-from-the-truth",
            "the list of legal actions begins elsewhere when the opponent's coins lie elsewhere",
            Planted {
                actions: |scene, actions| {
                    let by = tell(scene) as usize % actions.len();
                    actions.rotate_left(by);
                },
                ..Planted::CLEAN
            },
        ),
        leak(
            3,
            "number-of-actions-from-the-truth",
            "the row counts one more legal action when the opponent holds its royal coin",
            Planted {
                row: |scene, row| row.n_legal += u16::from(has_royal(scene)),
                ..Planted::CLEAN
            },
        ),
    ]
}
