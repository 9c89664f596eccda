#!/usr/bin/env bash
# The long form of the belief checks: 10 million positions with the truth in the support, a million positions of mini
# games against enumeration, calibration on 10,000 games, and the speed of each belief. Some minutes on two cores.
#
#   scripts/long/beliefs.sh [TRUTHS [POSITIONS]]      default: 10000000 1000000
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source scripts/lib/say.sh
truths=${1:-10000000}
positions=${2:-1000000}

stage "beliefs of War Chest" \
    bin/muster check war-chest --beliefs --truths "$truths" --positions "$positions" --json
for belief in exact-uniform labelled-uniform structural-uniform-v1; do
    stage "speed of $belief" bin/muster bench belief --rule "belief=$belief" --positions 1000000 --json
done
