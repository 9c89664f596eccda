//! How the process ends: first no more leases, then, when nobody holds one or the grace time is over, no more answers.

use std::time::Duration;
use tokio::sync::watch;

/// How long open leases are waited for after a stop was asked for.
pub const GRACE: Duration = Duration::from_secs(20);
/// How long answers under way may take after that.
pub const HARD_DEADLINE: Duration = Duration::from_secs(3);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Phase {
    Running,
    /// Somebody asked the process to end.
    Stopping,
    /// Streams end now.
    Ending,
}

/// The phase, seen and moved on by everybody who holds a clone. It never goes back.
#[derive(Clone, Debug)]
pub struct Stop {
    phase: watch::Sender<Phase>,
}

impl Default for Stop {
    fn default() -> Self {
        Stop { phase: watch::Sender::new(Phase::Running) }
    }
}

impl Stop {
    pub fn advance(&self, to: Phase) {
        self.phase.send_if_modified(|phase| {
            let is_later = to > *phase;
            *phase = to.max(*phase);
            is_later
        });
    }

    pub fn phase(&self) -> Phase {
        *self.phase.borrow()
    }

    /// Returns once the phase is `at_least` or a later one.
    pub async fn reached(&self, at_least: Phase) {
        // The sender lives in `self`, so the wait cannot fail.
        let _ = self.phase.subscribe().wait_for(|phase| *phase >= at_least).await;
    }
}
