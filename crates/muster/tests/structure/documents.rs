//! What documents, scripts and configurations say exists: commands, flags, files, keys.

use crate::{root, text_of, tracked_files};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

fn muster(words: &[&str]) -> std::process::Output {
    Command::new(env!("CARGO_BIN_EXE_muster"))
        .args(words)
        .current_dir(root())
        .output()
        .expect("muster starts")
}

fn markdown() -> Vec<PathBuf> {
    let files: Vec<PathBuf> = tracked_files()
        .into_iter()
        .filter(|file| file.extension().is_some_and(|extension| extension == "md"))
        .collect();
    assert!(files.len() >= 5, "only {} documents were seen", files.len());
    files
}

/// Command lines that begin with `muster` or `bin/muster`: in fenced blocks and code spans of documents, and in
/// scripts.
fn command_lines() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for file in markdown() {
        let text = text_of(&file).expect("a document is text");
        let mut is_fenced = false;
        for line in text.lines() {
            if line.starts_with("```") {
                is_fenced = !is_fenced;
                continue;
            }
            if is_fenced {
                found.push((file.clone(), line.trim().to_owned()));
            } else {
                // Every second part between backticks is a code span.
                let spans = line.split('`').skip(1).step_by(2);
                found.extend(spans.map(|span| (file.clone(), span.to_owned())));
            }
        }
    }
    for file in tracked_files() {
        if file.extension().is_some_and(|extension| extension == "sh") {
            let text = text_of(&file).expect("a script is text").replace("\\\n", " ");
            let commands =
                text.lines().filter_map(|line| line.find("bin/muster ").map(|at| &line[at..]));
            found.extend(commands.map(|command| (file.clone(), command.to_owned())));
        }
    }
    found
        .into_iter()
        .filter_map(|(file, line)| {
            let line = line.strip_prefix("bin/").unwrap_or(&line);
            let rest = line.strip_prefix("muster ")?;
            // Comments, pipes and redirections end a command.
            let end = rest.find(['#', '|', '>', '}', '…']).unwrap_or(rest.len());
            Some((file, rest[..end].trim().to_owned()))
        })
        .filter(|(_, rest)| !rest.starts_with(['-', '"', 'C', '…']))
        .collect()
}

/// The command path (`audit verify`, `config check`) and flags of a command line.
fn path_and_flags(line: &str) -> (Vec<&str>, Vec<&str>) {
    const NESTED: [&str; 4] = ["audit", "bench", "check", "config"];
    let words: Vec<&str> = line.split_whitespace().collect();
    let depth = if NESTED.contains(&words[0]) { 2 } else { 1 };
    let path = words.iter().take(depth).copied().collect();
    let flags = words
        .iter()
        .filter(|word| word.starts_with("--") && word.len() > 2)
        .map(|word| word.trim_end_matches([',', '.', ')', '`']))
        .collect();
    (path, flags)
}

#[test]
fn every_command_and_flag_that_is_named_exists() {
    let mut helps: BTreeMap<Vec<&str>, String> = BTreeMap::new();
    let mut problems = Vec::new();
    let lines = command_lines();
    assert!(lines.len() >= 20, "only {} command lines were seen", lines.len());
    for (file, line) in &lines {
        // `muster bench engine|net` names several commands at once, `muster config check|print` too.
        let (path, flags) = path_and_flags(line);
        let help = helps.entry(path.clone()).or_insert_with(|| {
            let mut words = path.clone();
            words.push("--help");
            let output = muster(&words);
            if output.status.success() {
                String::from_utf8_lossy(&output.stdout).into_owned()
            } else {
                format!("FAILED {}", String::from_utf8_lossy(&output.stderr))
            }
        });
        if help.starts_with("FAILED") {
            problems.push(format!("{}: muster {line}: {help}", file.display()));
            continue;
        }
        for flag in flags {
            if !help.contains(flag) {
                problems.push(format!("{}: muster {line}: no flag {flag}", file.display()));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_configuration_can_be_used() {
    let configs: Vec<PathBuf> = tracked_files()
        .into_iter()
        .filter(|file| {
            file.starts_with("configs") && file.extension().is_some_and(|found| found == "toml")
        })
        .collect();
    assert!(configs.len() >= 3, "{configs:?}");
    for config in configs {
        let output = muster(&["config", "check", &config.display().to_string(), "--json"]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{}: {said}", config.display());
    }
}

#[test]
fn every_key_of_a_configuration_is_described() {
    let described = text_of(Path::new("configs/README.md")).expect("configs/README.md");
    let output = muster(&["config", "print", "configs/quickstart.toml"]);
    let printed = String::from_utf8(output.stdout).expect("TOML is text");
    let keys: Vec<&str> =
        printed.lines().filter_map(|line| line.split_once(" = ").map(|(key, _)| key)).collect();
    assert!(keys.len() >= 30, "{keys:?}");
    for key in keys {
        assert!(described.contains(&format!("`{key}`")), "configs/README.md lacks {key}");
    }
}

#[test]
fn every_link_leads_somewhere() {
    let mut n_links = 0;
    for file in markdown() {
        let text = text_of(&file).expect("a document is text");
        let folder = root().join(file.parent().unwrap_or(Path::new("")));
        for part in text.split("](").skip(1) {
            let target = part.split(')').next().unwrap_or_default();
            let target = target.split('#').next().unwrap_or_default();
            if target.is_empty() || target.contains("://") {
                continue;
            }
            n_links += 1;
            assert!(folder.join(target).exists(), "{}: {target}", file.display());
        }
    }
    assert!(n_links >= 5, "only {n_links} links were seen");
}

#[test]
fn every_script_that_is_named_exists() {
    let mut n_named = 0;
    for file in markdown() {
        let text = text_of(&file).expect("a document is text");
        for part in text.split("scripts/").skip(1) {
            let end = part
                .find(|c: char| !(c.is_ascii_alphanumeric() || "_-./".contains(c)))
                .unwrap_or(part.len());
            let name = part[..end].trim_end_matches('.');
            n_named += 1;
            assert!(
                root().join("scripts").join(name).exists(),
                "{}: scripts/{name}",
                file.display()
            );
        }
    }
    assert!(n_named >= 5, "only {n_named} scripts were seen");
}
