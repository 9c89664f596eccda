#!/usr/bin/env bash
# Compares `muster solve` with OpenSpiel's solvers: sizes, values, NashConv after t iterations, and, by turns in one run,
# iterations a second. Installs OpenSpiel's package (pinned, by hashes) into the cache; nothing else needs it, and it is
# no part of scripts/test.sh. About ten minutes; exit code 3 if a number differs.
#
#   scripts/compare-open-spiel.sh [--json] [--games kuhn,leduc,…] [--seconds S] [--long]
#
# --seconds: of each timed part (default 5). --long: liar's dice further, and the slow Python solvers.
# MUSTER: another binary than bin/muster.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/muster
source "$root/scripts/lib/say.sh"
source "$root/scripts/lib/open_spiel.sh"
muster=${MUSTER:-$root/bin/muster}
[[ -x $muster ]] || fail "there is no $muster; run scripts/setup.sh, which builds it"
ensure_open_spiel
exec "$open_spiel_python" "$root/scripts/lib/compare_open_spiel.py" "$muster" "$@"
