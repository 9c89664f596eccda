//! Ctrl-C and the polite end signal, for work that can be saved.

use anyhow::Context;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::signal::unix::{SignalKind, signal};

/// Whether the work was asked to end.
pub struct Stop(Option<Arc<AtomicBool>>);

impl Stop {
    /// Signals end the process at once, as they do by default.
    pub fn never() -> Stop {
        Stop(None)
    }

    /// From here on the first signal is only noted; a second one ends the process.
    pub fn on_signal() -> anyhow::Result<Stop> {
        let asked = Arc::new(AtomicBool::new(false));
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .context("signal handler")?;
        let mut signals = {
            let _within = runtime.enter();
            [SignalKind::interrupt(), SignalKind::terminate()]
                .into_iter()
                .map(signal)
                .collect::<Result<Vec<_>, _>>()
                .context("signal handler")?
        };
        let noted = Arc::clone(&asked);
        std::thread::Builder::new()
            .name("signals".to_owned())
            .spawn(move || {
                runtime.block_on(async {
                    let [interrupt, terminate] = &mut signals[..] else { return };
                    loop {
                        tokio::select! {
                            _ = interrupt.recv() => {}
                            _ = terminate.recv() => {}
                        }
                        if noted.swap(true, Ordering::Relaxed) {
                            std::process::exit(1);
                        }
                    }
                });
            })
            .context("signal handler")?;
        Ok(Stop(Some(asked)))
    }

    pub fn is_asked(&self) -> bool {
        self.0.as_ref().is_some_and(|asked| asked.load(Ordering::Relaxed))
    }
}
