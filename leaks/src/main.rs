//! `muster-leaks`: plants leaks in the real program, one at a time, and shows that the checks of the information
//! boundary catch each of them, and that they find nothing where none is planted.

#[path = "../../crates/muster/tests/structure/boundary.rs"]
mod boundary;
#[path = "../../crates/audit/tests/two_worlds/clean.rs"]
mod clean;

mod c01_observation;
mod c02_history;
mod c03_actions;
mod c04_search;
mod c05_sampler;
mod c06_viewer;
mod c07_streams;
mod c08_cache;
mod c09_batch;
mod c10_targets;
mod c11_metadata;
mod c12_endings;
mod c13_split;
mod c14_side_effects;
mod c15_switches;
mod c16_join;
mod c17_messages;
mod c18_selection;
mod control;
mod examine;
mod planted;
mod report;

use anyhow::bail;
use clap::Parser;
use planted::Leak;
use std::process::ExitCode;

/// Show that every planted leak is caught, and that the real program has no difference.
///
/// Exit codes: 0 every leak is caught and the real program has no difference, 3 otherwise, 1 failed, 2 usage.
#[derive(Parser, Debug)]
#[command(name = "muster-leaks")]
struct Args {
    /// Pairs of truths through which the real program is compared.
    #[arg(long, default_value_t = 100_000)]
    pairs: u64,
    /// Pairs for each planted leak, at most: a leak is left when its test has found it.
    #[arg(long, default_value_t = 20_000)]
    leak_pairs: u64,
    /// List the leaks and the tests that are meant for them.
    #[arg(long)]
    list: bool,
    /// Examine this leak alone and say what was found where.
    #[arg(long, value_name = "NAME")]
    leak: Option<String>,
    /// Print one JSON object on standard output.
    #[arg(long)]
    json: bool,
}

fn all() -> Vec<Leak> {
    let channels = [
        c01_observation::leaks,
        c02_history::leaks,
        c03_actions::leaks,
        c04_search::leaks,
        c05_sampler::leaks,
        c06_viewer::leaks,
        c07_streams::leaks,
        c08_cache::leaks,
        c09_batch::leaks,
        c10_targets::leaks,
        c11_metadata::leaks,
        c12_endings::leaks,
        c13_split::leaks,
        c14_side_effects::leaks,
        c15_switches::leaks,
        c16_join::leaks,
        c17_messages::leaks,
        c18_selection::leaks,
    ];
    channels.into_iter().flat_map(|leaks| leaks()).collect()
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(3),
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whether all is as it must be.
fn run(args: &Args) -> anyhow::Result<bool> {
    let leaks = all();
    if args.list {
        report::list(&leaks);
        return Ok(true);
    }
    if let Some(name) = &args.leak {
        let Some(leak) = leaks.iter().find(|leak| leak.name == name) else {
            bail!("there is no leak {name:?}; --list names them all");
        };
        let verdict = examine::examine(leak, args.leak_pairs, false);
        report::explain(leak, &verdict);
        return Ok(verdict.is_caught());
    }
    let report = examine::all(&leaks, args.pairs, args.leak_pairs)?;
    report.print(&leaks, args.json)?;
    Ok(report.is_good())
}
