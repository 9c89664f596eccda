#!/usr/bin/env bash
# The statistical probe at full size: 1,200 games of the run's last checkpoint, some 40,000 pairs of a true and a drawn
# hand. Some 25 minutes on two cores. Exit code 3 when rows tell too much or a control is not caught.
#
#   scripts/long/probe.sh RUN [GAMES]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
run=${1:?name a run folder: scripts/long/probe.sh RUN [GAMES]}
bin/muster audit probe "$run" --games "${2:-1200}" --sims 32 --json
