//! Values by the sequence-form linear program: a second source for what the solvers approach.

use crate::games::{self, compiled, kuhn, leduc_isomorphic};
use cfr::certificate::sequence_lp::{NoValue, value};
use cfr::{Rule, SequenceForm, Solver, Tree, Updates};
use toy::goofspiel::PrizeOrder;
use toy::{Kuhn, NormalForm};

fn named(name: &str) -> Tree {
    compiled(NormalForm::by_name(name).unwrap())
}

#[test]
fn known_values() {
    assert!((value(&kuhn()).unwrap() + 1.0 / 18.0).abs() < 1e-12);
    let leduc = value(&leduc_isomorphic()).unwrap();
    println!("Leduc: {leduc:.15}");
    // The program's tolerance; `values.rs` has this value to 1e-10 by another way.
    assert!((leduc + 0.085_606_424_078).abs() < 1e-7, "{leduc}");
    for n_cards in [3, 4] {
        let tree = compiled(games::goofspiel(n_cards, PrizeOrder::Descending));
        assert!(value(&tree).unwrap().abs() < 1e-7);
    }
    assert!(value(&named("weighted-rock-paper-scissors")).unwrap().abs() < 1e-12);
}

#[test]
fn what_a_solver_approaches() {
    let tree = compiled(games::small_liars_dice());
    let by_program = value(&tree).unwrap();
    let mut solver = Solver::new(&tree, Rule::DCFR, Updates::Alternating);
    solver.run(2_000);
    let by_solver = SequenceForm::new(&tree).expected_utilities(&solver.average())[0];
    assert!((by_program - by_solver).abs() < 1e-5, "{by_program} and {by_solver}");
}

#[test]
fn games_that_it_is_not_for() {
    let for_three = value(&compiled(Kuhn::THREE_PLAYERS)).unwrap_err();
    assert_eq!(for_three, NoValue::NotForTwo { n_seats: 3 });
    assert_eq!(value(&named("chicken")).unwrap_err(), NoValue::NotZeroSum);
}
