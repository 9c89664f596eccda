//! The audit commands on a run folder with real games of a real network.

mod auditor;
mod commands;
mod controls;
mod fixture;
mod probe;
mod sealed;
mod two_worlds;
