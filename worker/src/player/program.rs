//! `exec:COMMAND`: any program on a seat. It is told what the seat may know, and loses the game by what it does
//! wrong; nothing it does ends the match.

use super::forfeit::{Excerpt, Fault, Forfeit};
use super::log::{Destination, Log};
use super::message::{PROTOCOL, Said, Told};
use super::process::Process;
use super::stream::{Outcome, SeatStream, hello, line};
use anyhow::bail;
use game::{Fingerprint, GameId, Observation, PipelineGame};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// After so many failed starts in a row a program is not started again.
const FAILED_STARTS_MAX: u32 = 3;
/// How long an idle program has to end by itself after `quit`.
const QUIT_GRACE: Duration = Duration::from_secs(1);
/// How long a program that lost by a fault has to read why.
const FAULT_GRACE: Duration = Duration::from_millis(200);
/// Longest quotation of a program's own error message, in characters.
const MESSAGE_MAX: usize = 200;

/// Limits of programs, on every command that seats one.
#[derive(clap::Args, Debug, Clone)]
pub struct ProgramArgs {
    /// exec: players lose a game in which one answer takes longer.
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = seconds)]
    pub move_seconds: f64,
    /// exec: players have so long to say that they are ready.
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0, value_parser = seconds)]
    pub start_seconds: f64,
    /// exec: address space of each of a player's processes, in MiB; 0 for no limit.
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    pub player_memory: u32,
    /// exec: file that takes the players' standard error.
    #[arg(long, value_name = "FILE")]
    pub player_log: Option<PathBuf>,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.001..=86_400.0).contains(&seconds) => Ok(seconds),
        _ => Err("expected seconds from 0.001 to 86400".to_owned()),
    }
}

impl ProgramArgs {
    /// What programs are started with. `log` is where their standard error goes if no file was named.
    pub fn host(&self, log: Destination) -> ProgramHost {
        let log = self.player_log.clone().map_or(log, Destination::File);
        ProgramHost {
            move_limit: Duration::from_secs_f64(self.move_seconds),
            start_limit: Duration::from_secs_f64(self.start_seconds),
            memory_mib: self.player_memory,
            log: Arc::new(Log::new(log)),
        }
    }
}

/// Limits and log of the programs of one match.
#[derive(Clone)]
pub struct ProgramHost {
    pub move_limit: Duration,
    pub start_limit: Duration,
    /// Of each process; 0 is no limit.
    pub memory_mib: u32,
    pub log: Arc<Log>,
}

/// A program that can be put on seats: as many processes as games that it plays at the same time, each used for
/// one game after the other.
pub struct Program {
    command: String,
    /// Whose lines these are in the log.
    label: String,
    host: ProgramHost,
    hello: String,
    rules_fingerprint: String,
    idle: Mutex<Vec<Process>>,
    failed: Mutex<FailedStarts>,
}

#[derive(Default)]
struct FailedStarts {
    n_in_a_row: u32,
    last: String,
}

impl Program {
    /// Nothing is started yet.
    pub fn new<G: PipelineGame>(
        command: &str,
        label: &str,
        rules: &G,
        host: &ProgramHost,
    ) -> Program {
        Program {
            command: command.to_owned(),
            label: label.to_owned(),
            hello: hello(rules, host.move_limit.as_secs_f64()),
            rules_fingerprint: Fingerprint::of_text(&rules.rules_text()).to_string(),
            host: host.clone(),
            idle: Mutex::default(),
            failed: Mutex::default(),
        }
    }

    /// Starts the program once, so that a command that does not exist is an error before the first game. Whatever
    /// else goes wrong costs games.
    pub fn try_start(&self) -> anyhow::Result<()> {
        let mut process = self.spawn()?;
        match self.greet(&mut process) {
            Ok(()) => self.put_back(process),
            Err(forfeit) => {
                let code = process.end().and_then(|status| status.code());
                if forfeit.fault == Fault::Crash && matches!(code, Some(126 | 127)) {
                    bail!("the shell cannot run this command (exit code {})", code.unwrap_or(127));
                }
                self.failed_to_start(&forfeit);
            }
        }
        Ok(())
    }

    fn spawn(&self) -> std::io::Result<Process> {
        let log = self.host.log.clone();
        Process::start(&self.command, self.host.memory_mib, &self.label, log)
    }

    /// An idle process, or a new one that said it is ready.
    fn take(&self) -> Result<Process, Forfeit> {
        if let Some(process) = lock(&self.idle).pop() {
            return Ok(process);
        }
        {
            let failed = lock(&self.failed);
            if failed.n_in_a_row >= FAILED_STARTS_MAX {
                let n = failed.n_in_a_row;
                let last = &failed.last;
                let reason = format!("not started again after {n} failed starts; the last: {last}");
                return Err(Forfeit::new(Fault::Unstartable, reason));
            }
        }
        let started = self
            .spawn()
            .map_err(|error| {
                Forfeit::new(Fault::Crash, format!("the shell did not start: {error}"))
            })
            .and_then(|mut process| self.greet(&mut process).map(|()| process));
        match started {
            Ok(process) => {
                *lock(&self.failed) = FailedStarts::default();
                Ok(process)
            }
            Err(forfeit) => {
                self.failed_to_start(&forfeit);
                Err(Forfeit { reason: format!("at the start: {}", forfeit.reason), ..forfeit })
            }
        }
    }

