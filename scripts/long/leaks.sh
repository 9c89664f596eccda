#!/usr/bin/env bash
# Planted leaks, and a million pairs of truths through the real program: the test suite's check with a bigger number.
#   scripts/long/leaks.sh [PAIRS]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source scripts/lib/say.sh
source scripts/lib/leaks.sh

stage "build" cargo build --release --locked --manifest-path leaks/Cargo.toml
stage "planted leaks" "$(leaks_binary)" --pairs "${1:-1000000}" --json
