#!/usr/bin/env bash
# Job 1, launch: a run whose roles are separate commands, as on a cluster. Coordinator, trainer and one worker start;
# a second worker joins late. Stops after the first new checkpoint.
#
#   scripts/examples/launch.sh [RUN [--set KEY=VALUE]…]      default RUN: runs/cluster
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source scripts/lib/say.sh
run=${1:-runs/cluster}
shift || true
roles=()
trap '((${#roles[@]} == 0)) || kill "${roles[@]}" 2>/dev/null || true' EXIT

# start COMMAND…: a role in the background, its log in the run folder.
start() {
    bin/muster "$@" 2>>"$run.$1.log" &
    roles+=($!)
}

# status EXPRESSION: something of the run's status, as Python says it of `s`; empty while nobody answers.
status() {
    { bin/muster status --run "$run" --json 2>/dev/null || true; } |
        python3 -c 'import json, sys; text = sys.stdin.read(); s = json.loads(text or "null"); print(eval(sys.argv[1]) if s else "")' "$1"
}

# until_true SECONDS WHAT COMMAND…
until_true() {
    local deadline=$((SECONDS + $1)) what=$2 role
    shift 2
    until "$@"; do
        for role in "${roles[@]}"; do
            kill -0 "$role" 2>/dev/null || fail "a role ended early; see $run.*.log"
        done
        ((SECONDS < deadline)) || fail "no $what within the time; see $run.*.log"
        sleep 0.5
    done
}

answers() { [[ -n $(status 's["run"]') ]]; }
has_rows() { [[ $(status 's["rows"]') -gt 0 ]]; }
has_two_workers() { [[ $(status 'sum(role["role"] == "worker" for role in s["roles"])') -ge 2 ]]; }
has_learned() { [[ $(status 's["generation"] or 0') -gt 0 ]]; }

mkdir -p "$(dirname "$run")"
start coordinator --config configs/cluster.toml --run "$run" "$@"
until_true 30 "answer from the coordinator" answers
address=$(<"$run/endpoint")
start trainer --coordinator "$address" --run "$run"
start worker --coordinator "$address" --threads 1
until_true 600 "accepted shard" has_rows
say "a second worker joins"
start worker --coordinator "$address" --threads 1
until_true 60 "second worker" has_two_workers
until_true 3600 "new checkpoint" has_learned
bin/muster status --run "$run"

# Workers and trainer first: the coordinator takes what they hand in.
say "stopping"
kill "${roles[@]:1}"
wait "${roles[@]:1}" || true
kill "${roles[0]}"
wait "${roles[0]}"
roles=()
