//! The processes of one run: started in order, kept alive, ended in order.

use super::process::Process;
use crate::hand_over::{COORDINATOR, TRAINER, WORKER, beside};
use anyhow::{Context, bail};
use run::RunFolder;
use run::config::Admission;
use run::files::write_atomic;
use rustix::process::Pid;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// What to start.
pub struct Plan {
    folder: RunFolder,
    coordinator: Process,
    workers: u32,
}

/// How the coordinator listens.
pub struct Listening<'a> {
    /// HOST:PORT instead of the configuration's.
    pub address: Option<&'a str>,
    /// Allow an address that other machines can reach.
    pub is_insecure: bool,
}

impl Listening<'_> {
    fn words(&self, folder: &RunFolder) -> Vec<OsString> {
        let mut words: Vec<OsString> = vec!["--run".into(), folder.root().into()];
        if self.is_insecure {
            words.push("--insecure".into());
        }
        if let Some(address) = self.address {
            words.extend(["--listen".into(), address.into()]);
        }
        words
    }
}

pub struct Supervisor {
    folder: RunFolder,
    coordinator: Process,
    /// Workers, the trainer and the auditor: what joins the coordinator.
    followers: Vec<Process>,
    address: String,
    may_restart: bool,
}

/// How long a coordinator may take to listen.
const LISTEN_MAX: Duration = Duration::from_secs(20);

impl Plan {
    pub fn of(folder: &RunFolder, workers: u32, listening: &Listening<'_>) -> anyhow::Result<Plan> {
        let words = listening.words(folder);
        let coordinator =
            Process::new(folder, "coordinator".to_owned(), beside(COORDINATOR)?, words);
        Ok(Plan { folder: folder.clone(), coordinator, workers })
    }

    fn followers(&self, address: &str) -> anyhow::Result<Vec<Process>> {
        let join = |role: &str| -> Vec<OsString> {
            let mut words: Vec<OsString> = vec!["run".into()];
            words.extend(["--coordinator".into(), address.into()]);
            if role == "trainer" {
                words.extend(["--run".into(), self.folder.root().into()]);
            }
            words
        };
        let mut followers = Vec::new();
        for number in 1..=self.workers {
            let name = format!("worker-{number}");
            followers.push(Process::new(&self.folder, name, beside(WORKER)?, join("worker")));
        }
        let name = "trainer".to_owned();
        followers.push(Process::new(&self.folder, name, beside(TRAINER)?, join("trainer")));
        if self.folder.config().audit.admission == Admission::Required {
            let words = ["auditor", "--coordinator", address].map(OsString::from).to_vec();
            let name = "auditor".to_owned();
            followers.push(Process::new(&self.folder, name, beside(WORKER)?, words));
        }
        Ok(followers)
    }
}

impl Supervisor {
    /// Starts the coordinator, waits until it listens, then starts the others.
    pub async fn start(mut plan: Plan, is_insecure: bool) -> anyhow::Result<Supervisor> {
        // Whatever address stands there is an old one.
        let _ = std::fs::remove_file(plan.folder.endpoint_path());
        plan.coordinator.start()?;
        let address = wait_for_endpoint(&mut plan).await?;
        let mut followers = plan.followers(&address)?;
        for follower in &mut followers {
            follower.start()?;
        }
        let Plan { folder, mut coordinator, .. } = plan;
        // A coordinator that is started again listens where the others look for it.
        let listening = Listening { address: Some(&address), is_insecure };
        coordinator.words = listening.words(&folder);
        let supervisor = Supervisor { folder, coordinator, followers, address, may_restart: true };
        supervisor.note_children()?;
        Ok(supervisor)
    }

    /// Leaves the process numbers behind, for a start after this process was killed.
    fn note_children(&self) -> anyhow::Result<()> {
        let path = children_note(&self.folder);
        let text: String =
            self.processes().filter_map(Process::pid).map(|pid| format!("{pid}\n")).collect();
        write_atomic(&path, text.as_bytes()).with_context(|| path.display().to_string())
    }

