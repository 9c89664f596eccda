//! Replay window, training step, checkpoint publishing.
