//! One binary for the integration tests of training shards.

mod accepted;
mod damage;
mod rows;
mod shards;
