//! Any one process of `muster up` may be killed at any moment: no committed shard is lost and the run goes on.
//!
//! The role binaries must lie beside `muster`: `scripts/setup.sh` builds them.

use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(120);

/// A run under way, ended when dropped.
struct Up {
    child: Child,
    run: PathBuf,
}

impl Up {
    fn start(run: &Path) -> Up {
        Up::start_with(run, &[])
    }

    fn start_with(run: &Path, more: &[&str]) -> Up {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let log = fs::File::options().create(true).append(true).open(run.with_extension("log"));
        let child = Command::new(env!("CARGO_BIN_EXE_muster"))
            .args(["up", "--no-evaluate", "--generations", "100000", "--run"])
            .arg(run)
            .arg("--config")
            .arg(root.join("configs/first-experiment.toml"))
            .args(more)
            .stdin(Stdio::null())
            .stderr(log.expect("a log file"))
            .spawn()
            .expect("muster starts");
        Up { child, run: run.to_owned() }
    }

    /// The process number of a role, by the name of its binary.
    fn role(&self, binary: &str) -> Pid {
        let found = self.wait_for(&format!("a process {binary}"), || {
            self.children().into_iter().find(|pid| program_of(*pid).ends_with(binary))
        });
        Pid::from_raw(found).expect("a process number")
    }

    /// The process number of the auditor, which runs the worker's binary.
    fn auditor(&self) -> Pid {
        let found = self.wait_for("an auditor", || {
            self.children().into_iter().find(|pid| {
                let words = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
                words.split(|byte| *byte == 0).nth(1) == Some(b"auditor")
            })
        });
        Pid::from_raw(found).expect("a process number")
    }

    /// What `muster status --json` says, and its exit code.
    fn status(&self) -> (serde_json::Value, Option<i32>) {
        let output = Command::new(env!("CARGO_BIN_EXE_muster"))
            .args(["status", "--json", "--run"])
            .arg(&self.run)
            .output()
            .expect("muster starts");
        let value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        (value, output.status.code())
    }

    /// Children of every thread of `muster up`.
    fn children(&self) -> Vec<i32> {
        let tasks = fs::read_dir(format!("/proc/{}/task", self.child.id()));
        tasks
            .into_iter()
            .flatten()
            .flatten()
            .filter_map(|task| fs::read_to_string(task.path().join("children")).ok())
            .flat_map(|text| {
                text.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<i32>>()
            })
            .collect()
    }

    /// The manifests of accepted shards, one a line; a line without its end is not there yet.
    fn accepted(&self) -> Vec<String> {
        let text = fs::read_to_string(self.run.join("training/accepted.jsonl")).unwrap_or_default();
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        whole.lines().map(str::to_owned).collect()
    }

    fn n_checkpoints(&self) -> usize {
        let folders = fs::read_dir(self.run.join("checkpoints"));
        folders
            .into_iter()
            .flatten()
            .flatten()
            .filter(|entry| entry.path().join("checkpoint.toml").is_file())
            .count()
    }

    fn wait_for<T>(&self, what: &str, mut look: impl FnMut() -> Option<T>) -> T {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(found) = look() {
                return found;
            }
            if Instant::now() >= deadline {
                panic!("no {what} within {PATIENCE:?}; {}", self.logs());
            }
            sleep(Duration::from_millis(100));
        }
    }

    fn wait_for_shards(&self, n: usize) {
        self.wait_for(&format!("accepted shard number {n}"), || {
            (self.accepted().len() >= n).then_some(())
        });
    }

    /// Everything that was accepted before is still there, and so are the files.
    fn expect_nothing_lost(&self, before: &[String]) {
        let now = self.accepted();
        assert_eq!(&now[..before.len()], before, "accepted shards changed");
        for line in &now {
            let manifest: serde_json::Value = serde_json::from_str(line).expect("a manifest");
            let key = manifest["key"].as_str().expect("a key");
            let bytes = manifest["bytes"].as_u64().expect("a size");
            let file = self.run.join("training").join(key);
            let found = fs::metadata(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
            assert_eq!(found.len(), bytes, "{}", file.display());
        }
    }

    fn stop(mut self) -> ExitStatus {
        let pid = Pid::from_raw(self.child.id() as i32).expect("a process number");
        kill_process(pid, Signal::TERM).expect("muster up is there");
        self.wait_for_end()
    }

    fn wait_for_end(&mut self) -> ExitStatus {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().expect("the child is ours") {
                return status;
            }
            assert!(Instant::now() < deadline, "muster up does not end; {}", self.logs());
            sleep(Duration::from_millis(100));
        }
    }

    fn logs(&self) -> String {
        let mut text = fs::read_to_string(self.run.with_extension("log")).unwrap_or_default();
        for name in ["coordinator", "worker-1", "trainer", "auditor"] {
            let log = self.run.join("logs").join(format!("{name}.log"));
            let log = fs::read_to_string(log).unwrap_or_default();
            let last: Vec<&str> = log.lines().rev().take(5).collect();
            text += &format!("\n{name}: {last:#?}");
        }
        text
    }
}

