//! Every rule, in every form of the kernel, against the recursion that is written as the papers are.

use crate::games::{self, Shaken};
use crate::textbook::{Fault, Textbook};
use cfr::{Rule, Solver, Updates};
use toy::goofspiel::PrizeOrder;
use toy::leduc::Suits;
use toy::{Kuhn, Leduc, SmallGame};

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
fn check(game: impl SmallGame, n: u64, n_lanes: usize) {
    let tree = &games::compiled(Shaken(game));
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
    check(Kuhn::TWO_PLAYERS, 100, 4);
}

#[test]
fn kuhn_for_three() {
    check(Kuhn::THREE_PLAYERS, 50, 1);
}

#[test]
fn leduc() {
    check(Leduc { suits: Suits::Isomorphic }, 20, 4);
    check(Leduc { suits: Suits::All }, 5, 8);
}

#[test]
fn two_dice_each() {
    check(games::small_liars_dice(), 20, 4);
}

/// Nothing is dealt: what each bids in secret does not make lanes.
#[test]
fn goofspiel() {
    check(games::goofspiel(3, PrizeOrder::Descending), 50, 1);
    check(games::goofspiel(3, PrizeOrder::Random), 50, 1);
}

/// A solve that goes on from its state gives the bytes of one that was not interrupted.
#[test]
fn a_state_holds_everything() {
    let tree = games::leduc_isomorphic();
    for rule in RULES {
        for updates in UPDATES {
            let mut whole = Solver::new(&tree, rule, updates);
            whole.run(30);
            let mut first = Solver::new(&tree, rule, updates);
            first.run(13);
            let mut second = Solver::new(&tree, rule, updates);
            second.restore(&first.state()).unwrap();
            second.run(17);
            assert_eq!(second.state(), whole.state(), "{rule}, {updates:?}");
            assert_eq!(second.average(), whole.average());
        }
    }
}

#[test]
fn a_state_of_another_game_is_refused() {
    let (kuhn, leduc) = (games::kuhn(), games::leduc_isomorphic());
    let state = Solver::new(&kuhn, Rule::Plus, Updates::Alternating).state();
    let mut solver = Solver::new(&leduc, Rule::Plus, Updates::Alternating);
    let error = solver.restore(&state).unwrap_err();
    assert_eq!((error.what, error.found), ("regrets", kuhn.n_entries()));
    let mut predicting = Solver::new(&kuhn, Rule::PredictivePlus, Updates::Alternating);
    assert_eq!(predicting.restore(&state).unwrap_err().what, "predictions");
}
