//! `summary.json`: what the run made, how its last checkpoint plays, and what the audit says.

use crate::hand_over::{WORKER, beside, same_bits};
use anyhow::{Context, bail};
use proto::v1::StatusResponse;
use run::files::write_atomic;
use run::{Exit, RunFolder};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::process::{Command, Stdio};

/// Writes the summary of a run that has reached its limit. With `evaluate`, plays the arena and verifies the audit.
pub fn finish(folder: &RunFolder, last: &StatusResponse, evaluate: bool) -> anyhow::Result<Exit> {
    let accepted = accepted(folder)?;
    let mut summary = counts(folder, last, &accepted)?;
    if is_unchanged(folder, &summary, evaluate) {
        eprintln!("nothing new since {} was written", folder.summary_path().display());
        return Ok(Exit::Done);
    }
    let mut exit = Exit::Done;
    if evaluate {
        for (key, opponent) in [
            ("arena_vs_first", format!("{}@first", folder.root().display())),
            ("arena_vs_random", "random".to_owned()),
            ("arena_vs_greedy", "greedy".to_owned()),
        ] {
            summary.insert(key.to_owned(), arena(folder, &opponent)?);
        }
        let (audit, is_clean) = match folder.audit_key_path().exists() {
            true => verify(folder)?,
            false => {
                eprintln!(
                    "the audit is not verified: {} is not here; `muster audit verify {} --key FILE` does it",
                    folder.audit_key_path().display(),
                    folder.root().display()
                );
                (Value::Null, true)
            }
        };
        summary.insert("audit".to_owned(), audit);
        if !is_clean {
            exit = Exit::Problems;
        }
    }
    write(folder, &summary)?;
    report(folder, &summary);
    Ok(exit)
}

/// The manifests of `accepted.jsonl`.
fn accepted(folder: &RunFolder) -> anyhow::Result<Vec<Value>> {
    let path = folder.accepted_path();
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).with_context(|| path.display().to_string()),
    };
    // A last line without its line break is one that a killed coordinator will write again.
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    whole
        .lines()
        .filter(|line| !line.is_empty())
        .enumerate()
        .map(|(idx, line)| {
            serde_json::from_str(line)
                .with_context(|| format!("{} line {}", path.display(), idx + 1))
        })
        .collect()
}

fn number(manifest: &Value, key: &str) -> u64 {
    manifest.get(key).and_then(Value::as_u64).unwrap_or_default()
}

fn counts(
    folder: &RunFolder,
    last: &StatusResponse,
    accepted: &[Value],
) -> anyhow::Result<Map<String, Value>> {
    let total = |key: &str| accepted.iter().map(|manifest| number(manifest, key)).sum::<u64>();
    let rows = total("rows");
    let bytes_per_row = if rows == 0 { 0.0 } else { total("bytes") as f64 / rows as f64 };
    let checkpoints = folder.checkpoints()?;
    let summary = json!({
        "run": folder.name(),
        "note": folder.config().run.note,
        "build": run::build_id(),
        "generations": last.checkpoint.as_ref().map_or(0, |checkpoint| checkpoint.generation),
        "checkpoints": checkpoints.len(),
        "last_checkpoint": last.checkpoint.as_ref().map(|checkpoint| checkpoint.id.clone()),
        "games": total("games"),
        "finished_games": total("finished_games"),
        "truncated_games": total("truncated_games"),
        "training_rows": rows,
        "audit_rows": last.audit_rows,
        "shards": accepted.len(),
        "bytes_per_training_row": (bytes_per_row * 100.0).round() / 100.0,
        "rejected": last.rejected,
        "by_generation": by_checkpoint(accepted),
    });
    match summary {
        Value::Object(map) => Ok(map),
        _ => bail!("a summary is an object"),
    }
}

/// What each checkpoint played: a generation's games are those started with its checkpoint.
fn by_checkpoint(accepted: &[Value]) -> Vec<Value> {
    let mut order = Vec::new();
    let mut sums: BTreeMap<&str, [u64; 3]> = BTreeMap::new();
    for manifest in accepted {
        let id = manifest.get("checkpoint").and_then(Value::as_str).unwrap_or_default();
        let sum = sums.entry(id).or_insert_with(|| {
            order.push(id);
            [0; 3]
        });
        sum[0] += number(manifest, "games");
        sum[1] += number(manifest, "truncated_games");
        sum[2] += number(manifest, "rows");
    }
    order
        .into_iter()
        .map(|id| {
            let [games, truncated, rows] = sums[id];
            let share = if games == 0 { 0.0 } else { truncated as f64 / games as f64 };
            json!({
                "checkpoint": id,
                "games": games,
                "truncated_games": truncated,
                "truncated_share": (share * 1000.0).round() / 1000.0,
                "rows": rows,
            })
        })
        .collect()
}

