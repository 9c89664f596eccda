//! One child process: its log, its death, when to start it again.

use anyhow::Context;
use run::RunFolder;
use rustix::process::{Pid, Signal, kill_process};
use std::ffi::OsString;
use std::fs::File;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::time::{Duration, Instant};
use tokio::process::{Child, Command};

const BACKOFF_FIRST: Duration = Duration::from_secs(1);
const BACKOFF_MAX: Duration = Duration::from_secs(30);
/// A process that lived this long starts again without delay.
const HEALTHY_AFTER: Duration = Duration::from_secs(60);

/// A role's process, or the place of one that died.
pub struct Process {
    /// `coordinator`, `worker-1`, `trainer`; also the name of its log.
    pub name: String,
    program: PathBuf,
    pub words: Vec<OsString>,
    log: PathBuf,
    child: Option<Child>,
    started: Instant,
    pub restarts: u32,
    backoff: Duration,
    restart_at: Option<Instant>,
    pub last_exit: Option<ExitStatus>,
}

impl Process {
    pub fn new(
        folder: &RunFolder,
        name: String,
        program: PathBuf,
        words: Vec<OsString>,
    ) -> Process {
        let log = folder.logs_dir().join(format!("{name}.log"));
        Process {
            name,
            program,
            words,
            log,
            child: None,
            started: Instant::now(),
            restarts: 0,
            backoff: BACKOFF_FIRST,
            restart_at: None,
            last_exit: None,
        }
    }

    pub fn start(&mut self) -> anyhow::Result<()> {
        let log = || -> std::io::Result<File> {
            File::options().create(true).append(true).open(&self.log)
        };
        let open_log = || log().with_context(|| format!("log {}", self.log.display()));
        let (key, value) = crate::hand_over::same_bits();
        let child = Command::new(&self.program)
            .args(&self.words)
            .env(key, value)
            .stdin(Stdio::null())
            .stdout(open_log()?)
            .stderr(open_log()?)
            // Ctrl-C in the terminal reaches `muster up` alone, which drains in the right order.
            .process_group(0)
            .spawn()
            .with_context(|| format!("cannot start {}", self.program.display()))?;
        self.child = Some(child);
        self.started = Instant::now();
        self.restart_at = None;
        Ok(())
    }

    /// Notices a death, and starts the process again when its time has come.
    pub fn tick(&mut self, may_restart: bool) -> anyhow::Result<()> {
        if let Some(child) = &mut self.child {
            let Some(exit) = child.try_wait().context("waiting for a child")? else {
                return Ok(());
            };
            self.child = None;
            self.last_exit = Some(exit);
            let lived = self.started.elapsed();
            self.backoff =
                if lived >= HEALTHY_AFTER { BACKOFF_FIRST } else { next_backoff(self.backoff) };
            self.restart_at = Some(Instant::now() + self.backoff);
        }
        if may_restart && self.restart_at.is_some_and(|at| at <= Instant::now()) {
            self.restarts += 1;
            self.start()?;
        }
        Ok(())
    }

    pub fn is_alive(&self) -> bool {
        self.child.is_some()
    }

    pub fn pid(&self) -> Option<u32> {
        self.child.as_ref().and_then(Child::id)
    }

    /// Asks it to end.
    pub fn terminate(&self) {
        let pid = self.pid().and_then(|pid| Pid::from_raw(i32::try_from(pid).ok()?));
        if let Some(pid) = pid {
            // It may have ended meanwhile.
            let _ = kill_process(pid, Signal::TERM);
        }
    }

    /// Ends it.
    pub async fn kill(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill().await;
            self.child = None;
        }
    }

    /// What there is to say while it does not run.
    pub fn state(&self) -> String {
        let wait = self.restart_at.map(|at| at.saturating_duration_since(Instant::now()));
        match (&self.child, self.last_exit, wait) {
            (Some(_), _, _) => "starting".to_owned(),
            (None, Some(exit), Some(wait)) => format!(
                "ended ({exit}), starts again in {:.0} s; see {}",
                wait.as_secs_f64(),
                self.log.display()
            ),
            (None, Some(exit), None) => format!("ended ({exit})"),
            (None, None, _) => "not started".to_owned(),
        }
    }

    /// The end of its log, for an error message.
    pub fn last_words(&self) -> String {
        let text = std::fs::read(&self.log).unwrap_or_default();
        let text = String::from_utf8_lossy(&text).into_owned();
        let lines: Vec<&str> = text.lines().rev().take(3).collect();
        lines.into_iter().rev().collect::<Vec<_>>().join("\n")
    }
}

fn next_backoff(backoff: Duration) -> Duration {
    (backoff * 2).min(BACKOFF_MAX)
}
