//! What a solve says, against known values.

use crate::{muster, solved};
use serde_json::Value;

const ALGORITHMS: [&str; 8] =
    ["cfr", "cfr+", "lcfr", "dcfr", "pcfr+", "es-mccfr", "os-mccfr", "cs-mccfr"];

/// NashConv after `iteration`, of the average.
fn point(found: &Value, iteration: u64) -> f64 {
    let curve = found["curve"].as_array().expect("a curve");
    let point = curve.iter().find(|point| point["iteration"] == iteration);
    point.and_then(|point| point["nash_conv"].as_f64()).expect("a point")
}

#[test]
fn the_curve_is_the_published_one() {
    let found = solved(&["leduc", "--algorithm", "cfr+", "--iterations", "100"]);
    assert_eq!(found["information_sets"], 936);
    assert_eq!(found["histories"], 9457);
    assert_eq!(found["iterations"], 100);
    assert_eq!(found["certificate"], Value::Null);
    // OpenSpiel 2.0.2, to the digits printed.
    for (iteration, nash_conv) in [(2, 4.115833), (10, 1.220878), (50, 0.0682429), (100, 0.026832)]
    {
        let off = point(&found, iteration) - nash_conv;
        assert!(off.abs() < 6e-7, "{iteration}: {found}");
    }
    let halves = found["nash_conv"].as_f64().unwrap() / 2.0;
    assert_eq!(found["exploitability"].as_f64(), Some(halves));
    assert_eq!(found["nash_conv"].as_f64(), Some(point(&found, 100)));
    let last = &found["curve"].as_array().unwrap()[6];
    assert_eq!(found["nash_conv_current"], last["nash_conv_current"]);
    assert_ne!(found["nash_conv_current"], found["nash_conv"]);
}

#[test]
fn every_algorithm_brings_kuhn_near_its_value() {
    for algorithm in ALGORITHMS {
        let found = solved(&["kuhn", "--algorithm", algorithm, "--iterations", "100000"]);
        let nash_conv = found["nash_conv"].as_f64().unwrap();
        assert!(nash_conv < 0.03, "{algorithm}: {nash_conv}");
        // Each seat can gain at most NashConv, so that the value is off by at most that.
        let value = found["value"].as_f64().unwrap();
        assert!((value + 1.0 / 18.0).abs() <= nash_conv + 1e-12, "{algorithm}: {value}");
        assert!(found["iterations_per_s"].as_f64().unwrap() > 0.0, "{algorithm}");
    }
}

#[test]
fn the_uniform_policy_has_its_known_nash_conv() {
    let found = solved(&["kuhn", "--algorithm", "uniform"]);
    assert!((found["nash_conv"].as_f64().unwrap() - 11.0 / 12.0).abs() < 1e-12, "{found}");
    assert_eq!(found["iterations"], 0);
    assert_eq!(found["iterations_per_s"], Value::Null);
    let found = solved(&["leduc", "--rule", "suits=isomorphic", "--algorithm", "uniform"]);
    assert!((found["nash_conv"].as_f64().unwrap() - 4.747222222222).abs() < 1e-11, "{found}");
    assert_eq!(found["game"], "leduc (suits=isomorphic)");
}

#[test]
fn a_certificate_brackets_the_value() {
    let found = solved(&["kuhn", "--iterations", "1000", "--certify"]);
    let proved = |key: &str| found["certificate"][key].as_f64().expect(key);
    let nash_conv = found["nash_conv"].as_f64().unwrap();
    assert!((proved("proved_nash_conv_at_most") - nash_conv).abs() < 1e-12, "{found}");
    assert!(proved("value_at_least") <= -1.0 / 18.0 && -1.0 / 18.0 <= proved("value_at_most"));
    let width = proved("value_at_most") - proved("value_at_least");
    assert!((width - nash_conv).abs() < 1e-12, "{found}");
    let found = solved(&["kuhn", "--rule", "players=3", "--iterations", "10", "--certify"]);
    assert_eq!(found["certificate"]["value_at_least"], Value::Null);
}

#[test]
fn three_seats_have_no_exploitability() {
    let found = solved(&["kuhn", "--rule", "players=3", "--iterations", "50"]);
    assert_eq!(found["seats"], 3);
    assert_eq!(found["exploitability"], Value::Null);
    assert!(found["nash_conv"].as_f64().unwrap() < 0.05, "{found}");
    let values: Vec<f64> =
        found["values"].as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect();
    assert_eq!(values.len(), 3);
    assert!(values.iter().sum::<f64>().abs() < 1e-12, "{values:?}");
}

#[test]
fn a_solve_stops_at_the_nash_conv_it_waits_for() {
    let found = solved(&["kuhn", "--until", "0.001", "--iterations", "1000000"]);
    let iterations = found["iterations"].as_u64().unwrap();
    assert!(iterations < 1000, "{iterations}");
    assert!(found["nash_conv"].as_f64().unwrap() <= 0.001, "{found}");
    // It would not have been there a fifth of the way earlier.
    let earlier = (iterations * 4 / 5).to_string();
    let earlier = solved(&["kuhn", "--iterations", &earlier]);
    assert!(earlier["nash_conv"].as_f64().unwrap() > 0.001, "{earlier}");
}

#[test]
fn the_seed_decides_what_is_drawn() {
    let solve = |seed: &str| {
        let words = ["leduc", "--algorithm", "os-mccfr", "--iterations", "300", "--seed", seed];
        solved(&words)["nash_conv"].as_f64().unwrap()
    };
    assert_eq!(solve("1").to_bits(), solve("1").to_bits());
    assert_ne!(solve("1").to_bits(), solve("2").to_bits());
}

#[test]
fn people_are_told_in_words() {
    let output = muster(&["solve", "kuhn", "--iterations", "10"]);
    let text = String::from_utf8(output.stdout).unwrap();
    for part in ["12 information sets, 58 histories", "0.065374181", "exploitability 3.268709e-2"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let output = muster(&["solve", "kuhn", "--rule", "players=3", "--iterations", "10"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("exploitability is for two seats only"), "{text}");
}

#[test]
fn the_bench_has_a_row_for_each_game_and_algorithm() {
    let words =
        ["bench", "cfr", "--json", "--seconds", "0.02", "--games", "kuhn,leduc:suits=isomorphic"];
    let output = muster(&words);
    let found: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    let rows = found["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 16);
    for row in rows {
        assert!(row["iterations_per_s"].as_f64().unwrap() > 0.0, "{row}");
        assert!(row["level"].as_str().unwrap().starts_with("x86-64"), "{row}");
    }
    assert_eq!(rows[8]["information_sets"], 288);
    assert_eq!(rows[8]["rule"], "suits=isomorphic");
}
