//! NashConv of the average strategy after t iterations, as OpenSpiel 2.0.2 computes it with alternating updates: its C++
//! solvers for CFR and CFR+, its Python ones for DCFR(1.5, 0, 2) and LCFR. The figures have the digits that were
//! printed; `scripts/compare-open-spiel.sh` compares all of them. And the faults that these points catch.

use crate::games::{kuhn, leduc, leduc_isomorphic, liars_dice};
use crate::textbook::{Fault, Textbook};
use cfr::nash_conv::Evaluation;
use cfr::{Policy, Rule, SequenceForm, Solver, Tree, Updates};

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

const LEDUC: [(Rule, Curve); 4] = [
    (
        Rule::Vanilla,
        &[
            (2, "4.122639"),
            (5, "2.942649"),
            (10, "1.777158"),
            (20, ".906291"),
            (50, ".378167"),
            (100, ".191433"),
        ],
    ),
    (
        Rule::Plus,
        &[
            (2, "4.115833"),
            (5, "2.742465"),
            (10, "1.220878"),
            (20, ".347311"),
            (50, ".0682429"),
            (100, ".0268320"),
        ],
    ),
    (Rule::DCFR, &[(5, "2.901094"), (10, "1.557604"), (20, ".333594"), (50, ".0458437")]),
    (Rule::Linear, &[(10, "1.442130"), (20, ".511956"), (50, ".137990")]),
];

const LIARS_DICE: [(Rule, Curve); 2] = [
    (Rule::Vanilla, &[(10, ".367851"), (50, ".0826633"), (100, ".0449187")]),
    (
        Rule::Plus,
        &[
            (1, "1.561489"),
            (2, "1.022847"),
            (5, ".540370"),
            (10, ".283203"),
            (20, ".0984410"),
            (50, ".0334566"),
            (100, ".00981656"),
        ],
    ),
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

const LEDUC_LATER: [(Rule, Curve); 2] = [
    (Rule::Vanilla, &[(200, ".107677"), (500, ".0430144"), (1000, ".0236356")]),
    (Rule::Plus, &[(200, ".00992626"), (500, ".00187727"), (1000, ".000514303")]),
];

fn nash_conv(form: &SequenceForm, policy: &Policy) -> f64 {
    Evaluation::of(form, policy).nash_conv().0
}

/// Whether `found` rounds to `printed`: it is off by at most half of the last digit (and a hair for rounding a half).
fn rounds_to(found: f64, printed: &str) -> bool {
    let digits = printed.split_once('.').map_or(0, |(_, digits)| digits.len() as i32);
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

fn check(tree: &Tree, curves: &[(Rule, Curve)], fits: impl Fn(f64, &str) -> bool) {
    let missed = missed(curves, fits, |rule, times| solved(tree, rule, times));
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn kuhn_poker() {
    check(&kuhn(), &KUHN, rounds_to);
    check(&kuhn(), &KUHN_LATER, within_a_third);
}

#[test]
fn leduc_poker() {
    check(&leduc(), &LEDUC, rounds_to);
    check(&leduc(), &LEDUC_LATER, within_a_third);
}

/// Suits do not matter, so that the smaller game has the same curve.
#[test]
fn leduc_poker_without_suits() {
    check(&leduc_isomorphic(), &LEDUC, rounds_to);
    check(&leduc_isomorphic(), &LEDUC_LATER, within_a_third);
}

#[test]
fn liars_dice_of_one_die_each() {
    check(&liars_dice(), &LIARS_DICE, rounds_to);
}

#[test]
fn the_textbook_meets_the_same_points() {
    for (tree, curves) in [(kuhn(), KUHN), (leduc_isomorphic(), LEDUC)] {
        let by = |rule, times: &[u64]| by_textbook(&tree, rule, Fault::None, times);
        let missed = missed(&curves, rounds_to, by);
        assert!(missed.is_empty(), "{missed:#?}");
    }
}

/// Kuhn cannot see a dropped chance factor: all its deals are equally likely, and regret matching knows no scale.
#[test]
fn every_fault_of_a_solver_misses_the_curves() {
    let faults = [
        Fault::ReachesSwapped,
        Fault::OthersReachDropped,
        Fault::ChanceDropped,
        Fault::SignNotTurned,
        Fault::ClippedPerHistory,
        Fault::AverageByJointReach,
    ];
    let games = [(kuhn(), KUHN), (leduc_isomorphic(), LEDUC)];
    for fault in faults {
        let n_missed = games.iter().map(|(tree, curves)| {
            let by = |rule, times: &[u64]| by_textbook(tree, rule, fault, times);
            missed(curves, rounds_to, by).len()
        });
        let n_missed: Vec<usize> = n_missed.collect();
        println!("{fault:?}: {n_missed:?} points missed");
        assert!(n_missed.iter().any(|n| *n > 0), "{fault:?} goes unseen");
    }
}
