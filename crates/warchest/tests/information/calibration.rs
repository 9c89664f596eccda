//! In games in which both seats choose uniformly the truth lies where `exact-uniform` says, and equal weights are
//! found out.

use warchest::check::{CALIBRATION_SEED, CalibrationCheck, calibration};

#[test]
fn the_truth_lies_where_exact_uniform_says() {
    let n_games = if cfg!(debug_assertions) { 1_000 } else { 10_000 };
    let check = CalibrationCheck { n_games, seed: CALIBRATION_SEED, n_threads: 2 };
    let report = calibration(&check, &|_| ()).unwrap();
    println!("{report:?}");
    assert_eq!(report.games, n_games);
    assert!(2 * report.several > n_games, "{report:?}");
    assert!(report.ks_p > 0.01, "exact-uniform is not calibrated: {report:?}");
    assert!(report.ks_p_control < 0.001, "structural-uniform-v1 is not found out: {report:?}");
    assert!(report.is_clean());
}
