//! The feature that gives out a truth's state is on nowhere, and nothing else gives it out or widens what is seen.

use crate::boundary::{
    truth_gives_out, truth_in_reach_of_trainer, turns_planted_on, widening_switches,
};
use crate::{metadata, text_of, tracked_files};
use std::path::Path;

/// The crates of the workspace with the text of their manifests.
fn manifests() -> Vec<(String, String)> {
    let packages = metadata();
    let packages = packages.workspace_packages();
    let read = |package: &&cargo_metadata::Package| {
        let text = std::fs::read_to_string(&package.manifest_path).expect("a manifest");
        (package.name.to_string(), text)
    };
    packages.iter().map(read).collect()
}

#[test]
fn no_binary_is_built_with_the_planted_feature() {
    let metadata = metadata();
    let resolve = metadata.resolve.as_ref().expect("the resolved graph");
    let mut has_referee = false;
    for node in &resolve.nodes {
        let is_on = node.features.iter().any(|feature| **feature == "planted");
        assert!(!is_on, "{} is built with the feature planted", node.id);
        has_referee |= node.id.to_string().contains("referee");
    }
    assert!(has_referee, "the graph has no referee");
    // Nor could a command line turn it on through another crate's feature.
    let manifests = manifests();
    assert!(manifests.len() >= 15);
    for (name, text) in &manifests {
        assert_eq!(turns_planted_on(name, text), Vec::<String>::new());
    }
    let leaks = text_of(Path::new("leaks/Cargo.toml")).expect("the planted leaks");
    assert!(leaks.contains("features = [\"planted\"]") && leaks.contains("\n[workspace]"));
    assert!(metadata.workspace_packages().iter().all(|package| package.name.as_str() != "leaks"));
}

#[test]
fn truth_gives_out_no_state() {
    let source = text_of(Path::new("crates/referee/src/truth.rs")).expect("Truth");
    assert_eq!(truth_gives_out(&source), Vec::<String>::new());
    let known = source.replace("#[cfg(feature = \"planted\")]\n", "");
    assert_eq!(truth_gives_out(&known), ["Truth::planted_state"]);
}

#[test]
fn nothing_that_trains_reaches_a_truth() {
    let manifests = manifests();
    let named: Vec<(&str, &str)> =
        manifests.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    assert_eq!(truth_in_reach_of_trainer(&named), Vec::<String>::new());
}

#[test]
fn no_switch_widens_what_a_seat_sees() {
    let mut n_files = 0;
    for file in tracked_files() {
        if file.extension().is_none_or(|extension| extension != "rs") || file.starts_with("leaks") {
            continue;
        }
        let Some(text) = text_of(&file) else { continue };
        if file.components().any(|part| part.as_os_str() == "tests") {
            continue;
        }
        n_files += 1;
        assert_eq!(widening_switches(&text), Vec::<String>::new(), "{}", file.display());
    }
    assert!(n_files > 150, "{n_files} files");
}
