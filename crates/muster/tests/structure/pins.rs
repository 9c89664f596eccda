//! Versions that must move together.

use crate::{metadata, text_of};
use std::path::Path;

#[test]
fn the_pinned_libtorch_is_the_one_that_torch_sys_asks_for() {
    let metadata = metadata();
    let package = metadata
        .packages
        .iter()
        .find(|package| package.name.as_str() == "torch-sys")
        .expect("torch-sys is a dependency");
    let build = package.manifest_path.with_file_name("build.rs");
    let build = std::fs::read_to_string(&build).expect("torch-sys has a build script");
    let wanted = build
        .lines()
        .find(|line| line.contains("TORCH_VERSION: &str"))
        .and_then(|line| line.split('"').nth(1))
        .expect("its build script names a version");
    let pins = text_of(Path::new("scripts/libtorch.txt")).expect("the pins");
    let pinned = pins.lines().find_map(|line| line.strip_prefix("torch=="));
    let pinned = pinned.and_then(|rest| rest.split_whitespace().next()).expect("torch is pinned");
    assert_eq!(pinned, wanted);
}

#[test]
fn every_pin_has_a_hash() {
    let pins = text_of(Path::new("scripts/libtorch.txt")).expect("the pins");
    let pins: Vec<&str> = pins.lines().filter(|line| line.contains("==")).collect();
    assert_eq!(pins.len(), 3);
    for pin in pins {
        let hash = pin.split_once("--hash=sha256:").map(|(_, hash)| hash.trim());
        assert!(hash.is_some_and(|hash| hash.len() == 64), "{pin}");
    }
}

#[test]
fn the_toolchain_is_the_stated_one() {
    let toolchain = text_of(Path::new("rust-toolchain.toml")).expect("the toolchain file");
    assert!(toolchain.contains("channel = \"1.95.0\""));
    let manifest = text_of(Path::new("Cargo.toml")).expect("the manifest");
    assert!(manifest.contains("rust-version = \"1.95\""));
}
