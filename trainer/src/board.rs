//! What the trainer's thread and its line to the coordinator share.

use proto::v1::RoleReport;
use record::ShardManifest;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Accepted shards come in, the report goes out, and either side may ask to stop.
#[derive(Default)]
pub struct Board {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    accepted: Vec<ShardManifest>,
    report: RoleReport,
    stop: Option<String>,
}

impl Board {
    /// One more accepted shard, in order.
    pub fn push_accepted(&self, manifest: ShardManifest) {
        self.lock().accepted.push(manifest);
        self.changed.notify_all();
    }

    /// Asks the trainer to end; the first reason stays.
    pub fn stop(&self, why: &str) {
        self.lock().stop.get_or_insert_with(|| why.to_owned());
        self.changed.notify_all();
    }

    pub fn is_stopped(&self) -> bool {
        self.lock().stop.is_some()
    }

    pub fn why_stopped(&self) -> Option<String> {
        self.lock().stop.clone()
    }

    pub fn report(&self) -> RoleReport {
        self.lock().report.clone()
    }

    pub fn update_report(&self, change: impl FnOnce(&mut RoleReport)) {
        change(&mut self.lock().report);
    }

    /// Waits until `ready` makes something of the accepted shards; `None` when the trainer is to end. `ready` is
    /// asked again at every new shard.
    pub fn wait<T>(
        &self,
        mut ready: impl FnMut(&[ShardManifest], &mut RoleReport) -> Option<T>,
    ) -> Option<T> {
        let mut state = self.lock();
        loop {
            if state.stop.is_some() {
                return None;
            }
            let State { accepted, report, .. } = &mut *state;
            if let Some(made) = ready(accepted, report) {
                return Some(made);
            }
            let waited = self.changed.wait_timeout(state, Duration::from_secs(1));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
