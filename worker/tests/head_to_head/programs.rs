//! `exec:` players: a program plays to the end; whatever it does wrong costs it the game and never the match; what
//! was sent to it once gives the same answers again.

use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const WORKER: &str = env!("CARGO_BIN_EXE_muster-worker");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn worker(args: &[&str]) -> Output {
    Command::new(WORKER).args(args).current_dir(root()).output().unwrap()
}

/// The report of a match, which must end by itself with exit code 0.
fn arena(args: &[&str]) -> (Value, String) {
    let output = worker(&[&["arena", "--json"], args].concat());
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{args:?}: {errors}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), 1, "exactly one object: {text}");
    (serde_json::from_str(&text).unwrap(), errors)
}

fn misbehaving(mode: &str, pids: &Path) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/head_to_head/misbehave.py");
    format!("exec:exec python3 '{}' {mode} '{}'", script.display(), pids.display())
}

/// Waits until none of the written processes is there, or is a zombie of somebody else.
fn all_are_gone(pids: &Path) -> usize {
    let pids: Vec<u32> =
        fs::read_to_string(pids).unwrap().lines().map(|pid| pid.parse().unwrap()).collect();
    let is_alive = |pid: &u32| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        stat.rsplit(") ").next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with('Z'))
    };
    let deadline = Instant::now() + Duration::from_secs(20);
    while pids.iter().any(is_alive) {
        assert!(Instant::now() < deadline, "{pids:?} still run");
        std::thread::sleep(Duration::from_millis(10));
    }
    pids.len()
}

#[test]
fn the_example_plays_to_the_end_and_beats_random() {
    let example = "exec:python3 examples/greedy_player.py";
    let (report, _) = arena(&[example, "random", "--pairs", "10"]);
    assert_eq!(report["pairs"], 10);
    assert_eq!(report["forfeits"], Value::Array(Vec::new()));
    assert!(report["wins"].as_u64().unwrap() >= 16, "{report}");
    assert_eq!(report["distinct_games"], 20);
    // Without --seed nobody can foresee the deals, and the report says which they were.
    let seed = report["seed"].as_u64().unwrap();
    assert_ne!(seed, 1);
    let (again, _) = arena(&[example, "random", "--pairs", "10", "--seed", &seed.to_string()]);
    assert_eq!(again, report);
}

/// What each fault is called, and a part of its reason.
const FAULTS: [(&str, &str, &str); 17] = [
    ("silent", "silence", "no answer within"),
    ("partial", "silence", "no whole line within"),
    ("deaf", "silence", "no answer within"),
    ("fork", "silence", "no answer within"),
    ("stderr-flood", "silence", "no answer within"),
    ("garbage", "nonsense", "I resign!"),
    ("number", "nonsense", "no message"),
    ("binary", "nonsense", "no message"),
    ("ready-again", "nonsense", "ready instead of an action"),
    ("illegal", "illegal", "fly:0,0"),
    ("twice", "output", "without being asked"),
    ("huge", "output", "65536 bytes"),
    ("flood", "output", "65536 bytes"),
    ("error", "refused", "I do not know this card"),
    ("exit", "crash", "exit status: 7"),
    ("closed", "crash", "closed its output"),
    ("memory", "crash", "exit status: 1"),
];

