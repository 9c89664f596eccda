#!/usr/bin/env bash
# The main job, from nothing: set-up, self-play and training on this machine, then the arena and the audit.
# Everything it learns stands in runs/quickstart/summary.json. Run it again to resume a run that was stopped.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/setup.sh
bin/muster up --config configs/quickstart.toml --run runs/quickstart "$@"
