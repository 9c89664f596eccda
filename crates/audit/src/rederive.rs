//! Training rows derived again from the truth, and the comparison with the stored ones (IB1).
//!
//! Nothing of the stored rows is used to derive: states come from the replay, visits from the audit record.

use crate::replay::Replay;
use crate::report::{Check, Finding};
use crate::row::{GameRecord, SearchRow};
use game::{PipelineGame, Seat};
use record::TrainingRow;
use record::row::{POLICY_WEIGHT, outcome_of, sparse_visits, value_weight};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Every training row of a game, in ply order, and what in the searches' records is wrong. `shard` is the audit
/// shard's id.
pub fn derive_rows<G: PipelineGame>(
    rules: &G,
    shard: &str,
    record: &GameRecord,
    replay: &Replay<G>,
) -> (Vec<TrainingRow>, Vec<Finding>) {
    let mut rows = Vec::new();
    let mut findings = Vec::new();
    for (ply, row) in record.plies.iter().enumerate() {
        let (Some(seat), Some(search)) = (row.seat, &row.search) else { continue };
        let place = |finding: Finding| finding.at(record.game, u16::try_from(ply).ok(), Some(seat));
        let derived = check_search(rules, replay, ply, Seat::new(seat), search)
            .and_then(|indices| derive_row(rules, record, replay, ply, &indices));
        match derived {
            Ok(derived) if search.full => rows.push(derived),
            Ok(_) => {}
            Err((column, detail)) => {
                let finding = Finding::new(Check::Search, shard, detail);
                findings.push(place(Finding { column: Some(column), ..finding }));
            }
        }
    }
    (rows, findings)
}

type Fault = (&'static str, String);

/// The legal actions of the truth by ascending index, as (index, action).
pub fn legal_by_index<G: PipelineGame>(
    rules: &G,
    setup: &G::Setup,
    state: &G::State,
    seat: Seat,
) -> Vec<(u16, G::Action)> {
    let legal = rules.legal(state);
    let mut by_index: Vec<_> =
        legal.into_iter().map(|action| (rules.action_index(setup, seat, action), action)).collect();
    by_index.sort_unstable_by_key(|(index, _)| *index);
    by_index
}

/// Checks a search's record against the truth and against itself; gives the legal action indices.
fn check_search<G: PipelineGame>(
    rules: &G,
    replay: &Replay<G>,
    ply: usize,
    seat: Seat,
    search: &SearchRow,
) -> Result<Vec<u16>, Fault> {
    let legal = legal_by_index(rules, &replay.setup, replay.before(ply), seat);
    if legal.len() != search.visits.len() {
        let n = search.visits.len();
        return Err(("visits", format!("{n} entries for {} legal actions", legal.len())));
    }
    if legal[usize::from(search.chosen_idx)].1 != replay.plies[ply] {
        return Err(("chosen_idx", "is not the action that was played".to_owned()));
    }
    let mut merged = vec![0u32; legal.len()];
    let mut value_sum = 0.0f64;
    for (world_idx, world) in search.worlds.iter().enumerate() {
        for ((sum, &n), &q) in merged.iter_mut().zip(&world.n).zip(&world.q) {
            *sum = sum.saturating_add(n);
            value_sum += f64::from(n) * f64::from(q);
        }
        if world.n.iter().map(|&n| u64::from(n)).sum::<u64>() != u64::from(world.simulations) {
            let detail = format!("world {world_idx}: visits do not sum to its simulations");
            return Err(("world_simulations", detail));
        }
    }
    if merged != search.visits {
        return Err(("visits", "are not the sum over the worlds".to_owned()));
    }
    let total: u64 = merged.iter().map(|&n| u64::from(n)).sum();
    let mean = if total == 0 { 0.0 } else { (value_sum / total as f64) as f32 };
    if mean.to_bits() != search.root_value.to_bits() {
        let found = search.root_value;
        return Err(("root_value", format!("{found}, the worlds' mean is {mean}")));
    }
    Ok(legal.into_iter().map(|(index, _)| index).collect())
}

fn derive_row<G: PipelineGame>(
    rules: &G,
    record: &GameRecord,
    replay: &Replay<G>,
    ply: usize,
    indices: &[u16],
) -> Result<TrainingRow, Fault> {
    let row = &record.plies[ply];
    let (Some(seat), Some(search)) = (row.seat, &row.search) else {
        return Err(("full", "no search decided this ply".to_owned()));
    };
    let state = replay.before(ply);
    let mut now = Vec::with_capacity(rules.now_len());
    rules.write_now(&rules.now(state, Seat::new(seat)), &mut now);
    let merged = indices.iter().copied().zip(search.visits.iter().copied());
    let visits = sparse_visits(merged)
        .ok_or(("visits", "a count does not fit, or two actions share an index".to_owned()))?;
    let (outcome, truncated) = outcome_of(replay.ending, Seat::new(seat))
        .ok_or(("utilities", "a result is none of 1, 0 and -1".to_owned()))?;
    let player = record.setup.players.get(usize::from(seat));
    Ok(TrainingRow {
        game: record.game,
        ply: u16::try_from(ply).unwrap_or(u16::MAX),
        seat,
        checkpoint: Arc::from(player.map_or("", String::as_str)),
        now,
        n_legal: u16::try_from(indices.len()).unwrap_or(u16::MAX),
        visits,
        root_value: search.root_value,
        outcome,
        truncated,
        policy_weight: POLICY_WEIGHT,
        value_weight: value_weight(truncated),
    })
}

/// A stored row and where it lies.
#[derive(Clone, Copy, Debug)]
pub struct StoredRow<'a> {
    pub shard: &'a str,
    /// Row of the shard's table, from 0.
    pub row_idx: u64,
    pub row: &'a TrainingRow,
}

