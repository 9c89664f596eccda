//! Resolved configuration, run folder, player names, stores, logging: what all binaries share.
