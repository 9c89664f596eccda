//! Search constants from text: defaults, unknown keys, ranges.

use search::SearchParams;

#[test]
fn absent_keys_keep_the_base_and_unknown_keys_are_refused() {
    let read = |text: &str| toml::from_str::<SearchParams>(text);
    assert_eq!(read("").unwrap(), SearchParams::BASE);
    let some = read("worlds = 4\nc_puct = 2.5").unwrap();
    assert_eq!(some, SearchParams { worlds: 4, c_puct: 2.5, ..SearchParams::BASE });
    let error = read("world = 4").unwrap_err().to_string();
    assert!(error.contains("world") && error.contains("unknown"), "{error}");
    let text = toml::to_string(&SearchParams::BASE).unwrap();
    assert_eq!(read(&text).unwrap(), SearchParams::BASE);
}

#[test]
fn values_out_of_range_are_named() {
    let check = |change: fn(&mut SearchParams)| {
        let mut params = SearchParams::BASE;
        change(&mut params);
        params.check().unwrap_err().key
    };
    assert!(SearchParams::BASE.check().is_ok());
    assert_eq!(check(|p| p.worlds = 0), "worlds");
    assert_eq!(check(|p| p.worlds = 65), "worlds");
    assert_eq!(check(|p| p.simulations = 70_000), "simulations");
    assert_eq!(check(|p| p.leaves_per_step = 0), "leaves_per_step");
    assert_eq!(check(|p| p.c_puct = f64::NAN), "c_puct");
    assert_eq!(check(|p| p.noise_share = 1.5), "noise_share");
    assert_eq!(check(|p| p.temperature_late = -1.0), "temperature_late");
    assert_eq!(check(|p| p.prior_shaping = 11.0), "prior_shaping");
}

#[test]
fn the_temperature_falls_at_its_ply() {
    let params = SearchParams {
        temperature: 1.0,
        temperature_late: 0.2,
        temperature_plies: 10,
        ..SearchParams::BASE
    };
    assert_eq!((params.temperature_at(9), params.temperature_at(10)), (1.0, 0.2));
}