    fn failed_to_start(&self, forfeit: &Forfeit) {
        let mut failed = lock(&self.failed);
        failed.n_in_a_row += 1;
        failed.last = forfeit.reason.clone();
    }

    fn greet(&self, process: &mut Process) -> Result<(), Forfeit> {
        let said = ask(process, &self.hello, self.host.start_limit)?;
        let Said::Ready { protocol, rules_fingerprint, .. } = said else {
            return Err(Forfeit::new(Fault::Nonsense, "an action instead of ready"));
        };
        if protocol != PROTOCOL {
            let reason = format!("it speaks protocol {protocol}, not {PROTOCOL}");
            return Err(Forfeit::new(Fault::Nonsense, reason));
        }
        if let Some(theirs) = rules_fingerprint.filter(|theirs| *theirs != self.rules_fingerprint) {
            let theirs = Excerpt(theirs.as_bytes());
            let reason = format!("it plays by rules {theirs}, not {}", self.rules_fingerprint);
            return Err(Forfeit::new(Fault::Nonsense, reason));
        }
        Ok(())
    }

    fn put_back(&self, process: Process) {
        lock(&self.idle).push(process);
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let mut idle = std::mem::take(&mut *lock(&self.idle));
        idle.iter_mut().for_each(|process| process.dismiss(&line(&Told::Quit)));
        let deadline = Instant::now() + QUIT_GRACE;
        for process in &mut idle {
            process.has_ended_within(deadline.saturating_duration_since(Instant::now()));
        }
    }
}

/// A program on a seat of one game.
pub struct ProgramSeat {
    program: Arc<Program>,
    /// From the first decision on.
    stream: Option<SeatStream>,
    process: Option<Process>,
    fault: Option<Fault>,
}

impl ProgramSeat {
    pub fn new(program: &Arc<Program>) -> ProgramSeat {
        ProgramSeat { program: program.clone(), stream: None, process: None, fault: None }
    }

    /// Waits for the program's action, at most as long as its limits say.
    pub fn decide<G: PipelineGame>(
        &mut self,
        rules: &G,
        seen: &Observation<G>,
        game: GameId,
    ) -> Result<G::Action, Forfeit> {
        let decided = self.ask_for_action(rules, seen, game);
        self.fault = decided.as_ref().err().map(|forfeit| forfeit.fault);
        decided
    }

    fn ask_for_action<G: PipelineGame>(
        &mut self,
        rules: &G,
        seen: &Observation<G>,
        game: GameId,
    ) -> Result<G::Action, Forfeit> {
        let process = match &mut self.process {
            Some(process) => process,
            None => self.process.insert(self.program.take()?),
        };
        let mut legal = Vec::new();
        let _ = rules.now_actions(seen.now(), &mut legal);
        let stream = self.stream.get_or_insert_with(|| SeatStream::new(game));
        let text = stream.act(rules, seen, &legal);
        match ask(process, &text, self.program.host.move_limit)? {
            Said::Action { action: named, .. } => legal
                .iter()
                .copied()
                .find(|&action| rules.action_text(action) == named)
                .ok_or_else(|| {
                    let named = Excerpt(named.as_bytes());
                    Forfeit::new(Fault::Illegal, format!("{named} is not among the legal actions"))
                }),
            _ => Err(Forfeit::new(Fault::Nonsense, "ready instead of an action")),
        }
    }

    /// The game is over. A program that did nothing wrong goes on to the next one.
    pub fn end<G: PipelineGame>(mut self, rules: &G, seen: &Observation<G>, outcome: Outcome<'_>) {
        let (Some(mut process), Some(mut stream)) = (self.process.take(), self.stream) else {
            return;
        };
        let text = stream.end(rules, seen, outcome);
        match self.fault {
            None => {
                process.tell(&text);
                self.program.put_back(process);
            }
            Some(Fault::Silence | Fault::Crash) => {}
            Some(_) => {
                process.dismiss(&text);
                process.has_ended_within(FAULT_GRACE);
            }
        }
    }
}

/// One question, one answer; an error message is a refusal.
fn ask(process: &mut Process, text: &str, limit: Duration) -> Result<Said, Forfeit> {
    if let Some(words) = process.unasked() {
        return Err(match serde_json::from_slice(&words) {
            Ok(Said::Error { message }) => refusal(&message),
            _ => {
                let reason = format!("it said {} without being asked", Excerpt(&words));
                Forfeit::new(Fault::Output, reason)
            }
        });
    }
    let words = process.ask(text, limit)?;
    match serde_json::from_slice(&words) {
        Ok(Said::Error { message }) => Err(refusal(&message)),
        Ok(said) => Ok(said),
        Err(_) => {
            let reason = format!("{} is no message of the protocol", Excerpt(&words));
            Err(Forfeit::new(Fault::Nonsense, reason))
        }
    }
}

fn refusal(message: &str) -> Forfeit {
    let printable = message.chars().map(|c| if c.is_control() { ' ' } else { c });
    Forfeit::new(Fault::Refused, printable.take(MESSAGE_MAX).collect::<String>())
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}
