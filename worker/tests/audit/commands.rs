//! Proves: games are listed, drawn as each seat saw them and replayed bit for bit with their searches; what is
//! wrong with a run folder is said in one message.

use crate::fixture::{json, run, stderr, worker};

fn text(args: &[&str]) -> String {
    let output = worker(args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
    String::from_utf8(output.stdout).unwrap()
}

fn refused(args: &[&str], code: i32, message: &str) {
    let output = worker(args);
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {text}");
    assert!(text.contains(message), "{args:?}: {text}");
}

#[test]
fn games_are_listed_and_drawn() {
    let run = run();
    let listed = json(&worker(&["audit", "show", run.path(), "--json"]));
    let games = listed["games"].as_array().unwrap();
    assert_eq!(games.len(), 5);
    assert!(text(&["audit", "show", run.path()]).contains("5 games"));

    let id = games[0]["game"].as_str().unwrap();
    let shown = |seat: &str, ply: &str| {
        text(&["audit", "show", run.path(), &id[..8], "--seat", seat, "--ply", ply, "--search"])
    };
    // After the first round's draws both hands are full: each seat sees its own.
    let (white, black, truth) = (shown("white", "6"), shown("black", "6"), shown("truth", "6"));
    assert!(white.contains("as white sees it") && white.contains("? x3"), "{white}");
    assert!(black.contains("as black sees it") && black.contains("? x3"), "{black}");
    assert!(truth.contains("the truth") && !truth.contains("? x"), "{truth}");
    assert!(truth.contains("8 simulations over 2 worlds of structural-uniform-v1"), "{truth}");
    // The search is its own seat's, and the truth's.
    let hidden = "the other seat decided this ply";
    assert!(white.contains(hidden) != black.contains(hidden), "{white}{black}");
    assert!(truth.contains("world 1: N Q") && truth.contains("\n* "), "{truth}");

    let last = text(&["audit", "show", run.path(), id]);
    assert!(!last.contains("next:"), "{last}");
    refused(&["audit", "show", run.path(), id, "--ply", "9999"], 1, "give --ply 0 to");
    refused(&["audit", "show", run.path(), "zz"], 1, "has no game \"zz\"");
    refused(&["audit", "show", run.path(), ""], 1, "give more of it");
}

#[test]
fn a_game_replays_bit_for_bit() {
    let run = run();
    let listed = json(&worker(&["audit", "show", run.path(), "--json"]));
    let game = &listed["games"][3];
    let id = game["game"].as_str().unwrap();
    let replayed = json(&worker(&["replay", run.path(), id, "--json", "--threads", "2"]));
    assert_eq!(replayed["plies"], game["plies"]);
    assert_eq!(replayed["searches"], game["searched"]);
    assert_eq!(replayed["equal"], game["searched"], "{replayed}");
    assert_eq!(replayed["numerics_equal"], true);
    assert!(replayed["searches"].as_u64().unwrap() > 20);
}

#[test]
fn what_is_wrong_with_a_run_is_said() {
    let run = run();
    refused(&["audit", "verify", "nowhere"], 1, "nowhere");
    let checkpoints = run.root.join("checkpoints");
    let moved = run.root.join("moved");
    std::fs::rename(&checkpoints, &moved).unwrap();
    std::fs::create_dir(&checkpoints).unwrap();
    let args = ["audit", "verify", run.path(), "--pairs", "3"];
    refused(&args, 3, "cannot be searched again");
    std::fs::remove_dir(&checkpoints).unwrap();
    std::fs::rename(&moved, &checkpoints).unwrap();
    refused(&["audit", "verify", run.path(), "--pairs", "3", "--seed", "x"], 2, "--seed");

    let config = std::fs::read_to_string(run.root.join("run.toml")).unwrap();
    let other = config.replace("cap = 40", "cap = 41");
    std::fs::write(run.root.join("run.toml"), other).unwrap();
    refused(&args, 1, "fingerprint");
    std::fs::write(run.root.join("run.toml"), config).unwrap();

    std::fs::rename(run.root.join("audit"), run.root.join("away")).unwrap();
    refused(&args, 1, "no audit folder");
}
