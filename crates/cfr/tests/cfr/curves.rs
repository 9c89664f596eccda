//! NashConv of the average strategy after t iterations, as OpenSpiel 2.0.2 computes it with alternating updates: its C++
//! solvers for CFR and CFR+, its Python ones for DCFR(1.5, 0, 2) and LCFR. The figures have the digits that were
//! printed; `scripts/compare-open-spiel.sh` compares all of them. And the faults that these points catch.

use crate::faulty::{Fault as Showing, FaultyKuhn};
use crate::textbook::{Fault, Textbook};
use cfr::information::Everything;
use cfr::nash_conv::Evaluation;
use cfr::{Policy, Rule, SequenceForm, Solver, Tree, Updates, compile};

/// Iteration and NashConv, as printed.
type Curve = &'static [(u64, &'static str)];

const KUHN: [(Rule, Curve); 4] = [
    (
        Rule::Vanilla,
        &[
            (1, ".916667"),
            (2, ".541667"),
            (5, ".242778"),
            (10, ".137398"),
            (20, ".0813404"),
            (50, ".0303532"),
            (100, ".0164520"),
        ],
    ),
    (
        Rule::Plus,
        &[
            (2, ".527778"),
            (5, ".146689"),
            (10, ".0653742"),
            (20, ".0202180"),
            (50, ".00559450"),
            (100, ".00238881"),
        ],
    ),
    (Rule::DCFR, &[(5, ".132866"), (10, ".0455576"), (50, ".00639601")]),
    (Rule::Linear, &[(10, ".0425015"), (100, ".00217805")]),
];

/// Points after iteration 100, which depend on the order of summation: to be met within a factor of 1.3.
const KUHN_LATER: [(Rule, Curve); 4] = [
    (
        Rule::Vanilla,
        &[(200, ".00665921"), (500, ".00233716"), (1000, ".00187523"), (5000, ".00035957")],
    ),
    (Rule::Plus, &[(200, ".00058992"), (1000, ".00017473"), (5000, ".0000553757")]),
    (Rule::DCFR, &[(200, ".00181840")]),
    (Rule::Linear, &[(200, ".00105436")]),
];

fn kuhn() -> Tree {
    compile(&FaultyKuhn(Showing::None), &(), &Everything, 1 << 30).unwrap()
}

fn nash_conv(form: &SequenceForm, policy: &Policy) -> f64 {
    Evaluation::of(form, policy).nash_conv().0
}

/// Whether `found` rounds to `printed`: it is off by at most half of the last digit (and a hair for rounding a half).
fn rounds_to(found: f64, printed: &str) -> bool {
    let digits = printed.trim_start_matches('.').len() as i32;
    (found - printed.parse::<f64>().unwrap()).abs() <= 0.5001 * 10f64.powi(-digits)
}

/// The points of `curves` that `nash_convs` misses; it is called once for each rule and gives the value after t.
fn missed(
    curves: &[(Rule, Curve)],
    fits: impl Fn(f64, &str) -> bool,
    mut nash_convs: impl FnMut(Rule, &[u64]) -> Vec<f64>,
) -> Vec<String> {
    let mut missed = Vec::new();
    for (rule, curve) in curves {
        let times: Vec<u64> = curve.iter().map(|(t, _)| *t).collect();
        for ((t, printed), found) in curve.iter().zip(nash_convs(*rule, &times)) {
            if !fits(found, printed) {
                missed.push(format!("{rule}, t = {t}: {found} instead of {printed}"));
            }
        }
    }
    missed
}

fn solved(tree: &Tree, rule: Rule, times: &[u64]) -> Vec<f64> {
    let form = SequenceForm::new(tree);
    let mut solver = Solver::new(tree, rule, Updates::Alternating);
    let mut after = |t: &u64| {
        solver.run(t - solver.iteration());
        nash_conv(&form, &solver.average())
    };
    times.iter().map(&mut after).collect()
}

fn by_textbook(tree: &Tree, rule: Rule, fault: Fault, times: &[u64]) -> Vec<f64> {
    let form = SequenceForm::new(tree);
    let mut textbook = Textbook::new(tree, rule, Updates::Alternating, fault);
    let mut done = 0;
    let mut after = |t: &u64| {
        (done..*t).for_each(|_| textbook.iterate());
        done = *t;
        nash_conv(&form, &textbook.average())
    };
    times.iter().map(&mut after).collect()
}

fn within_a_third(found: f64, printed: &str) -> bool {
    let expected: f64 = printed.parse().unwrap();
    found <= expected * 1.3 && found >= expected / 1.3
}

#[test]
fn kuhn_to_the_digits_printed() {
    let tree = kuhn();
    let missed = missed(&KUHN, rounds_to, |rule, times| solved(&tree, rule, times));
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn kuhn_later_within_a_factor() {
    let tree = kuhn();
    let missed = missed(&KUHN_LATER, within_a_third, |rule, times| solved(&tree, rule, times));
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn the_textbook_meets_the_same_points() {
    let tree = kuhn();
    let by = |rule, times: &[u64]| by_textbook(&tree, rule, Fault::None, times);
    let missed = missed(&KUHN, rounds_to, by);
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn every_fault_of_a_solver_misses_the_curves() {
    let faults = [
        Fault::ReachesSwapped,
        Fault::OthersReachDropped,
        Fault::SignNotTurned,
        Fault::ClippedPerHistory,
        Fault::AverageByJointReach,
    ];
    let tree = kuhn();
    for fault in faults {
        let by = |rule, times: &[u64]| by_textbook(&tree, rule, fault, times);
        let missed = missed(&KUHN, rounds_to, by);
        println!("{fault:?}: {} points missed", missed.len());
        assert!(!missed.is_empty(), "{fault:?} goes unseen");
    }
}
