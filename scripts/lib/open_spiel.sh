# Brings OpenSpiel to this machine, in a virtual environment in the user's cache: what solvers are compared with, and
# nothing else needs. Sourced; needs say.sh, and the variables root and cache.

# Sets open_spiel_python to an interpreter that has OpenSpiel; installs it, pinned and hashed, if there is none.
ensure_open_spiel() {
    local python folder
    python=$(python_for_open_spiel) ||
        fail "OpenSpiel's package needs Python 3.11, 3.12 or 3.13 with venv; install one, or name it in OPEN_SPIEL_PYTHON"
    folder=$cache/open-spiel-$({
        cat "$root/scripts/open-spiel.txt"
        "$python" --version
    } | sha256sum | cut -c1-12)
    open_spiel_python=$folder/bin/python
    [[ -f $folder/complete ]] && return
    say "installing OpenSpiel with pip into $folder"
    mkdir -p "$cache"
    rm -rf "$folder"
    "$python" -m venv "$folder" >&2 || fail "$python cannot make a virtual environment; install python3-venv"
    "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps \
        --only-binary=:all: --requirement "$root/scripts/open-spiel.txt" >&2 ||
        fail "pip could not install OpenSpiel; check the network (and pip's configuration), then run this again"
    # Only now the folder counts.
    touch "$folder/complete"
}

python_for_open_spiel() {
    local python
    for python in ${OPEN_SPIEL_PYTHON:-python3 python3.13 python3.12 python3.11}; do
        if "$python" -c 'import sys, venv; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null; then
            printf '%s' "$python"
            return
        fi
    done
    return 1
}
