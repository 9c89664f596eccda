//! Worlds sampled again from their recorded seeds (IB3): each is valid and gives back the observation.

use crate::replay::Replay;
use crate::report::{Check, Finding};
use crate::two_worlds::{Sampled, SearchTask};
use game::{PipelineGame, belief};

/// The worlds of one decision, checked.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WorldsOutcome {
    pub n_checked: u64,
    pub n_invalid: u64,
    pub findings: Vec<Finding>,
}

/// Checks the worlds of one searched decision, which `sampled` gives again. `shard` is the audit shard's id.
pub fn check_worlds<G: PipelineGame>(
    rules: &G,
    belief: &str,
    shard: &str,
    replay: &Replay<G>,
    task: &SearchTask<'_, G>,
    sampled: &Result<Sampled<G>, String>,
) -> WorldsOutcome {
    let mut outcome = WorldsOutcome::default();
    let Some(search) = &task.record.plies[task.ply].search else { return outcome };
    let finding = |detail: String| {
        Finding::new(Check::World, shard, detail).at(
            task.record.game,
            u16::try_from(task.ply).ok(),
            Some(task.seat.idx() as u8),
        )
    };
    let n_worlds = search.worlds.len() as u64;
    let unusable = |detail: String| WorldsOutcome {
        n_checked: n_worlds,
        n_invalid: n_worlds,
        findings: vec![finding(detail)],
    };
    if search.belief != belief {
        let name = &search.belief;
        return unusable(format!("sampled from {name:?}, checked with {belief:?}"));
    }
    let sampled = match sampled {
        Ok(sampled) => sampled,
        Err(reason) => return unusable(reason.clone()),
    };
    let legal = rules.legal(replay.before(task.ply));
    let seeds = belief::world_seeds(search.belief_seed, search.worlds.len());
    for (idx, (seed, world)) in seeds.zip(&sampled.worlds).enumerate() {
        outcome.n_checked += 1;
        let fault = match rules.validate(world) {
            Err(invalid) => Some(invalid.to_string()),
            Ok(()) if rules.now(world, task.seat) != *task.observation.now() => {
                Some("observing it gives another observation".to_owned())
            }
            Ok(()) if rules.legal(world) != legal => {
                Some("it offers other legal actions than the truth".to_owned())
            }
            Ok(()) => None,
        };
        if let Some(fault) = fault {
            outcome.n_invalid += 1;
            outcome.findings.push(finding(format!("world {idx} (seed {seed}): {fault}")));
        }
    }
    outcome
}
