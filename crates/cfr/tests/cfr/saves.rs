//! Saved solves: what goes on is what would have gone on, and what is damaged is refused.

use crate::faulty::{Fault, FaultyKuhn};
use cfr::information::Everything;
use cfr::save::{SaveError, SavedSolve, StreamPosition};
use cfr::{Rule, Solver, Tree, Updates, compile};

const RULES: [Rule; 5] =
    [Rule::Vanilla, Rule::Plus, Rule::Linear, Rule::DCFR, Rule::PredictivePlus];

fn kuhn() -> Tree {
    compile(&FaultyKuhn(Fault::None), &(), &Everything, 1 << 30).unwrap()
}

fn saved(solver: &Solver) -> SavedSolve {
    SavedSolve {
        game: "kuhn".to_owned(),
        fingerprint: "0123456789abcdef".to_owned(),
        algorithm: solver.rule().to_string(),
        stream: Some(StreamPosition { seed: 7, words_drawn: (1 << 70) + 3 }),
        state: solver.state(),
    }
}

fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|number| number.to_bits()).collect()
}

#[test]
fn a_resumed_solve_is_the_uninterrupted_one_bit_for_bit() {
    let tree = kuhn();
    for rule in RULES {
        for updates in [Updates::Alternating, Updates::Simultaneous] {
            for make in [Solver::new, Solver::flat] {
                let mut whole = make(&tree, rule, updates);
                whole.run(137);
                let bytes = saved(&whole).to_bytes();
                whole.run(211);
                let mut resumed = make(&tree, rule, updates);
                resumed.restore(&SavedSolve::from_bytes(&bytes).unwrap().state).unwrap();
                resumed.run(211);
                let (left, right) = (whole.state(), resumed.state());
                assert_eq!(left.iteration, right.iteration);
                assert_eq!(bits(&left.regrets), bits(&right.regrets), "{rule} {updates:?}");
                assert_eq!(bits(&left.predictions), bits(&right.predictions), "{rule}");
                assert_eq!(bits(&left.strategy_sums), bits(&right.strategy_sums), "{rule}");
                let current = [whole.current(), resumed.current()];
                assert_eq!(bits(current[0].probabilities()), bits(current[1].probabilities()));
            }
        }
    }
}

#[test]
fn bytes_give_back_what_was_saved() {
    let tree = kuhn();
    let mut solver = Solver::new(&tree, Rule::PredictivePlus, Updates::Alternating);
    solver.run(10);
    let saved = saved(&solver);
    assert_eq!(SavedSolve::from_bytes(&saved.to_bytes()).unwrap(), saved);
    let drawless = SavedSolve { stream: None, ..saved };
    assert_eq!(SavedSolve::from_bytes(&drawless.to_bytes()).unwrap(), drawless);
}

#[test]
fn every_flipped_byte_and_every_cut_is_refused() {
    let tree = kuhn();
    let mut solver = Solver::new(&tree, Rule::Plus, Updates::Alternating);
    solver.run(10);
    let bytes = saved(&solver).to_bytes();
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x40;
        let refusal = SavedSolve::from_bytes(&damaged).unwrap_err();
        match at {
            0..8 => assert_eq!(refusal, SaveError::NotASave),
            8..12 => assert!(matches!(refusal, SaveError::Version { .. }), "{at}: {refusal}"),
            _ => assert_eq!(refusal, SaveError::Damaged, "{at}"),
        }
        let refusal = SavedSolve::from_bytes(&bytes[..at]).unwrap_err();
        let expected = if at == 0 { SaveError::NotASave } else { SaveError::Damaged };
        assert_eq!(refusal, expected, "cut at {at}");
    }
    let longer = [bytes, vec![0]].concat();
    assert_eq!(SavedSolve::from_bytes(&longer).unwrap_err(), SaveError::Damaged);
}

/// A length that promises more than there is, under a digest that matches.
#[test]
fn a_length_is_not_believed() {
    let mut bytes = b"MUSTERCF".to_vec();
    bytes.extend_from_slice(&1u32.to_le_bytes());
    bytes.extend_from_slice(&u32::MAX.to_le_bytes());
    let digest = blake3::hash(&bytes);
    bytes.extend_from_slice(digest.as_bytes());
    let refusal = SavedSolve::from_bytes(&bytes).unwrap_err();
    assert_eq!(refusal, SaveError::Malformed { what: "the game" });
}

#[test]
fn a_solve_of_another_game_or_rule_is_refused() {
    let tree = kuhn();
    let solver = Solver::new(&tree, Rule::Plus, Updates::Alternating);
    let saved = saved(&solver);
    saved.belongs_to("kuhn", "0123456789abcdef", "cfr+").unwrap();
    let refusal = saved.belongs_to("leduc", "fedcba9876543210", "cfr+").unwrap_err().to_string();
    assert!(refusal.contains("solve of kuhn") && refusal.contains("not of leduc"), "{refusal}");
    let refusal = saved.belongs_to("kuhn", "0123456789abcdef", "cfr").unwrap_err().to_string();
    assert!(refusal.contains("by cfr+, not by cfr;"), "{refusal}");
}
