//! Every player name prints back to itself, and a wrong one says what is wrong with it.

use super::*;
use crate::{RunConfig, RunFacts};

#[test]
fn names_read_back() {
    for text in [
        "random",
        "greedy",
        "runs/x@first",
        "runs/x@last,sims=400,worlds=8",
        "runs/a@b@1200,search=ris-mcts",
        "checkpoint:quickstart-s001200-3f9c0a7b12de,search=pimc,sims=64,worlds=4,temperature=0.5",
        "checkpoint:some/folder",
        "exec:python3 examples/greedy_player.py",
        "exec: sh -c 'a=1,b; exec ./player \"$a\" --name x@last,sims=3'",
    ] {
        assert_eq!(text.parse::<PlayerName>().unwrap().to_string(), text);
    }
}

#[test]
fn wrong_names_say_what_is_wrong() {
    for (text, part) in [
        ("", "no player of that name"),
        ("rnadom", "no player of that name"),
        ("random,sims=3", "takes no options"),
        ("runs/x@newest", "newest"),
        ("@last", "run folder"),
        ("checkpoint:", "must follow"),
        ("exec:", "command must follow"),
        ("exec:  ", "command must follow"),
        ("runs/x@last,sims=0", "sims"),
        ("runs/x@last,sims=70000", "65535"),
        ("runs/x@last,worlds=many", "worlds"),
        ("runs/x@last,depth=3", "depth"),
        ("runs/x@last,temperature=NaN", "temperature"),
        ("runs/x@last,sims", "key=value"),
    ] {
        let message = text.parse::<PlayerName>().unwrap_err().to_string();
        assert!(message.contains(part), "{text}: {message}");
    }
}

#[test]
fn a_name_finds_its_checkpoint_or_says_what_is_there() {
    let dir = tempfile::tempdir().unwrap();
    let text = "[run]\nseed = 1\n[network]\nkind = \"mlp\"\nhidden = 16\n";
    let config = RunConfig::parse(text, "t", &[]).unwrap().validate("t").unwrap();
    let facts = RunFacts {
        fingerprint: "f".repeat(64),
        fingerprint_text: String::new(),
        build: "t".to_owned(),
        numerics: String::new(),
    };
    let root = dir.path().join("x");
    let run = RunFolder::create(&root, &config, &facts).unwrap();
    let find = |name: String, run: Option<&RunFolder>| match name.parse().unwrap() {
        PlayerName::Checkpoint { checkpoint, .. } => checkpoint.folder(run),
        other => panic!("{other} is no checkpoint"),
    };
    let of_run = |which: &str| find(format!("{}@{which}", root.display()), None);
    assert!(matches!(of_run("last"), Err(CheckpointAbsent::None(_))));
    let id = |step| CheckpointId::new("x", step, "a1b2c3d4e5f6").unwrap();
    for step in [0, 100, 250] {
        std::fs::create_dir(run.checkpoint_dir(&id(step))).unwrap();
        std::fs::write(run.checkpoint_dir(&id(step)).join("checkpoint.toml"), "").unwrap();
    }
    assert_eq!(of_run("first").unwrap(), run.checkpoint_dir(&id(0)));
    assert_eq!(of_run("last").unwrap(), run.checkpoint_dir(&id(250)));
    assert_eq!(of_run("100").unwrap(), run.checkpoint_dir(&id(100)));
    let message = of_run("101").unwrap_err().to_string();
    assert!(message.contains("0, 100, 250"), "{message}");
    let by_id = format!("checkpoint:{}", id(100));
    assert_eq!(find(by_id.clone(), Some(&run)).unwrap(), run.checkpoint_dir(&id(100)));
    assert!(find(by_id, None).unwrap_err().to_string().contains("--run"));
    let by_path = format!("checkpoint:{}", run.checkpoint_dir(&id(0)).display());
    assert_eq!(find(by_path, None).unwrap(), run.checkpoint_dir(&id(0)));
}
