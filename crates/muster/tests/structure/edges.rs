//! The information boundary as crate edges: what cannot be reached cannot leak.

use crate::metadata;
use cargo_metadata::{DependencyKind, Metadata};
use std::collections::{BTreeMap, BTreeSet};

/// Each crate and the crates of ours that it may use.
const MAY_USE: [(&str, &[&str]); 18] = [
    ("game", &[]),
    ("run", &[]),
    ("stats", &[]),
    ("proto", &[]),
    ("referee", &["game"]),
    ("warchest", &["game"]),
    ("search", &["game"]),
    ("cfr", &["game"]),
    ("toy", &["game"]),
    ("net", &["game"]),
    ("record", &["game"]),
    ("boards", &["game"]),
    ("catalog", &["boards", "game", "toy", "warchest"]),
    ("audit", &["game", "record", "referee"]),
    ("coordinator", &["proto", "run", "stats"]),
    ("trainer", &["catalog", "game", "net", "proto", "record", "run"]),
    (
        "worker",
        &[
            "audit", "catalog", "cfr", "game", "net", "proto", "record", "referee", "run",
            "search", "stats",
        ],
    ),
    ("muster", &["catalog", "cfr", "game", "proto", "run", "search", "stats"]),
];

/// What nothing that trains may reach, whatever the path.
const HIDDEN_FROM_TRAINER: [&str; 2] = ["audit", "referee"];

/// Crates of ours that `name` depends on, by the kinds that `wanted` accepts.
fn uses(metadata: &Metadata, name: &str, wanted: fn(DependencyKind) -> bool) -> BTreeSet<String> {
    let members: BTreeSet<String> =
        metadata.workspace_packages().iter().map(|package| package.name.to_string()).collect();
    let package = metadata
        .workspace_packages()
        .into_iter()
        .find(|package| package.name.as_str() == name)
        .unwrap_or_else(|| panic!("no crate {name}"));
    package
        .dependencies
        .iter()
        .filter(|dependency| wanted(dependency.kind) && members.contains(&dependency.name))
        .map(|dependency| dependency.name.clone())
        .collect()
}

#[test]
fn every_edge_is_one_that_the_architecture_allows() {
    let metadata = metadata();
    let may_use: BTreeMap<&str, BTreeSet<&str>> =
        MAY_USE.iter().map(|(name, uses)| (*name, uses.iter().copied().collect())).collect();
    let mut n_edges = 0;
    for package in metadata.workspace_packages() {
        let name = package.name.as_str();
        let allowed = may_use.get(name).unwrap_or_else(|| {
            panic!("crate {name} is not in the table of this test: say what it may use")
        });
        for used in uses(&metadata, name, |kind| kind != DependencyKind::Development) {
            assert!(allowed.contains(used.as_str()), "{name} uses {used}, which it may not");
            n_edges += 1;
        }
    }
    assert!(n_edges >= 25, "only {n_edges} edges were seen");
}

#[test]
fn the_trainer_reaches_no_truth_by_any_path() {
    let metadata = metadata();
    // Its own dependencies of every kind, then what those use when they are built.
    let mut reached = uses(&metadata, "trainer", |_| true);
    let mut frontier: Vec<String> = reached.iter().cloned().collect();
    while let Some(name) = frontier.pop() {
        for used in uses(&metadata, &name, |kind| kind != DependencyKind::Development) {
            if reached.insert(used.clone()) {
                frontier.push(used);
            }
        }
    }
    assert!(reached.contains("record"), "the walk saw nothing: {reached:?}");
    for hidden in HIDDEN_FROM_TRAINER {
        assert!(!reached.contains(hidden), "the trainer reaches {hidden}: {reached:?}");
    }
}

#[test]
fn only_what_evaluates_or_trains_links_libtorch() {
    let metadata = metadata();
    for package in metadata.workspace_packages() {
        let links = package.dependencies.iter().any(|dependency| {
            ["tch", "torch-sys"].contains(&dependency.name.as_str())
                && dependency.kind != DependencyKind::Development
        });
        let may = ["net", "worker", "trainer"].contains(&package.name.as_str());
        assert!(!links || may, "{} links libtorch", package.name);
    }
}
