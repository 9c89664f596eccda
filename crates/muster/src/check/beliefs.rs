//! `muster check war-chest --beliefs`.

use anyhow::Context;
use catalog::war_chest_check::{
    CALIBRATION_SEED, CalibrationCheck, CalibrationReport, EnumeratedCheck, EnumeratedReport,
    MiniSize, SupportCheck, SupportReport, beliefs_enumerated, calibration, truth_in_support,
};
use clap::Args;
use run::Exit;
use run::progress::Progress;
use serde_json::json;

#[derive(Args)]
pub struct BeliefArgs {
    /// Check the beliefs.
    #[arg(long, conflicts_with = "games")]
    beliefs: bool,
    /// How many positions of mini games to compare with enumeration, at least.
    #[arg(long, value_name = "N", default_value_t = 100_000, requires = "beliefs")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    positions: u64,
    /// How many positions must have the truth in the support, at least.
    #[arg(long, value_name = "N", default_value_t = 200_000, requires = "beliefs")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    truths: u64,
    /// How many games of uniform play to calibrate on.
    #[arg(long, value_name = "N", default_value_t = 10_000, requires = "beliefs")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    calibration_games: u64,
    /// How many threads; all cores by default.
    #[arg(long, value_name = "N", requires = "beliefs")]
    threads: Option<usize>,
}

/// The first games that the command plays; the test suite plays others.
const FIRST_GAME: u64 = 1_000_000;

pub fn run(args: &BeliefArgs, is_json: bool) -> anyhow::Result<Exit> {
    let all_cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let n_threads = args.threads.unwrap_or_else(all_cores);
    let enumerated = with_progress("enumeration", args.positions, "positions", |done| {
        let (n_positions, size) = (args.positions, MiniSize::default());
        let check = EnumeratedCheck { size, n_positions, n_threads, first_game: FIRST_GAME };
        beliefs_enumerated(&check, done)
    });
    let support = with_progress("support", args.truths, "positions", |done| {
        let n_positions = args.truths;
        truth_in_support(&SupportCheck { n_positions, n_threads, first_game: FIRST_GAME }, done)
    });
    let calibrated = with_progress("calibration", args.calibration_games, "games", |done| {
        let (n_games, seed) = (args.calibration_games, CALIBRATION_SEED);
        calibration(&CalibrationCheck { n_games, seed, n_threads }, done)
    })
    .context("a game of uniform play was refused")?;
    print(&enumerated, &support, &calibrated, is_json);
    for first in enumerated.first_mismatch.iter().chain(&support.first_miss) {
        eprintln!("first mismatch: {first}");
    }
    let is_clean = enumerated.is_clean() && support.is_clean() && calibrated.is_clean();
    Ok(if is_clean { Exit::Done } else { Exit::Problems })
}

fn with_progress<T>(
    label: &str,
    total: u64,
    unit: &'static str,
    work: impl FnOnce(&(dyn Fn(u64) + Sync)) -> T,
) -> T {
    let progress = Progress::new(label, Some(total), unit);
    let result = work(&|n| progress.inc(n));
    progress.finish();
    result
}

fn print(
    enumerated: &EnumeratedReport,
    support: &SupportReport,
    calibrated: &CalibrationReport,
    is_json: bool,
) {
    if is_json {
        let object = json!({
            "positions": enumerated.positions,
            "exact_mismatches": enumerated.exact_mismatches,
            "ks_p": calibrated.ks_p,
            "ks_p_control": calibrated.ks_p_control,
            "calibration_games": calibrated.games,
            "truth_positions": support.positions,
            "truth_missing": support.truth_missing + support.refused,
            "enumeration": enumerated,
            "support": support,
            "calibration_seed": CALIBRATION_SEED,
        });
        println!("{object}");
        return;
    }
    println!(
        "{} positions of mini games: {} differ from what all histories add up to (up to {} \
         histories; {} refills in a draw, {} claims, {} recruits, {} passes)\n\
         {} positions of {} games under all options: {} without the truth; support {} (median), \
         {} (99 %), {} (most)\n\
         {} games of uniform play: p = {:.3} for exact-uniform, {:.1e} for structural-uniform-v1",
        enumerated.positions,
        enumerated.exact_mismatches,
        enumerated.histories_max,
        enumerated.refills_in_a_draw,
        enumerated.initiative_claims,
        enumerated.recruits,
        enumerated.passes,
        support.positions,
        support.games,
        support.truth_missing + support.refused,
        support.support_median,
        support.support_p99,
        support.support_max,
        calibrated.games,
        calibrated.ks_p,
        calibrated.ks_p_control
    );
}
