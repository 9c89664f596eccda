//! Proves the wiring: a real server over real sockets, a real client, the run folder's files. What the coordinator
//! decides is proven beside its core.

mod leasing;
mod nonsense;
mod process;
mod streams;
mod support;
mod upload;
mod verifying;
