//! Every rule, in every form of the kernel, against the recursion that is written as the papers are.

use crate::faulty::{Fault as Showing, FaultyKuhn};
use crate::textbook::{Fault, Textbook};
use cfr::information::Everything;
use cfr::{Rule, Solver, Tree, Updates, compile};

const RULES: [Rule; 6] = [
    Rule::Vanilla,
    Rule::Plus,
    Rule::Linear,
    Rule::DCFR,
    Rule::Discounted { alpha: 1.0, beta: -0.5, gamma: 3.0 },
    Rule::PredictivePlus,
];
const UPDATES: [Updates; 2] = [Updates::Alternating, Updates::Simultaneous];

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// The average strategies of textbook, flat kernel and lanes stay together for `n` iterations.
fn check(tree: &Tree, n: u64, n_lanes: usize) {
    for rule in RULES {
        for updates in UPDATES {
            let mut textbook = Textbook::new(tree, rule, updates, Fault::None);
            let mut flat = Solver::flat(tree, rule, updates);
            let mut lanes = Solver::new(tree, rule, updates);
            assert_eq!((flat.n_lanes(), lanes.n_lanes()), (1, n_lanes));
            for t in 1..=n {
                textbook.iterate();
                flat.run(1);
                lanes.run(1);
                let expected = textbook.average();
                for solver in [&flat, &lanes] {
                    let found = solver.average();
                    let off = largest_difference(found.probabilities(), expected.probabilities());
                    let n_lanes = solver.n_lanes();
                    assert!(off < 1e-9, "{rule}, {updates:?}, {n_lanes} lanes, t = {t}: {off}");
                }
            }
        }
    }
}

#[test]
fn kuhn() {
    let tree = compile(&FaultyKuhn(Showing::None), &(), &Everything, 1 << 30).unwrap();
    check(&tree, 100, 4);
}
