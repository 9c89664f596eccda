//! A program as a child process: one line asked, one line answered, within limits. It knows pipes and time, and
//! nothing of games.
//!
//! All pipes are non-blocking and waited for together, so a program that does not read, does not write or floods
//! its standard error costs its time limit and nothing more.

use super::forfeit::{Excerpt, Fault, Forfeit};
use super::groups;
use super::log::Log;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::ioctl_fionbio;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use std::io::{self, ErrorKind, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Bytes of one line of a program, its line break included.
pub const LINE_MAX: usize = 1 << 16;

/// Environment that a program gets; the rest of ours is no business of it.
const ENVIRONMENT: [&str; 14] = [
    "CUDA_VISIBLE_DEVICES",
    "HOME",
    "LANG",
    "LD_LIBRARY_PATH",
    "LOGNAME",
    "OMP_NUM_THREADS",
    "PATH",
    "PYTHONPATH",
    "SHELL",
    "TMPDIR",
    "TZ",
    "USER",
    "VIRTUAL_ENV",
    "XDG_CACHE_HOME",
];

/// Limits the address space (in KiB, 0 for none) of itself and of what it starts, then becomes the command.
const WRAPPER: &str = r#"ulimit -c 0
[ "$1" = 0 ] || ulimit -v "$1" || exit 126
exec /bin/sh -c "$2""#;

/// How long a program that closed its output has to end before it is ended.
const GRACE: Duration = Duration::from_secs(1);
/// How often an ending program is looked at.
const LOOK: Duration = Duration::from_millis(2);

/// A running program and its process group. Dropping it ends them and leaves no zombie.
pub struct Process {
    child: Child,
    group: Option<Pid>,
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    unsent: Vec<u8>,
    heard: Vec<u8>,
    complained: Vec<u8>,
    name: String,
    log: Arc<Log>,
}

impl Process {
    /// Starts `command` in a shell. `memory_mib` limits the address space of each of its processes; 0 is no limit.
    pub fn start(command: &str, memory_mib: u32, name: &str, log: Arc<Log>) -> io::Result<Process> {
        let kib = u64::from(memory_mib) * 1024;
        let (mut child, group) = groups::start(
            Command::new("/bin/sh")
                .args(["-c", WRAPPER, "sh", &kib.to_string(), command])
                .env_clear()
                .envs(ENVIRONMENT.iter().filter_map(|key| Some((key, std::env::var_os(key)?))))
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped()),
        )?;
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let process = Process {
            child,
            group,
            stdin,
            stdout,
            stderr,
            unsent: Vec::new(),
            heard: Vec::new(),
            complained: Vec::new(),
            name: name.to_owned(),
            log,
        };
        process.stdin.as_ref().map_or(Ok(()), |pipe| ioctl_fionbio(pipe, true))?;
        process.stdout.as_ref().map_or(Ok(()), |pipe| ioctl_fionbio(pipe, true))?;
        process.stderr.as_ref().map_or(Ok(()), |pipe| ioctl_fionbio(pipe, true))?;
        Ok(process)
    }

    /// Sends `text` and waits for one line; it comes without its line break.
    pub fn ask(&mut self, text: &str, limit: Duration) -> Result<Vec<u8>, Forfeit> {
        self.unsent.extend_from_slice(text.as_bytes());
        let deadline = Instant::now() + limit;
        loop {
            self.exchange();
            if let Some(line) = self.take_line()? {
                return Ok(line);
            }
            if self.stdout.is_none() {
                return Err(self.gone());
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(self.silent(limit));
            }
            self.wait(left);
        }
    }

    /// Sends `text` as far as the pipe takes it now; the rest goes with the next question.
    pub fn tell(&mut self, text: &str) {
        self.unsent.extend_from_slice(text.as_bytes());
        self.send();
    }

    /// What was said although nobody had asked: a line, or what there is of one.
    pub fn unasked(&mut self) -> Option<Vec<u8>> {
        self.hear();
        match self.take_line() {
            Ok(Some(line)) => Some(line),
            Ok(None) if self.heard.is_empty() => None,
            Ok(None) | Err(_) => Some(std::mem::take(&mut self.heard)),
        }
    }

    /// Says `text` as the last word and closes the program's input.
    pub fn dismiss(&mut self, text: &str) {
        self.tell(text);
        self.stdin = None;
    }

    /// Waits until the program has ended by itself, at most so long.
    pub fn has_ended_within(&mut self, limit: Duration) -> bool {
        let deadline = Instant::now() + limit;
        loop {
            self.hear_errors();
            if self.has_ended() {
                return true;
            }
            if Instant::now() >= deadline {
                return false;
            }
            std::thread::sleep(LOOK);
        }
    }

    /// Ends the program and everything in its process group, and takes its exit status.
    pub fn end(&mut self) -> Option<ExitStatus> {
        if let Some(group) = self.group.take() {
            groups::end(group);
        }
        self.hear_errors();
        // The standard library gives the same status again.
        self.child.wait().ok()
    }

    fn has_ended(&self) -> bool {
        let Some(group) = self.group else { return true };
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        matches!(waitid(WaitId::Pid(group), options), Ok(Some(_)) | Err(rustix::io::Errno::CHILD))
    }

    fn exchange(&mut self) {
        self.send();
        self.hear();
        self.hear_errors();
    }

    /// Until something can be read or written, or so long.
    fn wait(&self, limit: Duration) {
        let mut fds = Vec::with_capacity(3);
        if let Some(stdin) = self.stdin.as_ref().filter(|_| !self.unsent.is_empty()) {
            fds.push(PollFd::new(stdin, PollFlags::OUT));
        }
        if let Some(stdout) = &self.stdout {
            fds.push(PollFd::new(stdout, PollFlags::IN));
        }
        if let Some(stderr) = &self.stderr {
            fds.push(PollFd::new(stderr, PollFlags::IN));
        }
        let timeout = Timespec::try_from(limit).ok();
        // An interrupted wait is tried again by the loop around it.
        let _ = poll(&mut fds, timeout.as_ref());
    }

    fn send(&mut self) {
        let Some(stdin) = &mut self.stdin else {
            self.unsent.clear();
            return;
        };
        while !self.unsent.is_empty() {
            match stdin.write(&self.unsent) {
                Ok(n) => drop(self.unsent.drain(..n)),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(_) => {
                    // It reads no more: what it says and how it ends is seen at its output.
                    self.stdin = None;
                    self.unsent.clear();
                    return;
                }
            }
        }
    }

    fn hear(&mut self) {
        while self.heard.len() <= LINE_MAX && !self.heard.contains(&b'\n') {
            if !read_some(&mut self.stdout, &mut self.heard) {
                return;
            }
        }
    }

    fn hear_errors(&mut self) {
        // At most so much at a time, so that a flood does not keep us.
        for _ in 0..16 {
            let goes_on = read_some(&mut self.stderr, &mut self.complained);
            while let Some(at) = self.complained.iter().position(|&byte| byte == b'\n') {
                let line: Vec<u8> = self.complained.drain(..=at).collect();
                self.log.line(&self.name, self.child.id(), &line);
            }
            let is_over = self.stderr.is_none() && !self.complained.is_empty();
            if is_over || self.complained.len() > LINE_MAX {
                let line = std::mem::take(&mut self.complained);
                self.log.line(&self.name, self.child.id(), &line);
            }
            if !goes_on {
                return;
            }
        }
    }

    fn take_line(&mut self) -> Result<Option<Vec<u8>>, Forfeit> {
        match self.heard.iter().position(|&byte| byte == b'\n') {
            Some(at) if at < LINE_MAX => {
                let mut line: Vec<u8> = self.heard.drain(..=at).collect();
                line.pop();
                Ok(Some(line))
            }
            None if self.heard.len() <= LINE_MAX => Ok(None),
            _ => Err(Forfeit::new(Fault::Output, format!("a line of more than {LINE_MAX} bytes"))),
        }
    }

    fn silent(&self, limit: Duration) -> Forfeit {
        let seconds = limit.as_secs_f64();
        let what = match self.heard.is_empty() {
            true => format!("no answer within {seconds} s"),
            false => format!("no whole line within {seconds} s, only {}", Excerpt(&self.heard)),
        };
        Forfeit::new(Fault::Silence, what)
    }

    fn gone(&mut self) -> Forfeit {
        let has_ended = self.has_ended_within(GRACE);
        let status = self.end();
        let mut reason = match status.filter(|_| has_ended) {
            Some(status) => format!("the program ended ({status})"),
            None => "the program closed its output".to_owned(),
        };
        if !self.heard.is_empty() {
            reason += &format!(" after an unfinished line {}", Excerpt(&self.heard));
        }
        Forfeit::new(Fault::Crash, reason)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// Whether something came. A pipe that is at its end is dropped.
fn read_some<R: Read>(pipe: &mut Option<R>, into: &mut Vec<u8>) -> bool {
    let Some(reader) = pipe else { return false };
    let mut chunk = [0; 8192];
    match reader.read(&mut chunk) {
        Ok(n) if n > 0 => {
            into.extend_from_slice(&chunk[..n]);
            true
        }
        Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {
            false
        }
        Ok(_) | Err(_) => {
            *pipe = None;
            false
        }
    }
}
