//! Searches for games with hidden information: PUCT over sampled worlds, and the baselines.
