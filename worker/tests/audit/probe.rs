//! The statistical probe: honest rows hold nothing back, and both controls are caught by both probes.

use game::{EvalRequest, Evaluation, Evaluator};
use search::SearchParams;
use warchest::{ExactUniform, Now, WarChest};
use worker::audit::probe::Plan;

/// Values a position by the observer's own hand alone: a search that knows the opponent's hand sees it in every value.
struct OwnHand;

impl Evaluator<WarChest> for OwnHand {
    fn evaluate(&mut self, requests: &[EvalRequest<WarChest>]) -> Vec<Evaluation> {
        requests.iter().map(|request| self.of(&request.now, request.actions.len())).collect()
    }
}

impl OwnHand {
    fn of(&self, now: &Now, n_actions: usize) -> Evaluation {
        let hand = now.own.hand.counts();
        let value: f32 =
            hand.iter().zip([0.3, -0.3, 0.2, -0.2, 0.1]).map(|(n, w)| f32::from(*n) * w).sum();
        Evaluation {
            value: value.clamp(-0.9, 0.9),
            priors: vec![1.0 / n_actions as f32; n_actions],
        }
    }
}

#[test]
fn honest_rows_hold_nothing_back_and_both_controls_are_caught() {
    let rules = WarChest { cap: Some(80), ..WarChest::default() };
    let params =
        SearchParams { worlds: 2, simulations: 12, noise_share: 0.0, ..SearchParams::BASE };
    let plan = Plan { rules: &rules, belief: &ExactUniform, params, games: 120, seed: 5 };
    let report = plan.probe(vec![OwnHand, OwnHand], &|_, _| {}).unwrap();
    println!("{report:?}");
    assert!(report.rows > 2_000, "{}", report.rows);
    assert_eq!(report.controls_detected, 2, "{:?}", report.controls);
    assert!(report.gain_low <= 0.0 && report.auc_low <= 0.5, "{report:?}");
    assert!(report.is_clean());
}
