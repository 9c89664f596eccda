//! The process groups of running programs: where this process is told to end, they end with it.

use rustix::process::{Pid, Signal, kill_process_group};
use std::collections::BTreeSet;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::sync::{Mutex, Once};
use tokio::signal::unix::{SignalKind, signal};

static GROUPS: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());
static WATCH: Once = Once::new();

/// Starts a command as the leader of a group of its own, which is killed when an interrupt, a hang-up or a request
/// to end comes.
pub fn start(command: &mut Command) -> io::Result<(Child, Option<Pid>)> {
    WATCH.call_once(|| {
        if let Err(error) = watch() {
            tracing::warn!(%error, "programs may outlive an interrupt");
        }
    });
    let mut groups = lock();
    let child = command.process_group(0).spawn()?;
    let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    groups.extend(group.map(|group| group.as_raw_nonzero().get()));
    Ok((child, group))
}

/// Kills a group. Its leader must not have been waited for, so that the number cannot have gone to another.
pub fn end(group: Pid) {
    let mut groups = lock();
    // It fails only where nobody is left.
    let _ = kill_process_group(group, Signal::KILL);
    groups.remove(&group.as_raw_nonzero().get());
}

fn watch() -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    let entered = runtime.enter();
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hangup = signal(SignalKind::hangup())?;
    drop(entered);
    std::thread::Builder::new().name("programs".to_owned()).spawn(move || {
        let number = runtime.block_on(async {
            tokio::select! {
                _ = interrupt.recv() => 2,
                _ = terminate.recv() => 15,
                _ = hangup.recv() => 1,
            }
        });
        // Held until the end, so that no program is started meanwhile.
        let groups = lock();
        for group in groups.iter().copied().filter_map(Pid::from_raw) {
            let _ = kill_process_group(group, Signal::KILL);
        }
        std::process::exit(128 + number)
    })?;
    Ok(())
}

fn lock() -> std::sync::MutexGuard<'static, BTreeSet<i32>> {
    GROUPS.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}
