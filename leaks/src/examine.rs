//! Runs every check on a leak, and on the real program.

use crate::c04_search::TRUTH_GROWN;
use crate::clean::{Clean, FIELDS, STYLE, known};
use crate::control::Control;
use crate::planted::{Body, Leak, Planted};
use crate::report::{PerChannel, Report};
use anyhow::Context;
use audit::lab::{Channel, Comparison, Plan, Subject, Test, compare, examine as examine_alone};
use rayon::prelude::*;
use std::collections::BTreeMap;
use warchest::WarChest;

/// Games that are looked at without a second truth.
const N_GAMES: u64 = 6;

/// What the checks said about one leak.
pub struct Verdict {
    pub test: Test,
    /// By test and what it looks at: how many findings.
    pub found: BTreeMap<(Test, String), u64>,
    pub first: Option<String>,
    pub pairs: u64,
}

impl Verdict {
    /// By the test that is meant for it.
    pub fn is_caught(&self) -> bool {
        self.found.keys().any(|(test, _)| *test == self.test)
    }
}

fn battery<S: Subject<WarChest>>(subject: &S, pairs: u64) -> Comparison {
    let mut all = compare(subject, &STYLE, &FIELDS, Plan::of_pairs(pairs), &mut |_| false);
    all.merge(examine_alone(subject, &STYLE, &known(), 0, N_GAMES));
    all
}

/// The checks that `test` belongs to, until it has found something.
fn until_found<S: Subject<WarChest>>(subject: &S, test: Test, pairs: u64) -> Comparison {
    match test {
        Test::TwoWorlds | Test::Sizes | Test::SideEffects => {
            let plan = Plan { games_at_a_time: 4, ..Plan::of_pairs(pairs) };
            compare(subject, &STYLE, &FIELDS, plan, &mut |found| found.has(test))
        }
        _ => examine_alone(subject, &STYLE, &known(), 0, N_GAMES),
    }
}

/// Plants the leak and runs every check, or with `is_brief` only its own until it has found something.
pub fn examine(leak: &Leak, pairs: u64, is_brief: bool) -> Verdict {
    let mut verdict = Verdict { test: leak.test, found: BTreeMap::new(), first: None, pairs: 0 };
    match &leak.body {
        Body::Program(planted) => {
            let planted: &Planted = planted;
            let comparison = match is_brief {
                true => until_found(planted, leak.test, pairs),
                false => battery(planted, pairs),
            };
            verdict.pairs = comparison.coverage.pairs;
            for ((test, what), n) in comparison.found {
                verdict.found.insert((test, what.to_owned()), n);
            }
            verdict.first =
                comparison.first.map(|first| format!("{}: {}", first.what, first.detail));
        }
        Body::Text(find) => {
            for fault in find() {
                verdict.first.get_or_insert_with(|| fault.clone());
                *verdict.found.entry((Test::Structure, fault)).or_default() += 1;
            }
        }
    }
    verdict
}

/// Examines the real program and every leak.
pub fn all(leaks: &[Leak], pairs: u64, leak_pairs: u64) -> anyhow::Result<Report> {
    let mut next = 0;
    let mut clean =
        compare(&Clean, &STYLE, &FIELDS, Plan::of_pairs(pairs), &mut |all: &Comparison| {
            let done = all.coverage.pairs;
            if done >= next {
                eprintln!("the real program: {done} of {pairs} pairs");
                next = done + (pairs / 10).max(1);
            }
            false
        });
    clean.merge(examine_alone(&Clean, &STYLE, &known(), 0, N_GAMES));
    // The bundle with nothing replaced is the real program too: what catches a leak is the leak.
    let bundle = battery(&Planted::CLEAN, leak_pairs);
    eprintln!("{} planted leaks, {leak_pairs} pairs each", leaks.len());
    let verdicts: Vec<Verdict> =
        leaks.par_iter().map(|leak| examine(leak, leak_pairs, true)).collect();
    let control = leaks.iter().find(|leak| leak.name == TRUTH_GROWN).context("the control")?;
    let Body::Program(control) = &control.body else { unreachable!("it is a program") };
    let control = Control::run(control)?;
    let mut per_channel: BTreeMap<String, PerChannel> = BTreeMap::new();
    for (leak, verdict) in leaks.iter().zip(&verdicts) {
        let row = per_channel.entry(leak.channel().to_string()).or_insert_with(|| PerChannel {
            about: leak.channel().about().to_owned(),
            planted: 0,
            caught: 0,
            tests: Vec::new(),
            missed: Vec::new(),
        });
        row.planted += 1;
        row.caught += usize::from(verdict.is_caught());
        let test = leak.test.name().to_owned();
        if !row.tests.contains(&test) {
            row.tests.push(test);
        }
        if !verdict.is_caught() {
            row.missed.push(leak.name.to_owned());
        }
    }
    let differences = clean.findings + bundle.findings;
    let first = clean.first.or(bundle.first);
    Ok(Report {
        channels: Channel::ALL
            .iter()
            .filter(|it| per_channel.contains_key(&it.to_string()))
            .count(),
        planted: leaks.len(),
        caught: verdicts.iter().filter(|verdict| verdict.is_caught()).count(),
        pairs: clean.coverage.pairs,
        differences,
        first_difference: first
            .map(|first| format!("{} {}: {}", first.test, first.what, first.detail)),
        per_channel,
        kinds: clean.coverage.kinds.iter().map(|(kind, counts)| (*kind, counts.pairs)).collect(),
        control,
    })
}