    /// Where the coordinator listens.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Every process, coordinator first.
    pub fn processes(&self) -> impl Iterator<Item = &Process> {
        std::iter::once(&self.coordinator).chain(&self.followers)
    }

    fn processes_mut(&mut self) -> impl Iterator<Item = &mut Process> {
        std::iter::once(&mut self.coordinator).chain(&mut self.followers)
    }

    /// Notices deaths and starts again what died.
    pub fn tick(&mut self) -> anyhow::Result<()> {
        let may_restart = self.may_restart;
        let pids = |of: &Supervisor| of.processes().map(Process::pid).collect::<Vec<_>>();
        let before = pids(self);
        self.processes_mut().try_for_each(|process| process.tick(may_restart))?;
        if pids(self) != before {
            self.note_children()?;
        }
        Ok(())
    }

    pub fn stop_restarting(&mut self) {
        self.may_restart = false;
    }

    pub fn followers_alive(&self) -> bool {
        self.followers.iter().any(Process::is_alive)
    }

    pub fn is_anyone_alive(&self) -> bool {
        self.processes().any(Process::is_alive)
    }

    /// Asks workers and trainer to end; the coordinator stays to take what they hand in.
    pub fn terminate_followers(&self) {
        self.followers.iter().for_each(Process::terminate);
    }

    /// Ends whatever still lives: politely, then at once.
    pub async fn end_all(&mut self) {
        self.may_restart = false;
        self.processes().for_each(Process::terminate);
        let deadline = Instant::now() + Duration::from_secs(2);
        while Instant::now() < deadline && self.is_anyone_alive() {
            tokio::time::sleep(Duration::from_millis(50)).await;
            let _ = self.tick();
        }
        for process in self.processes_mut() {
            process.kill().await;
        }
    }
}

fn children_note(folder: &RunFolder) -> PathBuf {
    folder.root().join(".up-children")
}

/// A process that an earlier `muster up` started on this run and that still lives: that one was killed.
pub struct Orphan {
    pub pid: Pid,
    pub is_coordinator: bool,
}

pub fn orphans(folder: &RunFolder) -> Vec<Orphan> {
    let note = std::fs::read_to_string(children_note(folder)).unwrap_or_default();
    let pids = note.lines().filter_map(|line| Pid::from_raw(line.parse().ok()?));
    pids.filter_map(|pid| {
        let program = role_of(pid)?;
        Some(Orphan { pid, is_coordinator: program == COORDINATOR })
    })
    .collect()
}

/// Which of our programs a process runs; its number may have gone to another program.
fn role_of(pid: Pid) -> Option<&'static str> {
    let program = std::fs::read_link(format!("/proc/{}/exe", pid.as_raw_nonzero())).ok()?;
    let name = program.file_name()?.to_string_lossy().into_owned();
    // A newer build may have replaced the file meanwhile, which shows behind the name.
    [COORDINATOR, WORKER, TRAINER].into_iter().find(|role| name.starts_with(role))
}

async fn wait_for_endpoint(plan: &mut Plan) -> anyhow::Result<String> {
    let deadline = Instant::now() + LISTEN_MAX;
    loop {
        if let Some(address) = plan.folder.endpoint()? {
            return Ok(address);
        }
        plan.coordinator.tick(false)?;
        let log = plan.folder.logs_dir().join("coordinator.log");
        if !plan.coordinator.is_alive() {
            bail!(
                "the coordinator ended at once; {} says:\n{}",
                log.display(),
                plan.coordinator.last_words()
            );
        }
        if Instant::now() >= deadline {
            plan.coordinator.kill().await;
            bail!(
                "the coordinator does not listen; {} says:\n{}",
                log.display(),
                plan.coordinator.last_words()
            );
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
