//! Plays games: pool, batched evaluation, shard upload, arena games, audit tools.
