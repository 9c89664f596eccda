# Messages, stages and temporary files. Sourced.

say() { printf '%s\n' "$*" >&2; }

# What failed, and what to do about it.
fail() {
    say "error: $*"
    exit 1
}

# stage NAME COMMAND…: runs a command, prints how long it took, ends the script if it fails.
stage() {
    local name=$1 from status=0
    shift
    from=$(date +%s)
    say "== $name"
    "$@" || status=$?
    if ((status != 0)); then
        say "== $name FAILED (exit code $status, $(($(date +%s) - from)) s): $*"
        exit "$status"
    fi
    say "== $name: $(($(date +%s) - from)) s"
}

# A folder that is removed when the script ends, in $scratch.
make_scratch() {
    scratch=$(mktemp -d "${TMPDIR:-/tmp}/muster.XXXXXX")
    trap 'rm -rf "$scratch"' EXIT
}