impl Drop for Up {
    fn drop(&mut self) {
        // Its children first: a killed parent could no longer end them.
        for pid in self.children().into_iter().filter_map(Pid::from_raw) {
            let _ = kill_process(pid, Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn program_of(pid: i32) -> String {
    fs::read_link(format!("/proc/{pid}/exe"))
        .map(|path| path.display().to_string())
        .unwrap_or_default()
}

/// Kills a role at several moments of a run; `goes_on` waits for what shows that it works again.
fn survives(binary: &str, goes_on: impl Fn(&Up)) {
    let dir = tempfile::tempdir().expect("a folder");
    let up = Up::start(&dir.path().join("x"));
    up.wait_for_shards(1);
    // Moments that fall into playing, committing, training and publishing.
    for pause_ms in [0, 370, 1_130] {
        sleep(Duration::from_millis(pause_ms));
        let killed = up.role(binary);
        let before = up.accepted();
        kill_process(killed, Signal::KILL).expect("the role is there");
        goes_on(&up);
        up.expect_nothing_lost(&before);
        assert_ne!(up.role(binary), killed, "the role was not started again");
    }
    assert!(up.stop().success());
}

fn two_more_shards(up: &Up) {
    up.wait_for_shards(up.accepted().len() + 2);
}

fn one_more_checkpoint(up: &Up) {
    let before = up.n_checkpoints();
    up.wait_for("new checkpoint", || (up.n_checkpoints() > before).then_some(()));
}

#[test]
fn a_killed_worker_loses_no_committed_shard() {
    survives("muster-worker", two_more_shards);
}

#[test]
fn a_killed_trainer_loses_no_committed_shard() {
    survives("muster-trainer", one_more_checkpoint);
}

#[test]
fn a_killed_coordinator_loses_no_committed_shard() {
    survives("muster-coordinator", |up| {
        two_more_shards(up);
        one_more_checkpoint(up);
    });
}

#[test]
fn a_killed_supervisor_is_taken_over_from() {
    let dir = tempfile::tempdir().expect("a folder");
    let run = dir.path().join("x");
    let mut first = Up::start(&run);
    first.wait_for_shards(1);
    let before = first.accepted();
    first.child.kill().expect("muster up is there");
    first.wait_for_end();
    let second = Up::start(&run);
    // The children of the first are drained; these are its own.
    second.role("muster-coordinator");
    two_more_shards(&second);
    second.expect_nothing_lost(&before);
    let status = second.stop();
    assert!(status.success(), "{status}");
}

const REQUIRED: [&str; 6] =
    ["--set", "audit.admission=required", "--set", "audit.pairs=2", "--set", "audit.worlds=4"];

/// Training reads what the auditor has verified, whoever is killed; and a shard that was altered after it was accepted
/// stops the run: nothing enters the window any more, no game is leased, and `muster status` says so by exit code 3.
#[test]
fn a_killed_auditor_loses_no_verdict_and_an_altered_shard_stops_the_run() {
    let dir = tempfile::tempdir().expect("a folder");
    let up = Up::start_with(&dir.path().join("x"), &REQUIRED);
    up.wait_for_shards(1);
    let killed = up.auditor();
    let before = up.accepted();
    kill_process(killed, Signal::KILL).expect("the auditor is there");
    two_more_shards(&up);
    one_more_checkpoint(&up);
    up.expect_nothing_lost(&before);
    let (status, code) = up.status();
    assert_eq!(code, Some(0), "{status}");
    assert!(status["audit"]["verified"].as_u64() >= Some(3), "{status}");

    // Stopped, not dead: it is not started again, and shards pile up behind it.
    let auditor = up.auditor();
    kill_process(auditor, Signal::STOP).expect("the auditor is there");
    let is_waiting = || {
        let audit = fs::read_to_string(up.run.join("audit/accepted.jsonl")).unwrap_or_default();
        let n_listed = up.accepted().len();
        let waiting = audit.lines().nth(n_listed + 2)?;
        let manifest: serde_json::Value = serde_json::from_str(waiting).ok()?;
        Some(manifest["shard"].as_str()?.to_owned())
    };
    let shard = up.wait_for("shards that wait", is_waiting);
    let file = up.run.join(format!("training/shards/{shard}.parquet"));
    let mut bytes = fs::read(&file).expect("a training shard");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&file, bytes).expect("a shard that may be altered");
    kill_process(auditor, Signal::CONT).expect("the auditor is there");
    let status = up.wait_for("failed verification", || {
        let (status, code) = up.status();
        (code == Some(3)).then_some(status)
    });
    let failure = &status["audit"]["first_failure"];
    assert_eq!(failure["shard"], shard.as_str(), "{status}");
    assert_eq!(failure["check"], "digest", "{status}");
    let window = status["audit"]["window"].clone();
    let n_listed = up.accepted().len() as u64;
    assert_eq!(window, n_listed, "{status}");
    // The games that were out come in and are verified; then nothing is leased and nothing grows.
    up.wait_for("end of what was out", || {
        let (status, _) = up.status();
        (status["leases"] == 0 && status["audit"]["waiting"] == 0).then_some(())
    });
    let games = up.status().0["games"].clone();
    sleep(Duration::from_secs(2));
    let (last, code) = up.status();
    assert_eq!((&last["games"], &last["audit"]["window"], code), (&games, &window, Some(3)));
    assert_eq!(up.accepted().len() as u64, n_listed);
    assert_eq!(up.stop().code(), Some(3));
}
