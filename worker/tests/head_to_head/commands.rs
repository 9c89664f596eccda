//! The commands themselves, as a user types them: JSON on standard output, exit codes, messages.

use serde_json::Value;
use std::process::{Command, Output};

fn worker(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_muster-worker")).args(args).output().unwrap()
}

fn json(output: &Output) -> Value {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    assert_eq!(text.lines().count(), 1, "exactly one object: {text}");
    serde_json::from_str(&text).unwrap()
}

fn refused(args: &[&str], code: i32, message: &str) {
    let output = worker(args);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {text}");
    assert!(text.contains(message), "{args:?}: {text}");
    assert!(output.stdout.is_empty(), "{args:?}");
}

#[test]
fn a_match_of_baselines_is_repeatable_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("m");
    let out = out.to_str().unwrap();
    let args = ["arena", "greedy", "random", "--pairs", "10", "--json", "--out", out];
    let first = json(&worker(&args));
    assert_eq!(first["pairs"], 10);
    let games = ["wins", "draws", "losses", "truncated"].map(|key| first[key].as_u64().unwrap());
    assert_eq!(games.iter().sum::<u64>(), 20);
    assert!(first["elo"].as_f64().unwrap() > 100.0, "{first}");
    let decision = first["decision"].as_str().unwrap();
    assert!(["accept", "reject", "undecided"].contains(&decision));
    refused(&args, 2, "not empty");
    let again = json(&worker(&["arena", "greedy", "random", "--pairs", "10", "--json"]));
    assert_eq!(first, again);
    let other = ["arena", "greedy", "random", "--pairs", "10", "--json", "--seed", "2"];
    assert_ne!(first["plies_mean"], json(&worker(&other))["plies_mean"]);

    let shown = worker(&["arena", "--show", "3", "--out", out, "--seat", "white", "--ply", "8"]);
    let shown = String::from_utf8(shown.stdout).unwrap();
    assert!(shown.contains("black draw:?") && shown.contains("ply 8 of"), "{shown}");
}

#[test]
fn a_searched_position_shows_every_world() {
    let position = "armies=archer,berserker,scout,warrior_priest/cavalry,knight,pikeman,royal_guard \
        board=white:scout:3,3:1 control=4,0+6,1+5,3+3,4+4,5/0,5+2,6 \
        white=hand:scout+royal_coin;bag:archer*2 black=hand:knight+royal_coin;bag:cavalry*2";
    let base = ["search", "war-chest", "--position", position, "--worlds", "3", "--sims", "301"];
    let found = json(&worker(&[&base[..], &["--seat", "white", "--json"]].concat()));
    let worlds = found["worlds"].as_array().unwrap();
    let simulations: Vec<_> = worlds.iter().map(|w| w["simulations"].as_u64().unwrap()).collect();
    assert_eq!(simulations, [101, 100, 100]);
    for (idx, action) in found["actions"].as_array().unwrap().iter().enumerate() {
        let of_world = |world: &Value| {
            let at = &world["actions"][idx];
            assert_eq!(at["action"], action["action"]);
            assert!(at["q"].is_number());
            at["n"].as_u64().unwrap()
        };
        assert_eq!(action["n"].as_u64().unwrap(), worlds.iter().map(of_world).sum::<u64>());
    }
    // White cannot tell a sampled world from the position it was sampled for: the same search, byte for byte.
    assert!(worlds.iter().any(|world| world["position"] != worlds[0]["position"]));
    for world in worlds {
        let again = ["search", "war-chest", "--position", world["position"].as_str().unwrap()];
        let more = ["--worlds", "3", "--sims", "301", "--seat", "white", "--json"];
        assert_eq!(json(&worker(&[&again[..], &more].concat())), found);
    }
    refused(&[&base[..], &["--seat", "black", "--json"]].concat(), 2, "not to act");
    refused(&[&base[..], &["--seat", "truth", "--json"]].concat(), 2, "one seat");
    let wrong = ["search", "war-chest", "--position", "nonsense", "--seat", "white", "--json"];
    refused(&wrong, 1, "--position");
}

#[test]
fn wrong_names_are_refused_with_what_to_do() {
    refused(&["arena", "rnadom", "greedy", "--pairs", "1"], 2, "names no player");
    refused(&["arena", "nowhere@last", "greedy", "--pairs", "1"], 1, "nowhere");
    refused(&["arena", "checkpoint:nowhere", "greedy", "--pairs", "1"], 1, "checkpoint.toml");
    refused(&["arena", "greedy"], 2, "required");
    refused(&["arena", "greedy", "random", "--game", "chess"], 1, "war-chest");
    refused(
        &["arena", "greedy", "random", "--pairs", "1", "--elo0", "9", "--elo1", "3"],
        2,
        "elo0",
    );
    refused(&["play", "--seat", "truth"], 2, "white or black");
}
