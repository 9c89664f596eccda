//! One binary for the integration tests of audit records, on real War Chest games.

mod controls;
mod fixture;
mod rederive;
mod seal;
mod shards;
mod size;
