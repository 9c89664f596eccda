//! Leduc without suits is Leduc: a strategy of the smaller game, played in the larger one by rank, is as far from
//! equilibrium there.

use crate::games::{leduc, leduc_isomorphic};
use cfr::nash_conv::Evaluation;
use cfr::{Policy, Rule, SequenceForm, Solver, Tree, Updates};
use std::collections::HashMap;

/// What the seat has seen, with the suits left out.
fn by_rank(tree: &Tree, set: usize) -> (usize, String) {
    let set = &tree.information_sets()[set];
    let words = set.label.split(", ").map(|word| match word {
        "Js" | "Jh" => "J",
        "Qs" | "Qh" => "Q",
        "Ks" | "Kh" => "K",
        other => other,
    });
    (set.seat.idx(), words.collect::<Vec<_>>().join(", "))
}

fn lifted(from: &Tree, policy: &Policy, to: &Tree) -> Policy {
    let sets: HashMap<_, _> = (0..from.information_sets().len())
        .map(|set| (by_rank(from, set), from.information_sets()[set].entries()))
        .collect();
    assert_eq!(sets.len(), 288);
    let mut probabilities = vec![0.0; to.n_entries()];
    for set in 0..to.information_sets().len() {
        let entries = sets[&by_rank(to, set)].clone();
        probabilities[to.information_sets()[set].entries()]
            .copy_from_slice(&policy.probabilities()[entries]);
    }
    Policy::new(to, probabilities).unwrap()
}

#[test]
fn a_lifted_strategy_is_as_good() {
    let (small, large) = (leduc_isomorphic(), leduc());
    let (small_form, large_form) = (SequenceForm::new(&small), SequenceForm::new(&large));
    for rule in [Rule::Vanilla, Rule::Plus, Rule::DCFR] {
        let mut solver = Solver::new(&small, rule, Updates::Alternating);
        for _ in 0..5 {
            solver.run(37);
            let policy = solver.average();
            let of_small = Evaluation::of(&small_form, &policy);
            let of_large = Evaluation::of(&large_form, &lifted(&small, &policy, &large));
            let (a, b) = (of_small.nash_conv().0, of_large.nash_conv().0);
            assert!((a - b).abs() < 1e-12, "{rule}: {a} and {b}");
            assert!((of_small.values[0] - of_large.values[0]).abs() < 1e-12);
        }
    }
}
