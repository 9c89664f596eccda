# Which machine this is, and the tools it must have. Sourced; needs say.sh.

check_platform() {
    [[ $(uname -s) == Linux ]] || fail "Muster runs on Linux; this is $(uname -s)"
    [[ $(uname -m) == x86_64 ]] || fail "Muster is built for x86-64; this machine is $(uname -m)"
    getconf GNU_LIBC_VERSION >/dev/null 2>&1 ||
        fail "Muster needs glibc, which libtorch is built against; use a Debian, Ubuntu, Fedora or similar system"
    check_cpu_level
}

# The build is for x86-64-v3; elsewhere it would end in an illegal instruction.
check_cpu_level() {
    local flags flag missing=()
    flags=" $(grep -m1 '^flags' /proc/cpuinfo | cut -d: -f2) "
    for flag in avx avx2 bmi1 bmi2 f16c fma abm movbe xsave; do
        [[ $flags == *" $flag "* ]] || missing+=("$flag")
    done
    ((${#missing[@]} == 0)) ||
        fail "this processor is below x86-64-v3 (it lacks: ${missing[*]}); Muster needs one of 2013 or later"
}

# True if a C++17 program compiles and links.
has_cxx() {
    local compiler=${CXX:-c++}
    command -v "$compiler" >/dev/null || return 1
    printf '#include <optional>\nint main() { return std::optional<int>(0).value(); }\n' |
        "$compiler" -std=c++17 -x c++ - -o /dev/null 2>/dev/null
}

# True if `python3 -m pip` works, or a virtual environment can bring it.
has_pip() {
    command -v python3 >/dev/null || return 1
    python3 -m pip --version >/dev/null 2>&1 || python3 -c 'import ensurepip, venv' 2>/dev/null
}

# Installs what is missing of a C++ compiler and pip where this user may; says what is missing where not.
ensure_packages() {
    local packages=()
    has_cxx || packages+=(build-essential)
    if [[ ${1:-} == with-pip ]]; then
        command -v python3 >/dev/null || packages+=(python3)
        has_pip || packages+=(python3-pip python3-venv)
    fi
    ((${#packages[@]})) || return 0
    local as_root=()
    ((EUID == 0)) || as_root=(sudo -n)
    local wish="apt-get install -y --no-install-recommends ${packages[*]}"
    command -v apt-get >/dev/null ||
        fail "missing: ${packages[*]} (Debian's names for them); install them with your package manager and run this again"
    ((EUID == 0)) || sudo -n true 2>/dev/null ||
        fail "missing: ${packages[*]}; run: sudo $wish"
    say "installing system packages: ${packages[*]}"
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -q >&2 || true
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive $wish >&2 ||
        fail "could not install ${packages[*]}; run: $wish"
    has_cxx || fail "there is still no C++17 compiler that links; check with: c++ -std=c++17"
}

# Cargo of the version that rust-toolchain.toml names. rustup installs it by itself where it is used.
check_rust() {
    local wanted
    wanted=$(sed -n 's/^channel *= *"\(.*\)"/\1/p' "$root/rust-toolchain.toml")
    command -v cargo >/dev/null ||
        fail "no Rust toolchain: install rustup, or Rust $wanted, then run this again"
    local found
    found=$(cd "$root" && rustc --version) ||
        fail "rustc does not run; with rustup: rustup toolchain install $wanted"
    rust_version=$(awk '{ print $2 }' <<<"$found")
    [[ $(printf '%s\n%s\n' "$wanted" "$rust_version" | sort -V | head -n1) == "$wanted" ]] ||
        fail "Rust $wanted or newer is needed, found $rust_version; with rustup: rustup toolchain install $wanted"
}
