//! Leases jobs, accepts shards, registers checkpoints, serves status.
