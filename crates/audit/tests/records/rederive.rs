//! Proves: rows derived from the truth equal the rows a worker makes from what the seat was told, over whole
//! games of both endings; and the observation rebuilt from a replay is the one the seat had.

use crate::fixture::{params, play, rules};
use audit::rederive::derive_rows;
use audit::replay::replay;
use game::{ModelFree, Seat};
use warchest::{StructuralUniform, WarChest};

#[test]
fn derived_rows_equal_played_rows() {
    // Without a small cap games end by the rules.
    let long = WarChest { cap: Some(256), ..rules() };
    let mut n_finished = 0;
    let mut n_rows = 0;
    for (rules, number) in [(rules(), 20), (rules(), 21), (long, 22), (long, 23), (long, 24)] {
        let played = play(rules, params(), number);
        let replayed = replay(&rules, &played.record).unwrap();
        let (rows, findings) = derive_rows(&rules, "a", &played.record, &replayed);
        assert_eq!(findings, []);
        assert_eq!(rows, played.rows);
        n_rows += rows.len();
        n_finished += u32::from(played.record.setup.utilities.is_some());
    }
    assert!(n_finished > 0, "no game was finished: outcomes were not compared");
    assert!(n_rows > 300, "{n_rows}");
}

#[test]
fn replayed_observations_hold_the_recorded_worlds_seed() {
    let played = play(rules(), params(), 30);
    let replayed = replay(&rules(), &played.record).unwrap();
    let mut n_compared = 0;
    for (ply, row) in played.record.plies.iter().enumerate() {
        let (Some(seat), Some(_)) = (row.seat, &row.search) else { continue };
        let observation = replayed.observation(&rules(), Seat::new(seat), ply);
        assert_eq!(observation.events().len(), ply);
        assert_eq!(
            *observation.now(),
            game::Hidden::now(&rules(), replayed.before(ply), Seat::new(seat))
        );
        StructuralUniform.infer(&rules(), &observation).unwrap();
        n_compared += 1;
    }
    assert!(n_compared > 20, "{n_compared}");
}
