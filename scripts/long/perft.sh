#!/usr/bin/env bash
# Compares the deep counts of move sequences in crates/boards/perft/ with what our rules count: minutes on one core.
set -euo pipefail
cd "$(dirname "$0")/../.."
cargo test --release -p boards --test boards -- --ignored --nocapture deep_counts
