#!/usr/bin/env bash
# Job 3, audit: look at the full truth of recorded games, then prove that every training row depends only on what its
# player was allowed to know.
#
#   scripts/examples/audit.sh [RUN [PAIRS]]      default: runs/quickstart 2000
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source scripts/lib/say.sh
run=${1:-runs/quickstart}
pairs=${2:-2000}
make_scratch

say "the recorded games"
bin/muster audit show "$run" >"$scratch/games"
head -n 5 "$scratch/games"
game=$(grep -m1 -oE '^[0-9a-f]{32}' "$scratch/games")

say "game $game at ply 12, as white sees it, and as it is"
bin/muster audit show "$run" "$game" --seat white --ply 12
bin/muster audit show "$run" "$game" --seat truth --ply 12

say "every game replayed, every row derived again, $pairs second truths"
bin/muster audit verify "$run" --pairs "$pairs" --json
