# Brings libtorch to this machine: the CPU part, pinned and hashed, in the user's cache. Sourced; needs say.sh and
# platform.sh, and the variables root and cache.
#
# The files come from the packages that PyTorch and NVIDIA publish, downloaded by pip by the person who runs this.
# Nothing of them is part of this repository.

torch_version() { sed -n 's/^torch==\([^ ]*\).*/\1/p' "$root/scripts/libtorch.txt"; }

# Sets LIBTORCH to a folder with include/ and lib/ of the right version; downloads it if there is none.
ensure_libtorch() {
    local version
    version=$(torch_version)
    if [[ -n ${LIBTORCH:-} ]]; then
        check_libtorch "$LIBTORCH" "$version"
        say "libtorch: LIBTORCH=$LIBTORCH"
        return
    fi
    LIBTORCH=$cache/libtorch-$version-cpu
    if [[ ! -d $LIBTORCH ]]; then
        # One of two set-ups that run at once waits for the other.
        mkdir -p "$cache"
        exec {lock}>"$cache/libtorch.lock"
        flock "$lock"
        [[ -d $LIBTORCH ]] || install_libtorch "$version"
        exec {lock}>&-
    fi
    check_libtorch "$LIBTORCH" "$version"
    export LIBTORCH
}

check_libtorch() {
    local folder=$1 version=$2 header found
    header=$folder/include/torch/headeronly/version.h
    [[ -f $folder/lib/libtorch_cpu.so && -f $header ]] ||
        fail "no libtorch in $folder: expected lib/libtorch_cpu.so and include/; remove the folder, or unset LIBTORCH, and run this again"
    found=$(awk '/define TORCH_VERSION_(MAJOR|MINOR|PATCH)/ { printf "%s%s", dot, $3; dot = "." }' "$header")
    [[ $found == "$version" ]] ||
        fail "libtorch in $folder is $found, but this build needs $version; unset LIBTORCH to have it downloaded"
}

install_libtorch() {
    local version=$1 wheels=$cache/dl/wheels draft
    ensure_packages with-pip
    mkdir -p "$wheels"
    if ! wheels_are_there "$wheels"; then
        download_wheels "$wheels"
        wheels_are_there "$wheels" || fail "a downloaded package has another hash than scripts/libtorch.txt says"
    fi
    say "libtorch: unpacking to $LIBTORCH"
    draft=$(mktemp -d "$cache/libtorch.XXXXXX")
    if ! python3 "$root/scripts/lib/unpack_libtorch.py" "$wheels" "$draft"; then
        rm -rf "$draft"
        fail "unpacking libtorch failed; is the disk full? It needs about 700 MB in $cache"
    fi
    chmod 755 "$draft"
    # The folder has its name only once it is whole.
    mv -T "$draft" "$LIBTORCH"
    rm -rf "$wheels"
}

# True if every pinned package lies in the folder, by its hash.
wheels_are_there() {
    local hashes wanted
    hashes=$(find "$1" -name '*.whl' -exec sha256sum {} + 2>/dev/null | awk '{ print $1 }')
    while read -r wanted; do
        grep -q "$wanted" <<<"$hashes" || return 1
    done < <(sed -n 's/.*--hash=sha256:\([0-9a-f]*\).*/\1/p' "$root/scripts/libtorch.txt")
}

download_wheels() {
    local pip=(python3 -m pip)
    if ! "${pip[@]}" --version >/dev/null 2>&1; then
        # Python without pip: a virtual environment brings its own.
        python3 -m venv "$cache/pip" >&2 || fail "python3 has no pip and cannot make a virtual environment"
        pip=("$cache/pip/bin/python" -m pip)
    fi
    say "libtorch: downloading $(torch_version) with pip, about 540 MB"
    # The wheel of one fixed Python, whatever this machine's is: only its C++ libraries are used.
    "${pip[@]}" download --quiet --require-hashes --no-deps --only-binary=:all: --no-cache-dir \
        --python-version 3.11 --implementation cp --abi cp311 --abi none \
        --platform manylinux_2_28_x86_64 --platform manylinux_2_25_x86_64 \
        --platform manylinux_2_17_x86_64 --platform manylinux2014_x86_64 \
        --dest "$1" --requirement "$root/scripts/libtorch.txt" >&2 ||
        fail "pip could not download libtorch; check the network (and pip's configuration), then run this again"
}
