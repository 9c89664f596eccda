//! Deterministic simulation of a whole run around the real core: model workers, auditors and a trainer, a network that loses,
//! doubles, delays and reorders, processes that die, clocks that jump. One number decides everything, so a failure is
//! replayed by its seed: `SIM_SEED=… cargo test -p coordinator --release sim`.
//!
//! Proves LS1, LS2, LS3, LS5, CK1, CK2 and RV1 after every step, that no promise given to a client is ever broken
//! (an accepted commit stays, under its sequence number; a recorded verdict stays, under its number), and LS4: once faults
//! stop, every job ends. Where only verified shards are admitted: IB5, no unverified shard and no audit object in the
//! window, and no growth after the first bad verdict.

mod client;
mod dice;
mod host;
mod network;
mod world;

use world::{Outcome, World};

/// Seeds of runs that once failed, or would have without the rule named beside them.
const PAST: [u64; 4] = [1, 7, 42, 4_711];
/// Seeds that each test run draws from the number line after those.
const FRESH: u64 = 1_000;

fn play(seed: u64) -> Outcome {
    let revision = option_env!("MUSTER_BUILD").unwrap_or("unknown");
    match std::panic::catch_unwind(|| World::new(seed).play()) {
        Ok(outcome) => outcome,
        Err(cause) => {
            eprintln!("SIM_SEED={seed} build={revision}");
            std::panic::resume_unwind(cause);
        }
    }
}

#[test]
fn sim_every_seed_keeps_every_invariant() {
    if let Some(seed) = std::env::var("SIM_SEED").ok().and_then(|text| text.parse().ok()) {
        let outcome = play(seed);
        eprintln!("{outcome:?}");
        return;
    }
    let mut sum = Outcome::default();
    for seed in PAST.into_iter().chain(1_000_000..1_000_000 + FRESH) {
        sum.add(&play(seed));
    }
    eprintln!("{sum:?}");
    // A simulation in which nothing goes wrong proves nothing.
    assert!(sum.accepted > 10 * FRESH, "{sum:?}");
    for (what, n) in [
        ("repeated commits", sum.repeated_commits),
        ("refused commits", sum.refused_commits),
        ("expired leases", sum.expired),
        ("late commits", sum.lost_leases),
        ("partial commits", sum.partial_commits),
        ("crashes between store and answer", sum.crashes_after_store),
        ("crashes before the store", sum.crashes_before_store),
        ("messages dropped", sum.dropped),
        ("messages doubled", sum.doubled),
        ("verdicts", sum.verdicts),
        ("repeated verdicts", sum.repeated_verdicts),
        ("refused verdicts", sum.refused_verdicts),
        ("stopped runs", sum.stopped),
        ("unverified shards kept out", sum.kept_out),
        ("parked jobs", sum.parked),
        ("cancelled jobs", sum.cancelled),
        ("checkpoints", sum.checkpoints),
    ] {
        assert!(n > FRESH / 10, "only {n} {what} in {FRESH} runs: {sum:?}");
    }
}

#[test]
fn sim_one_seed_gives_one_trace() {
    for seed in 0..20 {
        assert_eq!(play(seed).trace, play(seed).trace, "seed {seed}");
    }
    assert_ne!(play(0).trace, play(1).trace);
}
