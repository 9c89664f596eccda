//! Where programs' standard error goes: one bounded log, every line with its program's name and process id.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;

/// Bytes after which a log takes no more.
const LOG_MAX: usize = 1 << 20;
/// A longer line is cut.
const LOG_LINE_MAX: usize = 4096;

/// Where a log goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Destination {
    /// Made with the first line.
    File(PathBuf),
    /// This process's own standard error.
    Stderr,
    /// A person plays, who may not see what the program knows.
    Nowhere,
}

pub struct Log {
    destination: Destination,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    file: Option<File>,
    n_bytes: usize,
    is_broken: bool,
}

impl Log {
    pub fn new(destination: Destination) -> Log {
        Log { destination, state: Mutex::default() }
    }

    /// One line of a program. A log that cannot be written says so once and lets the games go on.
    pub fn line(&self, name: &str, pid: u32, text: &[u8]) {
        let mut state = self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if self.destination == Destination::Nowhere || state.is_broken || state.n_bytes > LOG_MAX {
            return;
        }
        let shown = String::from_utf8_lossy(&text[..text.len().min(LOG_LINE_MAX)]);
        let clean: String = shown.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let mut line = format!("{name} [{pid}] {}\n", clean.trim_end());
        state.n_bytes += line.len();
        if state.n_bytes > LOG_MAX {
            line += "(more is left out)\n";
        }
        if let Err(error) = self.write(&mut state, line.as_bytes()) {
            state.is_broken = true;
            eprintln!("the programs' log {:?} cannot be written: {error}", self.destination);
        }
    }

    fn write(&self, state: &mut State, line: &[u8]) -> std::io::Result<()> {
        match &self.destination {
            Destination::Nowhere => Ok(()),
            Destination::Stderr => std::io::stderr().write_all(line),
            Destination::File(path) => {
                let file = match &mut state.file {
                    Some(file) => file,
                    None => {
                        state.file.insert(File::options().append(true).create(true).open(path)?)
                    }
                };
                file.write_all(line)
            }
        }
    }
}
