//! What the text of the repository must not say, as plain functions: the planted leaks are examined by the same ones.
//! Each gives what is wrong, in words; nothing is right.

use std::collections::{BTreeMap, BTreeSet};

/// What nothing that trains may reach, whatever the path.
const HIDDEN_FROM_TRAINER: [&str; 2] = ["audit", "referee"];

/// What a truth may be asked. `planted_state` exists only with the feature of the planted leaks.
const TRUTH_ANSWERS: [&str; 11] = [
    "new",
    "from_position",
    "rules",
    "turn",
    "legal",
    "play",
    "draw",
    "observation",
    "plies",
    "setup",
    "ending",
];

/// Functions that say what a seat sees, or what is made of it.
const SEES: [&str; 18] = [
    "now",
    "event",
    "observe",
    "observation",
    "now_actions",
    "write_now",
    "write_event",
    "write_features",
    "draw_now",
    "draw_event",
    "event_text",
    "world",
    "sample",
    "infer",
    "catch_up",
    "begin",
    "extend",
    "row",
];

/// The crates that a manifest names as dependencies, of every kind.
fn dependencies(manifest: &str) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    let mut is_list = false;
    for line in manifest.lines().map(str::trim) {
        if let Some(section) = line.strip_prefix('[') {
            is_list = section.trim_end_matches(']').ends_with("dependencies");
        } else if is_list && !line.starts_with('#') {
            let name = line.split(['.', '=', ' ']).next().unwrap_or_default();
            if !name.is_empty() {
                names.insert(name);
            }
        }
    }
    names
}

/// Paths from the trainer to what holds a truth. `manifests` are crates with the text of their manifests.
pub fn truth_in_reach_of_trainer(manifests: &[(&str, &str)]) -> Vec<String> {
    let uses: BTreeMap<&str, BTreeSet<&str>> =
        manifests.iter().map(|(name, text)| (*name, dependencies(text))).collect();
    let mut from: BTreeMap<&str, &str> = BTreeMap::from([("trainer", "trainer")]);
    let mut frontier = vec!["trainer"];
    while let Some(name) = frontier.pop() {
        for used in uses.get(name).into_iter().flatten() {
            // A dev-dependency of a crate below is not linked; only the trainer's own count, and those are in reach.
            let is_linked = name == "trainer" || is_linked(manifests, name, used);
            if is_linked && !from.contains_key(used) {
                from.insert(used, name);
                frontier.push(used);
            }
        }
    }
    let hidden = HIDDEN_FROM_TRAINER.iter().filter_map(|hidden| from.get_key_value(hidden));
    hidden.map(|(hidden, by)| format!("the trainer reaches {hidden}, by {by}")).collect()
}

fn is_linked(manifests: &[(&str, &str)], name: &str, used: &str) -> bool {
    let text = manifests.iter().find(|(crate_name, _)| *crate_name == name).map(|(_, text)| *text);
    let linked = text.and_then(|text| text.split("[dev-dependencies]").next());
    linked.is_some_and(|text| dependencies(text).contains(used))
}

/// Lines of a manifest that turn the feature `planted` on. `referee` may define it, empty and off.
pub fn turns_planted_on(name: &str, manifest: &str) -> Vec<String> {
    let lines = manifest.lines().filter(|line| !line.trim_start().starts_with('#'));
    lines
        .filter(|line| line.contains("planted"))
        .filter(|line| !(name == "referee" && line.trim() == "planted = []"))
        .map(|line| format!("{name}: {}", line.trim()))
        .collect()
}

/// What the source of `Truth` gives out that it may not.
pub fn truth_gives_out(source: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    for (idx, line) in lines.iter().enumerate() {
        let before = idx.checked_sub(1).map_or("", |idx| lines[idx]);
        if line.starts_with("pub struct Truth") && before.starts_with("#[derive") {
            faults.push(format!("Truth: {before}"));
        }
        let is_impl = line.starts_with("impl") && line.contains(" for Truth");
        if is_impl {
            faults.push((*line).to_owned());
        }
        let Some(rest) = line.strip_prefix("pub fn ") else { continue };
        let name = rest.split(['(', '<']).next().unwrap_or_default();
        let is_planted = name == "planted_state" && before == "#[cfg(feature = \"planted\")]";
        if !TRUTH_ANSWERS.contains(&name) && !is_planted {
            faults.push(format!("Truth::{name}"));
        }
    }
    faults
}

/// Functions about what a seat sees that take a switch.
pub fn widening_switches(source: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for (at, _) in source.match_indices("fn ") {
        let signature = &source[at + 3..];
        let signature = &signature[..signature.find(['{', ';']).unwrap_or(signature.len())];
        let name = signature.split(['(', '<']).next().unwrap_or_default();
        let arguments = signature.split("->").next().unwrap_or_default();
        if SEES.contains(&name) && arguments.contains(": bool") {
            faults.push(signature.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }
    faults
}