/// How many of a game's stored rows equal the derived ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Compared {
    pub n_checked: u64,
    pub n_equal: u64,
}

/// Compares one game's stored rows with the derived ones, column by column. `shard` is named for rows that are
/// missing.
pub fn compare_game(
    shard: &str,
    derived: &[TrainingRow],
    stored: &[StoredRow<'_>],
    findings: &mut Vec<Finding>,
) -> Compared {
    let mut by_ply: BTreeMap<u16, &StoredRow<'_>> = BTreeMap::new();
    let mut compared = Compared { n_checked: stored.len() as u64, n_equal: 0 };
    for it in stored {
        let is_known = derived.iter().any(|row| row.ply == it.row.ply);
        let reason = match by_ply.contains_key(&it.row.ply) {
            true => "a second row for this ply",
            false if !is_known => "no full search decided this ply",
            false => {
                by_ply.insert(it.row.ply, it);
                continue;
            }
        };
        findings.push(surplus(it, reason));
    }
    for row in derived {
        let Some(it) = by_ply.get(&row.ply) else {
            let detail = "the truth gives a training row that is not stored".to_owned();
            let finding = Finding::new(Check::MissingRow, shard, detail);
            findings.push(finding.at(row.game, Some(row.ply), Some(row.seat)));
            continue;
        };
        let differing = differences(row, it.row);
        compared.n_equal += u64::from(differing.is_empty());
        findings.extend(differing.into_iter().map(|(column, detail)| {
            Finding::new(Check::Row, it.shard, detail)
                .at(row.game, Some(row.ply), Some(row.seat))
                .in_row(it.row_idx, Some(column))
        }));
    }
    compared
}

/// A stored row that the truth does not give.
pub fn surplus(stored: &StoredRow<'_>, reason: &str) -> Finding {
    Finding::new(Check::SurplusRow, stored.shard, reason.to_owned())
        .at(stored.row.game, Some(stored.row.ply), Some(stored.row.seat))
        .in_row(stored.row_idx, None)
}

/// The columns in which a stored row differs, with what is stored and what the truth gives.
fn differences(truth: &TrainingRow, stored: &TrainingRow) -> Vec<(&'static str, String)> {
    let mut differing = Vec::new();
    if truth == stored && truth.root_value.to_bits() == stored.root_value.to_bits() {
        return differing;
    }
    let mut compare = |column, stored: String, truth: String| {
        if stored != truth {
            differing.push((column, format!("stored {stored}, the truth gives {truth}")));
        }
    };
    compare("seat", stored.seat.to_string(), truth.seat.to_string());
    compare("checkpoint", stored.checkpoint.to_string(), truth.checkpoint.to_string());
    let at = stored.now.iter().zip(&truth.now).position(|(a, b)| a != b);
    let byte = |now: &[u8]| match at {
        Some(at) => format!("byte {at} = {}", now[at]),
        None => format!("{} bytes", now.len()),
    };
    compare("now", byte(&stored.now), byte(&truth.now));
    compare("n_legal", stored.n_legal.to_string(), truth.n_legal.to_string());
    let visits = |row: &TrainingRow| {
        let entries = row.visits.iter().map(|it| format!("{}:{}", it.action, it.visits));
        entries.collect::<Vec<_>>().join(" ")
    };
    compare("visits", visits(stored), visits(truth));
    let bits = |value: f32| format!("{value} ({:08x})", value.to_bits());
    compare("root_value", bits(stored.root_value), bits(truth.root_value));
    compare("outcome", stored.outcome.to_string(), truth.outcome.to_string());
    compare("truncated", stored.truncated.to_string(), truth.truncated.to_string());
    compare("policy_weight", bits(stored.policy_weight), bits(truth.policy_weight));
    compare("value_weight", bits(stored.value_weight), bits(truth.value_weight));
    differing
}
