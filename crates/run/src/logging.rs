//! Logs on standard error: short lines on a terminal, JSON lines otherwise.

use std::io::{self, IsTerminal};
use tracing_subscriber::EnvFilter;

/// Sets up logging for a process, once. `MUSTER_LOG` takes a filter such as `debug` or `worker=debug,info`;
/// without it, `info`. A second call changes nothing.
pub fn init() {
    let filter = std::env::var("MUSTER_LOG")
        .ok()
        .and_then(|filter| EnvFilter::try_new(filter).ok())
        .unwrap_or_else(|| EnvFilter::new("info"));
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr);
    let _ = if io::stderr().is_terminal() {
        builder.with_target(false).compact().try_init()
    } else {
        builder.json().flatten_event(true).with_current_span(true).try_init()
    };
}