#[test]
fn whatever_a_program_does_wrong_costs_it_the_game_and_nothing_more() {
    let folder = tempfile::tempdir().unwrap();
    let check = |(mode, fault, reason): (&str, &str, &str)| {
        let pids = folder.path().join(mode);
        // Only programs that are silent anyway have little time.
        let seconds = if fault == "silence" { "0.7" } else { "60" };
        let player = misbehaving(mode, &pids);
        let more = ["--move-seconds", seconds, "--player-memory", "600", "--threads", "1"];
        let (report, _) = arena(&[&[&player, "random", "--pairs", "1"], &more[..]].concat());
        assert_eq!((&report["losses"], &report["wins"]), (&2.into(), &0.into()), "{report}");
        let forfeits = report["forfeits"].as_array().unwrap();
        assert_eq!(forfeits.len(), 1, "{mode}: {report}");
        let forfeit = &forfeits[0];
        assert_eq!((&forfeit["player"], &forfeit["games"]), (&"a".into(), &2.into()), "{report}");
        assert_eq!(forfeit["fault"], fault, "{report}");
        let text = forfeit["reason"].as_str().unwrap();
        assert!(text.contains(reason), "{mode}: {text}");
        assert!(all_are_gone(&pids) >= 2);
    };
    std::thread::scope(|scope| {
        for some in FAULTS.chunks(6) {
            scope.spawn(move || some.iter().copied().for_each(check));
        }
    });
}

#[test]
fn a_forfeit_counts_for_the_other_player_and_the_match_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let pids = folder.path().join("pids");
    let out = folder.path().join("match");
    let player = misbehaving("second-game", &pids);
    let (report, _) = arena(
        &[
            &["random", &player, "--pairs", "2", "--threads", "1", "--seed", "3"][..],
            &["--out", out.to_str().unwrap()],
        ]
        .concat(),
    );
    let sums = ["wins", "draws", "losses", "truncated"].map(|key| report[key].as_u64().unwrap());
    assert_eq!(sums.iter().sum::<u64>(), 4);
    // After its fault a new process plays two games more, the second of which it loses again.
    let forfeits = report["forfeits"].as_array().unwrap();
    assert_eq!(forfeits.len(), 1, "{report}");
    assert_eq!((&forfeits[0]["player"], &forfeits[0]["games"]), (&"b".into(), &2.into()));
    assert!(sums[0] >= 2, "{report}");
    // The first try, which then plays, and the one after the first fault.
    assert_eq!(all_are_gone(&pids), 2);
    let kept = fs::read_to_string(out.join("games.jsonl")).unwrap();
    let kept: Vec<Value> = kept.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let lost = kept.iter().filter(|game| !game["forfeit"].is_null());
    assert!(lost.clone().all(|game| game["result"] == "win"));
    assert_eq!(lost.clone().count(), 2);
    let number = lost.clone().next().unwrap()["game"].to_string();
    let shown = worker(&["arena", "--show", &number, "--out", out.to_str().unwrap()]);
    let shown = String::from_utf8(shown.stdout).unwrap();
    assert!(shown.contains("seat forfeits: illegal: \"fly:0,0\""), "{shown}");
    // The program was told why, and its own words are kept with the match.
    let log = fs::read_to_string(out.join("programs.log")).unwrap();
    assert!(log.contains("hello from second-game") && log.starts_with("b ["), "{log}");
    assert!(log.contains("end loss \"fly:0,0\" is not among the legal actions"), "{log}");
    let ends = ["win", "draw", "loss", "truncated"].map(|result| format!("end {result} None"));
    assert!(ends.iter().any(|end| log.contains(end)), "{log}");
}

#[test]
fn a_program_that_never_is_ready_loses_every_game_soon() {
    for (command, fault) in
        [("exec sleep 1000", "silence"), ("exit 3", "crash"), ("cat", "nonsense")]
    {
        let player = format!("exec:{command}");
        let more = ["--start-seconds", "0.3", "--threads", "1"];
        let (report, _) = arena(&[&["greedy", &player, "--pairs", "10"], &more[..]].concat());
        assert_eq!(report["wins"], 20, "{report}");
        let by_fault = |name: &str| -> u64 {
            let forfeits = report["forfeits"].as_array().unwrap().iter();
            forfeits.filter(|f| f["fault"] == name).map(|f| f["games"].as_u64().unwrap()).sum()
        };
        assert_eq!((by_fault(fault), by_fault("unstartable")), (2, 18), "{report}");
    }
}