/// True if a summary with everything wanted stands there and the run has made nothing since.
fn is_unchanged(folder: &RunFolder, fresh: &Map<String, Value>, evaluate: bool) -> bool {
    let Ok(text) = std::fs::read_to_string(folder.summary_path()) else { return false };
    let Ok(old) = serde_json::from_str::<Value>(&text) else { return false };
    let has_all = !evaluate || old.get("audit").is_some();
    let keys = ["last_checkpoint", "checkpoints", "training_rows", "shards", "build"];
    has_all && keys.iter().all(|key| old.get(key) == fresh.get(*key))
}

/// The last checkpoint against `opponent`, as the configuration's arena says.
fn arena(folder: &RunFolder, opponent: &str) -> anyhow::Result<Value> {
    let config = folder.config();
    let options = format!(",sims={},worlds={}", config.arena.simulations, config.arena.worlds);
    let last = format!("{}@last{options}", folder.root().display());
    let opponent = match opponent {
        "random" | "greedy" => opponent.to_owned(),
        checkpoint => format!("{checkpoint}{options}"),
    };
    let pairs = config.up.pairs.to_string();
    eprintln!("arena: {last} against {opponent}, {pairs} pairs");
    let (object, _) = ask_worker(&["arena", &last, &opponent, "--pairs", &pairs, "--json"])?;
    Ok(object)
}

fn verify(folder: &RunFolder) -> anyhow::Result<(Value, bool)> {
    let root = folder.root().display().to_string();
    let pairs = folder.config().up.two_world_pairs.to_string();
    eprintln!("audit: replaying every game, deriving every row again, {pairs} two-world pairs");
    ask_worker(&["audit", "verify", &root, "--pairs", &pairs, "--json"])
}

/// Runs a worker command and reads its one JSON object. The flag is false if it found problems.
fn ask_worker(words: &[&str]) -> anyhow::Result<(Value, bool)> {
    let (key, value) = same_bits();
    let output = Command::new(beside(WORKER)?)
        .env(key, value)
        .args(words)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .context("cannot start muster-worker")?;
    let found_problems = output.status.code() == Some(i32::from(Exit::Problems.code()));
    if !output.status.success() && !found_problems {
        bail!("muster {} failed ({})", words.join(" "), output.status);
    }
    let object = serde_json::from_slice(&output.stdout)
        .with_context(|| format!("muster {} printed no JSON object", words.join(" ")))?;
    Ok((object, !found_problems))
}

fn write(folder: &RunFolder, summary: &Map<String, Value>) -> anyhow::Result<()> {
    let path = folder.summary_path();
    let mut text = serde_json::to_string_pretty(summary)?;
    text.push('\n');
    write_atomic(&path, text.as_bytes()).with_context(|| path.display().to_string())
}

/// The few lines a person wants to see.
fn report(folder: &RunFolder, summary: &Map<String, Value>) {
    let value = |key: &str| summary.get(key).cloned().unwrap_or(Value::Null);
    let note = &folder.config().run.note;
    if !note.is_empty() {
        eprintln!("{note}");
    }
    eprintln!(
        "{} generations, {} games ({} truncated), {} training rows at {} bytes",
        value("generations"),
        value("games"),
        value("truncated_games"),
        value("training_rows"),
        value("bytes_per_training_row")
    );
    for (key, opponent) in [
        ("arena_vs_first", "its first checkpoint"),
        ("arena_vs_random", "random"),
        ("arena_vs_greedy", "greedy"),
    ] {
        let arena = value(key);
        if arena.is_null() {
            continue;
        }
        eprintln!(
            "against {opponent}: {} won, {} drawn, {} truncated, {} lost; Elo {:.0} [{:.0}, {:.0}]",
            arena["wins"],
            arena["draws"],
            arena["truncated"],
            arena["losses"],
            arena["elo"].as_f64().unwrap_or_default(),
            arena["elo_low"].as_f64().unwrap_or_default(),
            arena["elo_high"].as_f64().unwrap_or_default()
        );
    }
    let audit = value("audit");
    if !audit.is_null() {
        eprintln!(
            "audit: {} games replayed, {} of {} rows derived again, {} two-world pairs, {} differences",
            audit["games_replayed"],
            audit["rederived_equal"],
            audit["rows_checked"],
            audit["two_world_pairs"],
            audit["differences"]
        );
    }
    eprintln!("written: {}", folder.summary_path().display());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generations_are_summed_by_checkpoint_in_order() {
        let manifest = |checkpoint: &str, games: u64, truncated: u64, rows: u64| {
            json!({ "checkpoint": checkpoint, "games": games, "truncated_games": truncated,
                    "rows": rows, "bytes": rows * 50 })
        };
        let accepted =
            [manifest("b", 2, 1, 100), manifest("a", 4, 0, 300), manifest("b", 2, 0, 50)];
        let report = by_checkpoint(&accepted);
        assert_eq!(report.len(), 2);
        assert_eq!(report[0]["checkpoint"], "b");
        assert_eq!(report[0]["rows"], 150);
        assert_eq!(report[0]["truncated_share"], 0.25);
        assert_eq!(report[1]["truncated_share"], 0.0);
    }
}
