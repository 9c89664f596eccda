//! What is printed.

use crate::control::Control;
use crate::examine::Verdict;
use crate::planted::Leak;
use anyhow::Context;
use audit::lab::Channel;
use serde::Serialize;
use std::collections::BTreeMap;

/// The outcome of a whole run, as `--json` prints it.
#[derive(Serialize)]
pub struct Report {
    /// Channels with at least one leak planted.
    pub channels: usize,
    pub planted: usize,
    /// By the test that is meant for it.
    pub caught: usize,
    /// Pairs of truths through which the real program was compared.
    pub pairs: u64,
    /// What the checks found in the real program.
    pub differences: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_difference: Option<String>,
    pub per_channel: BTreeMap<String, PerChannel>,
    /// Pairs by kind of decision.
    pub kinds: BTreeMap<&'static str, u64>,
    pub control: Control,
}

#[derive(Serialize)]
pub struct PerChannel {
    pub about: String,
    pub planted: usize,
    pub caught: usize,
    pub tests: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missed: Vec<String>,
}

impl Report {
    pub fn is_good(&self) -> bool {
        let is_caught = self.caught == self.planted && self.control.is_caught();
        let is_whole = self.channels == Channel::ALL.len();
        is_caught && is_whole && self.differences == 0 && self.control.is_clean()
    }

    pub fn print(&self, leaks: &[Leak], as_json: bool) -> anyhow::Result<()> {
        if as_json {
            println!("{}", serde_json::to_string(self).context("the report")?);
            return Ok(());
        }
        let mut channels: Vec<_> = leaks.iter().map(Leak::channel).collect();
        channels.dedup();
        for channel in channels {
            let Some(row) = self.per_channel.get(&channel.to_string()) else { continue };
            let PerChannel { about, planted, caught, tests, missed } = row;
            println!("{channel:<4} {caught:>2} of {planted:<2} {about} ({})", tests.join(", "));
            missed.iter().for_each(|name| println!("     MISSED {name}"));
        }
        let Report { planted, caught, pairs, differences, control, .. } = self;
        println!("{caught} of {planted} planted leaks are caught");
        println!(
            "truth-grown on three worlds: {} root-visit vectors, ours {}; verification finds {} in \
             its shards, {} in ours ({} rows)",
            control.visit_vectors,
            control.visit_vectors_clean,
            control.verify_findings,
            control.verify_findings_clean,
            control.verify_rows
        );
        println!("the real program: {pairs} pairs, {differences} differences");
        if let Some(first) = &self.first_difference {
            println!("first: {first}");
        }
        Ok(())
    }
}

/// Names, channels and tests of all leaks.
pub fn list(leaks: &[Leak]) {
    for leak in leaks {
        println!(
            "{:<4} {:<36} {:<12} {}",
            leak.channel().to_string(),
            leak.name,
            leak.test,
            leak.about
        );
    }
    println!("{} leaks", leaks.len());
}

/// One leak and what found it.
pub fn explain(leak: &Leak, verdict: &Verdict) {
    println!("{} ({}, {})", leak.name, leak.channel(), leak.channel().about());
    println!("{}", leak.about);
    println!("meant to be caught by: {}", leak.test);
    let caught = if verdict.is_caught() { "caught" } else { "MISSED" };
    println!("{caught}; {} pairs", verdict.pairs);
    for ((test, what), n) in &verdict.found {
        println!("  {test}: {what}, {n} times");
    }
    if let Some(first) = &verdict.first {
        println!("  first: {first}");
    }
}