#[test]
fn programs_end_with_an_interrupted_match() {
    let folder = tempfile::tempdir().unwrap();
    let pids = folder.path().join("pids");
    let player = misbehaving("fork", &pids);
    let mut arena = Command::new(WORKER)
        .args(["arena", &player, "random", "--pairs", "1", "--move-seconds", "1000"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // The program has ended after its own start; its child would wait for ever.
    while fs::read_to_string(&pids).unwrap_or_default().lines().count() < 2 {
        assert_eq!(arena.try_wait().unwrap(), None, "the match is over");
        std::thread::sleep(Duration::from_millis(10));
    }
    let kill = format!("kill -TERM {}", arena.id());
    assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
    assert_eq!(arena.wait().unwrap().code(), Some(128 + 15));
    assert!(all_are_gone(&pids) >= 2);
}

#[test]
fn a_command_that_does_not_exist_is_refused_before_the_first_game() {
    let output = worker(&["arena", "exec:no-such-player --x", "random", "--pairs", "1"]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("a [") && text.contains("not found") && text.contains("127"), "{text}");
    let output = worker(&["player", "exec:cat"]);
    assert_eq!(output.status.code(), Some(2));
}

/// A player behind the wall plays the very games that it plays inside, and its recorded input gives its recorded
/// answers again.
#[test]
fn a_recorded_stream_gives_the_same_bytes_and_the_same_games_as_inside() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for name in ["random", "greedy"] {
        let (input, answers) = (at(&format!("{name}-in")), at(&format!("{name}-out")));
        let serve = format!("'{WORKER}' player {name} --seed 5");
        let player = format!("exec:tee '{input}' | {serve} | tee '{answers}'");
        let play = |player: &str, out: &str| {
            let args = [player, "greedy", "--pairs", "3", "--seed", "5", "--threads", "1"];
            arena(&[&args[..], &["--out", out]].concat()).0
        };
        let (outside, inside) = (at(&format!("{name}-1")), at(&format!("{name}-2")));
        let report = play(&player, &outside);
        assert_eq!(report["forfeits"], Value::Array(Vec::new()), "{report}");
        play(name, &inside);
        let games =
            |folder: &str| fs::read_to_string(Path::new(folder).join("games.jsonl")).unwrap();
        assert_eq!(games(&outside), games(&inside));

        let recorded = fs::read(&answers).unwrap();
        assert!(recorded.iter().filter(|&&byte| byte == b'\n').count() > 100);
        let input = fs::read_to_string(&input).unwrap();
        for kind in ["hello", "start", "event", "act", "end", "quit"] {
            assert!(input.contains(&format!("{{\"type\":\"{kind}\"")), "no {kind}");
        }
        assert_eq!(replay(name, &input), recorded);
    }
}

fn replay(player: &str, input: &str) -> Vec<u8> {
    let mut child = Command::new(WORKER)
        .args(["player", player, "--seed", "5"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output.stdout
}

#[test]
fn a_person_plays_against_a_program() {
    let play = |player: &str| {
        let mut child = Command::new(WORKER)
            .args(["play", player, "--seed", "5"])
            .current_dir(root())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        // The person may be gone before it has said everything.
        let person =
            std::thread::spawn(move || drop(stdin.write_all("1\n".repeat(400).as_bytes())));
        let output = child.wait_with_output().unwrap();
        person.join().unwrap();
        assert_eq!(output.status.code(), Some(0));
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (shown, _) = play("exec:python3 examples/greedy_player.py");
    let last = shown.lines().last().unwrap();
    assert!(["you lost", "you won"].contains(&last) || last.starts_with("truncated"), "{last}");
    let folder = tempfile::tempdir().unwrap();
    let (shown, errors) = play(&misbehaving("illegal", &folder.path().join("pids")));
    assert!(shown.ends_with("is not among the legal actions\nyou won\n"), "{shown}");
    assert!(!errors.contains("hello from"), "a person may not see what the program says: {errors}");
}
