//! One line a process: refreshed in place on a terminal, printed every ten seconds otherwise.

use super::process::Process;
use super::supervise::Supervisor;
use crate::status::{coordinator_line, role_line};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use proto::v1::{RoleStatus, StatusResponse};
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

const LINES_EVERY: Duration = Duration::from_secs(10);

pub struct Screen {
    terminal: Option<Terminal>,
    next_lines: Instant,
}

struct Terminal {
    group: MultiProgress,
    lines: Vec<ProgressBar>,
}

impl Screen {
    pub fn new() -> Screen {
        let terminal = io::stderr()
            .is_terminal()
            .then(|| Terminal { group: MultiProgress::new(), lines: Vec::new() });
        Screen { terminal, next_lines: Instant::now() }
    }

    pub fn draw(&mut self, supervisor: &Supervisor, status: Option<&StatusResponse>) {
        let is_due = self.terminal.is_some() || self.next_lines <= Instant::now();
        if !is_due {
            return;
        }
        let mut lines: Vec<String> =
            supervisor.processes().map(|process| process_line(process, status)).collect();
        lines.extend(others(supervisor, status));
        match &mut self.terminal {
            Some(terminal) => terminal.show(&lines),
            None => {
                self.next_lines = Instant::now() + LINES_EVERY;
                lines.iter().for_each(|line| eprintln!("{line}"));
            }
        }
    }

    /// A remark above the lines.
    pub fn say(&self, text: &str) {
        match &self.terminal {
            Some(terminal) => {
                let _ = terminal.group.println(text);
            }
            None => eprintln!("{text}"),
        }
    }

    pub fn clear(&mut self) {
        if let Some(terminal) = &mut self.terminal {
            terminal.lines.iter().for_each(ProgressBar::finish);
        }
    }
}

impl Terminal {
    fn show(&mut self, lines: &[String]) {
        let style = ProgressStyle::with_template("{msg}")
            .unwrap_or_else(|_| ProgressStyle::default_spinner());
        while self.lines.len() < lines.len() {
            let line = ProgressBar::new_spinner().with_style(style.clone());
            self.lines.push(self.group.add(line));
        }
        for (bar, line) in self.lines.iter().zip(lines) {
            bar.set_message(line.clone());
        }
        // Lines of workers that have left.
        for bar in self.lines.drain(lines.len()..) {
            bar.finish_and_clear();
        }
    }
}

fn process_line(process: &Process, status: Option<&StatusResponse>) -> String {
    let text = if !process.is_alive() {
        process.state()
    } else if process.name == "coordinator" {
        status.map_or_else(|| process.state(), coordinator_line)
    } else {
        report_of(process, status).map_or_else(|| process.state(), role_line)
    };
    let restarts = match process.restarts {
        0 => String::new(),
        n => format!(" [restarted {n}x]"),
    };
    format!("{:<12} {text}{restarts}", process.name)
}

/// A role's id contains its process number, so a report finds its child.
fn report_of<'a>(process: &Process, status: Option<&'a StatusResponse>) -> Option<&'a RoleStatus> {
    let part = format!("-{}-", process.pid()?);
    status?.roles.iter().find(|role| id_of(role).contains(&part))
}

fn id_of(role: &RoleStatus) -> &str {
    role.report.as_ref().map_or("", |report| &report.id)
}

/// Roles that joined from elsewhere.
fn others(supervisor: &Supervisor, status: Option<&StatusResponse>) -> Vec<String> {
    let own: Vec<String> =
        supervisor.processes().filter_map(Process::pid).map(|pid| format!("-{pid}-")).collect();
    status
        .into_iter()
        .flat_map(|status| &status.roles)
        .filter(|role| role.age_s < 15.0 && !own.iter().any(|part| id_of(role).contains(part)))
        .map(|role| format!("{:<12} {}", "joined", role_line(role)))
        .collect()
}
