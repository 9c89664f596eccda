//! Progress of long work on standard error: a bar on a terminal, a line every 10 s otherwise.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const LINE_EVERY: Duration = Duration::from_secs(10);

/// Counts units of work and shows them. May be shared between threads.
pub struct Progress {
    label: String,
    unit: &'static str,
    total: Option<u64>,
    done: AtomicU64,
    started: Instant,
    bar: Option<ProgressBar>,
    last_line: Mutex<Instant>,
    /// The last remark, for lines; a bar keeps its own.
    remark: Mutex<String>,
}

impl Progress {
    /// `total` units of work called `unit` (plural), e.g. `Progress::new("arena", Some(80), "games")`.
    pub fn new(label: &str, total: Option<u64>, unit: &'static str) -> Progress {
        let bar = io::stderr().is_terminal().then(|| {
            let template = match total {
                Some(_) => "{prefix} [{bar:30}] {pos}/{len} {per_sec} {eta} {msg}",
                None => "{prefix} {spinner} {pos} {per_sec} {msg}",
            };
            let style = ProgressStyle::with_template(template)
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            let bar = total.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
            bar.with_style(style).with_prefix(label.to_owned())
        });
        let now = Instant::now();
        Progress {
            label: label.to_owned(),
            unit,
            total,
            done: AtomicU64::new(0),
            started: now,
            bar,
            last_line: Mutex::new(now),
            remark: Mutex::new(String::new()),
        }
    }

    /// Reports `n` more units as done.
    pub fn inc(&self, n: u64) {
        let done = self.done.fetch_add(n, Ordering::Relaxed) + n;
        match &self.bar {
            Some(bar) => bar.set_position(done),
            None => self.line_if_due(done),
        }
    }

    /// A short remark behind the bar or in the next lines, e.g. the loss.
    pub fn remark(&self, text: String) {
        match (&self.bar, self.remark.lock()) {
            (Some(bar), _) => bar.set_message(text),
            (None, Ok(mut remark)) => *remark = text,
            // Another thread died while it held the lock; progress is not worth dying for too.
            (None, Err(_)) => {}
        }
    }

    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Takes the bar away, or writes the last line.
    pub fn finish(&self) {
        match &self.bar {
            Some(bar) => bar.finish_and_clear(),
            // Work that was over before a line was due needs none.
            None if self.started.elapsed() >= LINE_EVERY => self.line(self.done()),
            None => {}
        }
    }

    fn line_if_due(&self, done: u64) {
        let Ok(mut last) = self.last_line.try_lock() else { return };
        if last.elapsed() >= LINE_EVERY {
            *last = Instant::now();
            self.line(done);
        }
    }

    fn line(&self, done: u64) {
        let rate = done as f64 / self.started.elapsed().as_secs_f64().max(1e-9);
        let total = self.total.map_or_else(String::new, |total| format!("/{total}"));
        let remark = self.remark.lock().map_or_else(|_| String::new(), |remark| remark.clone());
        let comma = if remark.is_empty() { "" } else { ", " };
        eprintln!("{}: {done}{total} {}, {rate:.1} a second{comma}{remark}", self.label, self.unit);
    }
}
