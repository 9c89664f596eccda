//! What no compiler checks about this repository: who depends on whom, under which licences, that documents name
//! commands, flags, files and keys that exist, and that nothing was left lying about.

mod boundary;
mod documents;
mod edges;
mod leftovers;
mod licences;
mod pins;
mod planted;

use cargo_metadata::{Metadata, MetadataCommand};
use std::path::{Path, PathBuf};

/// The root of the checkout.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the checkout")
}

/// What cargo knows of the workspace and everything below it.
fn metadata() -> Metadata {
    MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        // Not offline: what other platforms alone need is downloaded by nothing but this question.
        .other_options(["--locked".to_owned()])
        .exec()
        .expect("cargo metadata")
}

/// Every file that git tracks, relative to the root.
fn tracked_files() -> Vec<PathBuf> {
    let output = std::process::Command::new("git")
        .args(["ls-files", "-z"])
        .current_dir(root())
        .output()
        .expect("git ls-files");
    assert!(output.status.success(), "git ls-files failed");
    let files: Vec<PathBuf> = String::from_utf8(output.stdout)
        .expect("file names are UTF-8")
        .split('\0')
        .filter(|name| !name.is_empty())
        .map(PathBuf::from)
        .collect();
    assert!(files.len() > 50, "git lists too few files: {}", files.len());
    files
}

/// A tracked file's text, `None` if it is not text or is gone.
fn text_of(file: &Path) -> Option<String> {
    std::fs::read(root().join(file)).ok().and_then(|bytes| String::from_utf8(bytes).ok())
}
