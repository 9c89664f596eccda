#!/usr/bin/env bash
# Job 4, evaluate: checkpoints head to head, then a ladder of all of them.
#
#   scripts/examples/evaluate.sh [RUN [PAIRS]]      default: runs/quickstart 20
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source scripts/lib/say.sh
run=${1:-runs/quickstart}
pairs=${2:-20}

say "the last checkpoint against the first, $pairs pairs"
bin/muster arena "$run@last,sims=64,worlds=4" "$run@first,sims=64,worlds=4" --pairs "$pairs" --json

say "the last checkpoint against a baseline"
bin/muster arena "$run@last,sims=64,worlds=4" greedy --pairs "$pairs" --json

say "all checkpoints of the run"
bin/muster arena --ladder "$run" --pairs "$pairs"
