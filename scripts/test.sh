#!/usr/bin/env bash
# All the tests, with the set-up they need. Stops at the first stage that fails. CI calls this.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/lib/say.sh
source scripts/lib/leaks.sh
begun=$SECONDS

# The same bits for a row wherever it lies in memory, also on AMD processors: see crates/muster/src/hand_over.rs.
export MKL_CBWR=${MKL_CBWR:-AVX2,STRICT}

# Everything that links libtorch is built in one profile, release: its C++ takes minutes for each.
lint() { cargo clippy --release --locked --workspace --all-targets -- -D warnings; }
docs() { RUSTDOCFLAGS="-D warnings" cargo doc --release --locked --workspace --no-deps --quiet; }
tests() { cargo test --release --locked --workspace; }

# The rules and the searches again with debug assertions and overflow checks.
assertions() { cargo test --locked -p game -p referee -p warchest -p search -p catalog; }

# The program that is given the state of a truth is built apart, and lies in no bin/.
leaks() {
    cargo fmt --manifest-path leaks/Cargo.toml --check
    cargo build --release --locked --manifest-path leaks/Cargo.toml
    bin/muster audit leaks --binary "$(leaks_binary)" --pairs 10000 --json >"$scratch/leaks.json"
}

# The smallest whole loop: processes, shards, their verification, training, checkpoints, arena, audit; with the belief
# that asks the network, so that everything it asks is asked again.
loop() {
    bin/muster up --config configs/first-experiment.toml --run "$scratch/first" \
        --set audit.admission=required --set rules.belief=policy-posterior
    python3 scripts/lib/check_summary.py "$scratch/first/summary.json"
}

launch() {
    scripts/examples/launch.sh "$scratch/cluster" --set coordinator.listen=127.0.0.1:0 \
        --set network.blocks=1 --set network.channels=8 --set search.simulations=8 --set search.worlds=2 \
        --set selfplay.batch=16 --set selfplay.games_per_job=2 --set rules.cap=64 --set selfplay.precision=float32 \
        --set training.batch=32 --set training.rows_per_generation=150 --set training.replay_ratio=1 \
        --set training.threads=1
}

make_scratch
stage "set-up" scripts/setup.sh
stage "format" cargo fmt --all --check
stage "lint" lint
stage "docs" docs
stage "tests" tests
stage "tests with debug assertions" assertions
stage "planted leaks" leaks
stage "the smallest whole loop" loop
stage "example: launch" launch
stage "example: retrain" scripts/examples/retrain.sh "$scratch/first" 10
stage "example: audit" scripts/examples/audit.sh "$scratch/first" 20
stage "example: evaluate" scripts/examples/evaluate.sh "$scratch/first" 1
say "== all passed in $((SECONDS - begun)) s"
