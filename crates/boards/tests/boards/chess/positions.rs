//! The regression set: every expectation is proven.

use crate::prover::prove;
use boards::Chess;

#[test]
fn what_the_set_expects_is_proven() {
    let set = include_str!("../../../positions/chess.txt");
    let proven = prove(&Chess::default(), set);
    println!("{proven:?}");
    assert!((20..=30).contains(&proven.all()), "{proven:?}");
    assert!(proven.mates >= 10 && proven.wins >= 8 && proven.terms >= 4, "{proven:?}");
}
