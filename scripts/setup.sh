#!/usr/bin/env bash
# Makes this checkout ready: checks the machine, fetches libtorch, builds, and copies the binaries to bin/.
# May be run again at any time; a second run takes seconds. Used by quickstart.sh and test.sh.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/muster
for part in say platform libtorch cargo_config; do
    # shellcheck source=/dev/null
    source "$root/scripts/lib/$part.sh"
done

binaries=(muster muster-coordinator muster-worker muster-trainer)

# Copies, so that a build in another checkout does not change what runs here; by rename, so that a running process
# keeps its file.
copy_binaries() {
    local name from=$1/release
    mkdir -p "$root/bin"
    for name in "${binaries[@]}"; do
        cmp -s "$from/$name" "$root/bin/$name" && continue
        cp "$from/$name" "$root/bin/.$name.new"
        mv "$root/bin/.$name.new" "$root/bin/$name"
    done
}

check_platform
ensure_packages
check_rust
ensure_libtorch
write_cargo_config
cd "$root"
cargo build --release --locked --workspace --bins
# Whoever names another target folder has one.
copy_binaries "${CARGO_TARGET_DIR:-$(target_folder)}"
say "ready: bin/muster"
