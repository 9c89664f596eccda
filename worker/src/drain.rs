//! How a role that a signal asks to end does so in its own time.

use anyhow::Context;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::signal::unix::{SignalKind, signal};

const LOOK_EVERY: Duration = Duration::from_millis(200);

/// From here on the first SIGTERM or Ctrl-C drains; a second one ends the process as usual. The first thing a role
/// does, so that it ends well whenever it is asked.
pub(crate) fn drain_on_signal(drain: Arc<AtomicBool>) -> anyhow::Result<()> {
    for kind in [SignalKind::terminate(), SignalKind::interrupt()] {
        let mut signals = signal(kind).context("signal handler")?;
        let drain = Arc::clone(&drain);
        tokio::spawn(async move {
            // A drain that the coordinator began does not make the first signal a second one.
            let mut is_first = true;
            while signals.recv().await.is_some() {
                if !std::mem::take(&mut is_first) {
                    std::process::exit(1);
                }
                drain.store(true, Ordering::Relaxed);
                tracing::info!("draining");
            }
        });
    }
    Ok(())
}

/// Ends when a drain was asked for.
pub(crate) async fn drained(drain: &AtomicBool) {
    while !drain.load(Ordering::Relaxed) {
        tokio::time::sleep(LOOK_EVERY).await;
    }
}
