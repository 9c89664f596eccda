//! Every dependency's licence is one that lets Muster be used and passed on under its own.

use crate::metadata;

const ALLOWED: [&str; 14] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Whether a licence expression can be met by allowed licences alone. `AND` binds tighter than `OR`; the old form
/// with a slash means `OR`.
fn is_allowed(expression: &str) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut at = 0;
    let met = any_of(&words, &mut at);
    met && at == words.len()
}

fn any_of(words: &[&str], at: &mut usize) -> bool {
    let mut met = all_of(words, at);
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        met |= all_of(words, at);
    }
    met
}

fn all_of(words: &[&str], at: &mut usize) -> bool {
    let mut met = one(words, at);
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        met &= one(words, at);
    }
    met
}

fn one(words: &[&str], at: &mut usize) -> bool {
    let Some(word) = words.get(*at) else { return false };
    *at += 1;
    if *word == "(" {
        let met = any_of(words, at);
        let is_closed = words.get(*at) == Some(&")");
        *at += 1;
        return met && is_closed;
    }
    let mut name = (*word).to_owned();
    if words.get(*at) == Some(&"WITH") {
        name = format!("{name} WITH {}", words.get(*at + 1).unwrap_or(&""));
        *at += 2;
    }
    ALLOWED.contains(&name.as_str())
}

#[test]
fn expressions_are_read() {
    for (expression, allowed) in [
        ("MIT", true),
        ("MIT OR GPL-3.0-only", true),
        ("MIT AND GPL-3.0-only", false),
        ("GPL-3.0-or-later", false),
        ("AGPL-3.0-only OR GPL-2.0-only", false),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
        ("(MIT OR Apache-2.0) AND LGPL-2.1-only", false),
        ("Apache-2.0 WITH LLVM-exception OR GPL-2.0-only", true),
        ("MIT/Apache-2.0", true),
        ("", false),
        ("(MIT", false),
    ] {
        assert_eq!(is_allowed(expression), allowed, "{expression}");
    }
}

#[test]
fn every_dependency_may_be_used_and_passed_on() {
    let metadata = metadata();
    let mut problems = Vec::new();
    for package in &metadata.packages {
        let licence = package.license.as_deref().unwrap_or("none stated");
        if !is_allowed(licence) {
            problems.push(format!("{} {}: {licence}", package.name, package.version));
        }
    }
    assert!(metadata.packages.len() > 100, "only {} packages were seen", metadata.packages.len());
    assert!(problems.is_empty(), "licences to look at:\n{}", problems.join("\n"));
}
