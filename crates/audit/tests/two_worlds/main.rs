//! Non-interference at scale (IB2): 100,000 pairs of truths that one seat cannot tell apart, through belief, search
//! and row writer, with an evaluator that is a hash of what it is asked. Whatever leaked into a request, a draw or a
//! column would make the pair differ.

mod clean;

use audit::lab::{Comparison, Plan, Test, compare, examine};
use clean::{Clean, FIELDS, STYLE, known};

const N_PAIRS: u64 = 100_000;

/// The ten names of decisions in which a seat chooses, and the rarest mismatch of seats.
const KINDS: [&str; 10] = [
    "main",
    "footman",
    "berserker",
    "swordsman",
    "cavalry",
    "mercenary",
    "footman_v2_deploy",
    "royal_guard",
    "warrior_priest_play",
    "royal_guard_before_priest_play",
];

fn assert_covered(comparison: &Comparison, least: u64) {
    let coverage = &comparison.coverage;
    for kind in KINDS {
        let counts = coverage.kinds.get(kind).unwrap_or_else(|| panic!("no pair at {kind}"));
        assert!(counts.pairs >= least, "{kind}: {counts:?}");
        for field in ["hand", "bag", "face_down"] {
            let n = counts.fields.get(field).copied().unwrap_or(0);
            // Between a priest's draw and its play the coin in flight is what is hidden.
            let least = if kind == "royal_guard_before_priest_play" { 1 } else { least / 4 };
            assert!(n >= least, "{kind}, {field}: {counts:?}");
        }
    }
    let in_flight = coverage.kinds["royal_guard_before_priest_play"].fields.get("in_flight");
    assert!(in_flight.is_some_and(|&n| n >= least / 4), "{coverage:?}");
}

#[test]
fn what_is_hidden_changes_nothing() {
    let comparison = compare(&Clean, &STYLE, &FIELDS, Plan::of_pairs(N_PAIRS), &mut |_| false);
    println!("{:#?}", comparison.coverage);
    assert_eq!(comparison.differences, 0, "{:?} {:?}", comparison.first, comparison.found);
    assert!(comparison.coverage.pairs >= N_PAIRS);
    let decisions = comparison.coverage.pairs + comparison.coverage.past_only;
    assert_eq!(comparison.logged, 2 * decisions, "every decision's log is captured");
    assert_eq!(comparison.rows, 2 * decisions, "every decision gives a row");
    assert_covered(&comparison, 20);
}

#[test]
fn a_subject_by_itself_is_sound() {
    let comparison = examine(&Clean, &STYLE, &known(), 0, 16);
    assert_eq!(comparison.differences, 0, "{:?} {:?}", comparison.first, comparison.found);
}

/// The lab sees what differs: a player that is told one coin of the truth would pass nowhere. Here the leak is the
/// ply's own secret, the only thing beside the state in which twins differ.
#[test]
fn the_lab_is_not_blind() {
    use audit::lab::{Decided, Player, Scene, Subject};
    use game::Evaluator;
    use warchest::WarChest;

    struct TellsTheSecret;

    impl Subject<WarChest> for TellsTheSecret {
        fn player(&self, rules: &WarChest) -> Box<dyn Player<WarChest>> {
            Clean.player(rules)
        }

        fn evaluator(&self, rules: &WarChest) -> Box<dyn Evaluator<WarChest>> {
            Clean.evaluator(rules)
        }

        fn log(&self, scene: &Scene<'_, WarChest>, _: &Decided<WarChest>) {
            tracing::info!(secret = scene.secret.0[0], "decided");
        }
    }

    let comparison = compare(&TellsTheSecret, &STYLE, &FIELDS, Plan::of_pairs(100), &mut |_| false);
    assert!(comparison.differences > 50, "{comparison:?}");
    assert!(comparison.has(Test::TwoWorlds) && comparison.found.keys().all(|key| key.1 != "row"));
}
