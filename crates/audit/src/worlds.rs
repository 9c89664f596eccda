//! Worlds sampled again from their recorded seeds (IB3): each is valid and gives back the observation.

use crate::replay::Replay;
use crate::report::{Check, Finding};
use crate::row::GameRecord;
use game::{Belief, PipelineGame, Seat, belief};

/// The worlds of one decision, checked.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WorldsOutcome {
    pub n_checked: u64,
    pub n_invalid: u64,
    pub findings: Vec<Finding>,
}

/// Samples the worlds of the searched decision at `ply` again. `shard` is the audit shard's id.
pub fn check_worlds<G: PipelineGame, B: Belief<G>>(
    rules: &G,
    belief: &B,
    shard: &str,
    record: &GameRecord,
    replay: &Replay<G>,
    ply: usize,
) -> WorldsOutcome {
    let mut outcome = WorldsOutcome::default();
    let row = &record.plies[ply];
    let (Some(seat), Some(search)) = (row.seat, &row.search) else { return outcome };
    let finding = |detail: String| {
        Finding::new(Check::World, shard, detail).at(
            record.game,
            u16::try_from(ply).ok(),
            Some(seat),
        )
    };
    let n_worlds = search.worlds.len() as u64;
    let unusable = |detail: String| WorldsOutcome {
        n_checked: n_worlds,
        n_invalid: n_worlds,
        findings: vec![finding(detail)],
    };
    if search.belief != belief.name() {
        let name = &search.belief;
        return unusable(format!("sampled from {name:?}, checked with {:?}", belief.name()));
    }
    let seat = Seat::new(seat);
    let observation = replay.observation(rules, seat, ply);
    let posterior = match belief.infer(rules, &observation) {
        Ok(posterior) => posterior,
        Err(contradiction) => return unusable(contradiction.to_string()),
    };
    let legal = rules.legal(replay.before(ply));
    for (idx, seed) in belief::world_seeds(search.belief_seed, search.worlds.len()).enumerate() {
        let world = belief.world(rules, &posterior, &observation, seed);
        outcome.n_checked += 1;
        let fault = match rules.validate(world.state()) {
            Err(invalid) => Some(invalid.to_string()),
            Ok(()) if rules.now(world.state(), seat) != *observation.now() => {
                Some("observing it gives another observation".to_owned())
            }
            Ok(()) if rules.legal(world.state()) != legal => {
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
