//! The binary itself: what it refuses, what it leaves behind when it is killed, how it ends.

use crate::support::{Run, play};
use proto::v1::{self, lease_response::Answer};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

fn command(root: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_muster-coordinator"));
    command.arg("--run").arg(root).args(more).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs it to its end, which must be an error.
fn refused(root: &Path, more: &[&str]) -> (i32, String) {
    let Output { status, stderr, .. } = command(root, more).output().unwrap();
    let text = String::from_utf8_lossy(&stderr).into_owned();
    let errors = text.lines().filter(|line| line.starts_with("error: ")).count();
    assert_eq!(errors, 1, "{text}");
    (status.code().unwrap(), text)
}

struct Process(Child);

impl Process {
    fn start(run: &Run) -> (Process, String) {
        let _ = std::fs::remove_file(run.folder.endpoint_path());
        let process = Process(command(run.root(), &[]).stderr(Stdio::null()).spawn().unwrap());
        let deadline = Instant::now() + Duration::from_secs(60);
        while Instant::now() < deadline {
            if let Some(address) = run.folder.endpoint().unwrap() {
                return (process, address);
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("the coordinator does not listen");
    }

    fn signal(&self, name: &str) {
        let pid = self.0.id().to_string();
        assert!(Command::new("kill").args([name, &pid]).status().unwrap().success());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn client(address: &str) -> proto::Client {
    proto::client(proto::endpoint(address).unwrap().connect_lazy())
}

async fn lease(client: &mut proto::Client, request: u64) -> Answer {
    let lease = v1::LeaseRequest { worker: "w".to_owned(), request, wait_ms: 0, kind: 0 };
    client.lease(lease).await.unwrap().into_inner().answer.unwrap()
}

#[test]
fn what_cannot_be_used_is_refused_with_one_message() {
    let run = Run::create();
    let absent = run.dir.path().join("absent");
    let (code, text) = refused(&absent, &[]);
    assert!(code == 1 && text.contains("muster up --config"), "{text}");
    let foreign = run.dir.path().join("foreign");
    std::fs::create_dir(&foreign).unwrap();
    std::fs::write(foreign.join("thesis.tex"), "x").unwrap();
    assert_eq!(refused(&foreign, &[]).0, 1);

    let (code, text) = refused(run.root(), &["--listen", "0.0.0.0:0"]);
    assert!(code == 2 && text.contains("--insecure"), "{text}");
    assert_eq!(refused(run.root(), &["--listen", "nonsense"]).0, 2);
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let (code, text) = refused(run.root(), &["--listen", &address]);
    assert!(code == 1 && text.contains(&address), "{text}");
    assert!(run.folder.endpoint().unwrap().is_none());

    let sqlite = run.folder.sqlite_path();
    let junk = b"no database at all, but a long text that somebody put there ".repeat(100);
    std::fs::write(&sqlite, &junk).unwrap();
    assert_eq!(refused(run.root(), &[]).0, 1);
    assert_eq!(std::fs::read(&sqlite).unwrap(), junk, "a file that is not ours was changed");
}

#[tokio::test]
async fn killed_at_once_it_has_lost_nothing_that_it_answered() {
    let run = Run::create();
    let (process, address) = Process::start(&run);
    let (code, text) = refused(run.root(), &[]);
    assert!(code == 1 && text.contains("in use"), "{text}");

    let mut first = client(&address);
    let register = v1::RegisterCheckpointRequest { checkpoint: Some(run.checkpoint(0)) };
    first.register_checkpoint(register).await.unwrap();
    let mut commits = Vec::new();
    for request in 1..=3 {
        let Answer::Job(job) = lease(&mut first, request).await else { panic!("no job") };
        commits.push(play(&run, "w", &job));
        first.commit(commits[commits.len() - 1].clone()).await.unwrap();
    }
    process.signal("-KILL");
    drop(process);
    // A list that the kill cut short is made right again.
    let list = run.folder.accepted_path();
    let whole = std::fs::read(&list).unwrap();
    std::fs::write(&list, &whole[..whole.len() - 40]).unwrap();

    let (_process, address) = Process::start(&run);
    assert_eq!(std::fs::read(&list).unwrap(), whole);
    let mut second = client(&address);
    for (place, commit) in commits.into_iter().enumerate() {
        let answer = second.commit(commit).await.unwrap().into_inner();
        assert_eq!((answer.sequence, answer.repeated), (place as u64 + 1, true));
    }
    assert_eq!(second.status(v1::StatusRequest {}).await.unwrap().into_inner().games, 9);
}

/// SIGTERM: no more leases, commits are still taken, then the end.
#[tokio::test]
async fn asked_to_end_it_takes_what_is_out_and_ends() {
    let run = Run::create();
    let (mut process, address) = Process::start(&run);
    let mut client = client(&address);
    let register = v1::RegisterCheckpointRequest { checkpoint: Some(run.checkpoint(0)) };
    client.register_checkpoint(register).await.unwrap();
    let Answer::Job(job) = lease(&mut client, 1).await else { panic!("no job") };
    let watch = v1::WatchAcceptedRequest { from_sequence: 1 };
    let _open_stream = client.watch_accepted(watch).await.unwrap();
    process.signal("-TERM");
    let refused = loop {
        match lease(&mut client, 2).await {
            Answer::Drain(drain) => break drain.why,
            // The signal is not heard yet.
            Answer::Job(early) => {
                client.commit(play(&run, "w", &early)).await.unwrap();
            }
            Answer::Nothing(_) => {}
        }
    };
    assert!(!refused.is_empty());
    client.commit(play(&run, "w", &job)).await.unwrap();
    let status = tokio::task::spawn_blocking(move || process.0.wait()).await.unwrap().unwrap();
    assert_eq!(status.code(), Some(0));
}
