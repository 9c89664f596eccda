//! The auditor role: leases accepted shards, derives their rows again from the truth, and says per shard whether
//! anything differs. What differs stays under the audit root; the coordinator hears where, never what.

pub mod command;
mod service;
mod verification;

pub use command::AuditorArgs;
