//! Leases jobs, accepts shards, registers checkpoints, serves status. It moves opaque ids, counts, digests and
//! fingerprints, and never sees a rule or a row.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used))]

mod accepted;
mod caller;
mod convert;
pub mod core;
#[cfg(test)]
mod fixture;
mod keeper;
mod objects;
pub mod server;
mod service;
#[cfg(test)]
mod sim;
pub mod stop;
pub mod store;
mod upload;
