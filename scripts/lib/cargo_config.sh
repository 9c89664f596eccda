# Writes the checkout's own .cargo/config.toml, so that a plain `cargo test` finds libtorch and the shared target
# folder. Sourced; needs say.sh, and the variables root, cache, rust_version and LIBTORCH.

config_mark='# Written by scripts/setup.sh; changes are lost.'

# The target folder is shared by all checkouts of this user and named after what makes its five-minute part (the C++
# of torch-sys) worth keeping: compiler, torch-sys and libtorch. Everything else in Cargo.lock is told apart by
# cargo's own fingerprints, so that a changed line there does not cost those minutes again.
target_folder() {
    local key
    key=$({
        grep -A2 -E '^name = "(tch|torch-sys)"$' "$root/Cargo.lock"
        cat "$root/scripts/libtorch.txt"
    } | sha256sum | cut -c1-12)
    printf '%s/target-%s-%s' "$cache" "$rust_version" "$key"
}

write_cargo_config() {
    local file=$root/.cargo/config.toml draft
    mkdir -p "$root/.cargo"
    draft=$(mktemp "$root/.cargo/.config.XXXXXX")
    cat >"$draft" <<END
$config_mark
[build]
target-dir = "$(target_folder)"
rustflags = ["-C", "target-cpu=x86-64-v3"]

[env]
LIBTORCH = "$LIBTORCH"
# The same bits for a row wherever it lies in memory; muster starts its binaries with it too.
MKL_CBWR = "AVX2,STRICT"
END
    if cmp -s "$draft" "$file"; then
        rm "$draft"
        return
    fi
    if [[ -f $file ]] && ! grep -qxF "$config_mark" "$file"; then
        say "keeping your .cargo/config.toml as .cargo/config.toml.before-setup"
        mv "$file" "$file.before-setup"
    fi
    chmod 644 "$draft"
    mv "$draft" "$file"
    say "wrote .cargo/config.toml"
}
