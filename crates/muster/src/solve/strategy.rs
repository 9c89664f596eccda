//! An average strategy as Parquet, for DuckDB or pandas. The columns are described in docs/formats.md.

use super::report::Report;
use anyhow::Context;
use arrow::array::{ArrayRef, Float64Array, RecordBatch, StringArray, UInt8Array, UInt32Array};
use cfr::{Policy, SequenceForm, Tree};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use std::path::Path;
use std::sync::Arc;

/// One row an information set and action. The file appears whole or not at all.
pub fn write(path: &Path, tree: &Tree, policy: &Policy, report: &Report) -> anyhow::Result<()> {
    let bytes = to_parquet(tree, policy, report).context("the strategy cannot be encoded")?;
    run::files::write_atomic(path, &bytes).with_context(|| format!("--strategy {}", path.display()))
}

fn to_parquet(tree: &Tree, policy: &Policy, report: &Report) -> anyhow::Result<Vec<u8>> {
    let batch = rows(tree, policy)?;
    let metadata = [
        ("game", report.game.clone()),
        ("algorithm", report.algorithm.clone()),
        ("iterations", report.iterations.to_string()),
        ("nash_conv", report.nash_conv.to_string()),
    ];
    let metadata = metadata
        .map(|(key, value)| KeyValue { key: format!("muster.{key}"), value: Some(value) })
        .to_vec();
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_key_value_metadata(Some(metadata))
        .build();
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties))?;
    writer.write(&batch)?;
    writer.close()?;
    Ok(bytes)
}

fn rows(tree: &Tree, policy: &Policy) -> anyhow::Result<RecordBatch> {
    let plans = SequenceForm::new(tree).plans(policy);
    let n = tree.n_entries();
    let (mut seats, mut sets) = (Vec::with_capacity(n), Vec::with_capacity(n));
    let (mut seen, mut actions) = (Vec::with_capacity(n), Vec::with_capacity(n));
    let mut reaches = Vec::with_capacity(n);
    for (number, set) in tree.information_sets().iter().enumerate() {
        let plan = &plans[set.seat.idx()];
        let first = tree.entries_of(set.seat).start;
        // Sequence 0 is the empty one; the seat's entries follow from 1.
        let reach = set.parent_entry.map_or(1.0, |entry| plan[entry as usize - first + 1]);
        for action in tree.actions(number) {
            seats.push(set.seat.idx() as u8);
            sets.push(number as u32);
            seen.push(set.label.as_str());
            actions.push(action);
            reaches.push(reach);
        }
    }
    let columns: [(&str, ArrayRef); 6] = [
        ("seat", Arc::new(UInt8Array::from(seats))),
        ("information_set", Arc::new(UInt32Array::from(sets))),
        ("seen", Arc::new(StringArray::from(seen))),
        ("action", Arc::new(StringArray::from(actions))),
        ("probability", Arc::new(Float64Array::from(policy.probabilities().to_vec()))),
        ("reach", Arc::new(Float64Array::from(reaches))),
    ];
    let columns = columns.into_iter().map(|(name, column)| (name, column, false));
    Ok(RecordBatch::try_from_iter_with_nullable(columns)?)
}
