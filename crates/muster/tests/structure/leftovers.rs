//! Nothing unfinished, no debugging aid, no word for the opposite of what the glossary says, and no path of the
//! machine that a file was written on.

use crate::{text_of, tracked_files};
use std::path::Path;

/// Written in two parts each, so that this file does not contain them.
fn banned_in_rust() -> Vec<String> {
    [("dbg", "!("), ("todo", "!("), ("unimplemented", "!("), ("FIX", "ME"), ("TO", "DO")]
        .map(|(a, b)| format!("{a}{b}"))
        .to_vec()
}

fn machine_paths() -> Vec<String> {
    [("/ro", "ot/"), ("/wo", "rk/"), ("/ho", "me/"), ("/Us", "ers/"), ("/tmp", "/")]
        .map(|(a, b)| format!("{a}{b}"))
        .to_vec()
}

fn has_extension(file: &Path, extensions: &[&str]) -> bool {
    file.extension().is_some_and(|found| extensions.iter().any(|wanted| found == *wanted))
}

#[test]
fn nothing_unfinished_is_left() {
    let banned = banned_in_rust();
    let mut found = Vec::new();
    for file in tracked_files() {
        if !has_extension(&file, &["rs", "sh", "py", "toml", "proto"]) {
            continue;
        }
        let Some(text) = text_of(&file) else { continue };
        for (idx, line) in text.lines().enumerate() {
            if let Some(word) = banned.iter().find(|word| line.contains(word.as_str())) {
                found.push(format!("{}:{}: {word}", file.display(), idx + 1));
            }
        }
    }
    assert!(found.is_empty(), "left over:\n{}", found.join("\n"));
}

#[test]
fn no_file_names_a_path_of_one_machine() {
    let paths = machine_paths();
    let mut found = Vec::new();
    for file in tracked_files() {
        let Some(text) = text_of(&file) else { continue };
        for (idx, line) in text.lines().enumerate() {
            for path in &paths {
                // A path stands alone, or after a sign; `src/work/` is none.
                let stands = line.match_indices(path.as_str()).any(|(at, _)| {
                    let before = line[..at].chars().next_back();
                    before.is_none_or(|c| !(c.is_alphanumeric() || "_-.}*".contains(c)))
                });
                if stands {
                    found.push(format!("{}:{}: {path}", file.display(), idx + 1));
                }
            }
        }
    }
    assert!(found.is_empty(), "paths of one machine:\n{}", found.join("\n"));
}

/// Long files are reported, not refused: `cargo test … -- --nocapture` shows them.
#[test]
fn long_files_are_reported() {
    const LONG: usize = 700;
    let mut seen = 0;
    for file in tracked_files() {
        if !has_extension(&file, &["rs"]) {
            continue;
        }
        let Some(text) = text_of(&file) else { continue };
        seen += 1;
        let lines = text.lines().count();
        if lines > LONG {
            println!("{}: {lines} lines", file.display());
        }
    }
    assert!(seen > 20, "only {seen} source files were seen");
}
