//! Values of solved games, between bounds that are proved in exact arithmetic.

use crate::games::{kuhn, leduc_isomorphic};
use cfr::certificate::prove;
use cfr::{Rule, SequenceForm, Solver, Tree, Updates};

/// Solves by predictive CFR+, whose last strategies settle in these games, and gives the value of the average policy and
/// the width of the bounds that the last strategies prove for the value, which hold `published`.
fn solve(tree: &Tree, n: u64, published: f64) -> (f64, f64) {
    let mut solver = Solver::new(tree, Rule::PredictivePlus, Updates::Alternating);
    solver.run(n);
    let value = SequenceForm::new(tree).expected_utilities(&solver.average())[0];
    let proof = prove(tree, &solver.current()).unwrap();
    let bounds = proof.value_bounds.unwrap();
    println!("value {value:.15}, proved NashConv {:e}", proof.nash_conv_at_most.0);
    assert!(
        bounds.lower_at_least - 1e-12 <= published && published <= bounds.upper_at_most + 1e-12
    );
    (value, bounds.upper_at_most - bounds.lower_at_least)
}

/// OpenSpiel's `sequence_form_lp_test` has the value.
#[test]
fn leduc() {
    let published = -0.085_606_424_078;
    let (value, width) = solve(&leduc_isomorphic(), 100_000, published);
    assert!((value - published).abs() < 1e-10, "{value}");
    assert!(width < 1e-10, "{width}");
}

#[test]
fn kuhn_poker() {
    let (value, width) = solve(&kuhn(), 100_000, -1.0 / 18.0);
    assert!((value + 1.0 / 18.0).abs() < 1e-10, "{value}");
    assert!(width < 1e-10, "{width}");
}
