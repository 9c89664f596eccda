#!/usr/bin/env bash
# Job 2, retrain: a new network from the shards of a run that is over. No coordinator, and no look at the audit folder,
# which is moved away meanwhile to show it.
#
#   scripts/examples/retrain.sh [RUN [STEPS]]      default: runs/quickstart 200
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source scripts/lib/say.sh
run=${1:-runs/quickstart}
steps=${2:-200}
make_scratch
mv "$run/audit" "$run/.audit-moved-away"
trap 'mv "$run/.audit-moved-away" "$run/audit"; rm -rf "$scratch"' EXIT

bin/muster train --run "$run" --steps "$steps" --json | tee "$scratch/train.json"
checkpoint=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["checkpoint"])' "$scratch/train.json")
[[ -d $checkpoint ]] || checkpoint=$run/retrained/$checkpoint

say "the new network against the run's last checkpoint"
bin/muster arena "checkpoint:$checkpoint,sims=16,worlds=2" "$run@last,sims=16,worlds=2" --pairs 4 --json
