# Where cargo leaves muster-leaks. Sourced, in the root of the checkout.

leaks_binary() {
    local target
    target=$(cargo metadata --manifest-path leaks/Cargo.toml --locked --no-deps --format-version 1 |
        sed -n 's/.*"target_directory":"\([^"]*\)".*/\1/p')
    printf '%s/release/muster-leaks' "$target"
}
