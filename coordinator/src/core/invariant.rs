//! What must hold after every step, by id. Simulation and tests check all of it; the ids are those of the design.

use super::{Job, JobKind, JobState, State, Totals};

/// A broken invariant.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("invariant {id} broken: {text}")]
pub struct Broken {
    pub id: &'static str,
    pub text: String,
}

/// Checks one state alone.
pub fn check(state: &State) -> Result<(), Broken> {
    one_lease_a_job(state)?;
    commits_under_their_lease(state)?;
    shard_ids(state)?;
    ledger(state)?;
    verdicts(state)?;
    checkpoints(state)
}

/// Checks that what was promised in an earlier state still holds in a later one.
pub fn check_growth(earlier: &State, later: &State) -> Result<(), Broken> {
    if later.last_epoch < earlier.last_epoch {
        return broken("LS1", format!("epoch {} after {}", later.last_epoch, earlier.last_epoch));
    }
    for (sequence, shard) in &earlier.shards {
        if later.shards.get(sequence) != Some(shard) {
            return broken("LS3", format!("accepted shard {sequence} changed"));
        }
    }
    for (sequence, verdict) in &earlier.verdicts {
        if later.verdicts.get(sequence) != Some(verdict) {
            return broken("LS3", format!("the verdict on shard {sequence} changed"));
        }
    }
    stop(earlier, later)?;
    for (generation, checkpoint) in &earlier.checkpoints {
        if later.checkpoints.get(generation) != Some(checkpoint) {
            return broken("CK1", format!("checkpoint {} changed", checkpoint.id));
        }
    }
    if earlier.fingerprint.is_some() && later.fingerprint != earlier.fingerprint {
        return broken("RV1", "the run's fingerprint changed".to_owned());
    }
    for (id, job) in &earlier.jobs {
        let is_kept = later.jobs.get(id).is_some_and(|it| {
            it.games == job.games
                && it.verifies == job.verifies
                && it.attempts >= job.attempts
                && (!job.state.is_final() || it.state == job.state)
        });
        if !is_kept {
            return broken("LS1", format!("job {id} lost its games, its attempts or its end"));
        }
    }
    Ok(())
}

/// LS4, once faults have stopped and everybody had time: nothing is left undone.
pub fn check_quiescent(state: &State) -> Result<(), Broken> {
    match state.jobs.values().find(|job| !job.state.is_final()) {
        Some(job) => broken("LS4", format!("job {} is still {}", job.id, job.state.name())),
        None => Ok(()),
    }
}

fn one_lease_a_job(state: &State) -> Result<(), Broken> {
    for (id, job) in &state.jobs {
        let lease = state.leases.get(id);
        if (job.state == JobState::Leased) != lease.is_some() {
            return broken("LS1", format!("job {id} is {} with lease {lease:?}", job.state.name()));
        }
        if let Some(lease) = lease
            && (lease.key.job != *id
                || lease.key.attempt != job.attempts
                || lease.key.epoch > state.last_epoch)
        {
            return broken("LS1", format!("job {id} has lease {}", lease.key));
        }
        if state.ready.contains(id) != (job.state == JobState::Ready) {
            return broken("LS1", format!("job {id} is {}", job.state.name()));
        }
    }
    let mut epochs: Vec<u64> = state.leases.values().map(|lease| lease.key.epoch).collect();
    epochs.sort_unstable();
    if epochs.windows(2).any(|pair| pair[0] == pair[1]) {
        return broken("LS1", "two leases share an epoch".to_owned());
    }
    match state.leases.keys().find(|id| !state.jobs.contains_key(id)) {
        Some(id) => broken("LS1", format!("a lease on job {id}, which is not there")),
        None => Ok(()),
    }
}

fn commits_under_their_lease(state: &State) -> Result<(), Broken> {
    for shard in state.shards.values() {
        let job = state.jobs.get(&shard.lease.job);
        let is_ended_by_it = job.is_some_and(|job| {
            job.state == JobState::Committed && job.attempts == shard.lease.attempt
        });
        if !is_ended_by_it {
            return broken("LS2", format!("shard {} of {}", shard.sequence, shard.lease));
        }
    }
    let is_committed =
        |job: &&Job| job.state == JobState::Committed && job.kind() == JobKind::SelfPlay;
    let committed = state.jobs.values().filter(is_committed).count();
    if committed != state.shards.len() || state.commits.len() != state.shards.len() {
        return broken("LS2", format!("{committed} committed jobs, {} shards", state.shards.len()));
    }
    Ok(())
}

fn shard_ids(state: &State) -> Result<(), Broken> {
    for (place, (sequence, shard)) in state.shards.iter().enumerate() {
        if *sequence != place as u64 + 1 || shard.sequence != *sequence {
            return broken("LS3", format!("shard {sequence} stands at place {}", place + 1));
        }
        if state.shard_ids.get(&shard.training.id) != Some(sequence) {
            return broken("LS3", format!("shard id {} is not of one shard", shard.training.id));
        }
    }
    Ok(())
}

fn ledger(state: &State) -> Result<(), Broken> {
    let open_games: u64 = state.leases.values().map(|lease| lease.n_games).sum();
    for (ledger, open, what) in [
        (&state.lease_ledger, state.leases.len() as u64, "leases"),
        (&state.game_ledger, open_games, "games"),
    ] {
        if ledger.open() != Some(open) {
            return broken("LS5", format!("{what}: {ledger:?} with {open} open"));
        }
    }
    let mut totals = Totals::default();
    state.shards.values().for_each(|shard| totals.add(shard));
    if totals != state.totals || totals.games != state.game_ledger.accepted {
        return broken("LS5", format!("totals {:?}, sums {totals:?}", state.totals));
    }
    // No game is lost: each number given out is accepted, or stands in a job that is not committed.
    let is_open = |job: &&Job| job.state != JobState::Committed;
    let waiting: u64 = state.jobs.values().filter(is_open).map(|job| job.games.len() as u64).sum();
    if waiting + totals.games != state.next_game {
        let text = format!(
            "{waiting} games wait, {} accepted, {} given out",
            totals.games, state.next_game
        );
        return broken("LS5", text);
    }
    if state.refused() != state.lease_ledger.rejected {
        return broken("LS5", format!("{} refusals, {:?}", state.refused(), state.lease_ledger));
    }
    Ok(())
}

/// One verdict for one commit's files, under its lease; IB5 for the window that verdicts open.
fn verdicts(state: &State) -> Result<(), Broken> {
    for (sequence, verdict) in &state.verdicts {
        let report = &verdict.report;
        let shard = state.shards.get(sequence);
        let is_about_it = shard.is_some_and(|it| {
            it.training.id == report.shard
                && it.training.digest == report.training_digest
                && it.audit.digest == report.audit_digest
        });
        let job = state.jobs.get(&report.lease.job);
        let is_ended_by_it = job.is_some_and(|job| {
            job.verifies == Some(*sequence)
                && job.state == JobState::Committed
                && job.attempts == report.lease.attempt
        });
        if !is_about_it || !is_ended_by_it || verdict.sequence != *sequence {
            return broken("LS2", format!("verdict {} of {}", verdict.number, report.lease));
        }
    }
    let verifications = || state.jobs.values().filter(|job| job.kind() == JobKind::Verify);
    let n_committed = verifications().filter(|it| it.state == JobState::Committed).count();
    if n_committed != state.verdicts.len()
        || state.verdicts.len() + state.unverified.len() != state.shards.len()
    {
        let text = format!(
            "{n_committed} verifications, {} verdicts and {} without one for {} shards",
            state.verdicts.len(),
            state.unverified.len(),
            state.shards.len()
        );
        return broken("LS5", text);
    }
    let mut open = std::collections::BTreeSet::new();
    if let Some(job) = verifications().find(|it| !it.state.is_final() && !open.insert(it.verifies))
    {
        return broken("LS1", format!("job {} verifies what another one verifies", job.id));
    }
    let is_good = |sequence: &u64| state.verdicts.get(sequence).is_some_and(|it| it.is_good());
    match (1..=state.verified_through).find(|sequence| !is_good(sequence)) {
        Some(sequence) => broken("IB5", format!("unverified shard {sequence} in the window")),
        None => Ok(()),
    }
}

/// After the first bad verdict nothing grows: no self-play is leased, nothing enters the window.
fn stop(earlier: &State, later: &State) -> Result<(), Broken> {
    if later.verified_through < earlier.verified_through {
        return broken("LS3", "the window shrank".to_owned());
    }
    let Some(sequence) = earlier.first_failure else { return Ok(()) };
    if later.first_failure != earlier.first_failure {
        return broken("LS3", format!("the first failure was shard {sequence}"));
    }
    if later.verified_through > earlier.verified_through {
        return broken("IB5", format!("the window grew after shard {sequence} failed"));
    }
    let is_play = |job| later.jobs.get(job).is_some_and(|job| job.kind() == JobKind::SelfPlay);
    let is_new = |epoch| epoch > earlier.last_epoch;
    match later.leases.iter().find(|(job, it)| is_new(it.key.epoch) && is_play(job)) {
        Some((_, it)) => broken("IB5", format!("{} after shard {sequence} failed", it.key)),
        None => Ok(()),
    }
}

fn checkpoints(state: &State) -> Result<(), Broken> {
    for (place, checkpoint) in state.checkpoints.values().enumerate() {
        if checkpoint.generation as usize != place {
            return broken("CK1", format!("checkpoint {} at place {place}", checkpoint.id));
        }
        if checkpoint.promotion.as_ref().is_some_and(String::is_empty) {
            return broken("CK2", format!("checkpoint {} without a decision", checkpoint.id));
        }
        if state.fingerprint.as_ref() != Some(&checkpoint.fingerprint) {
            return broken("RV1", format!("checkpoint {} has another", checkpoint.id));
        }
    }
    for lease in state.leases.values() {
        let plays_with = state.checkpoints.values().find(|it| it.id == lease.checkpoint);
        if plays_with.is_none_or(|it| it.promotion.is_none()) {
            return broken("CK2", format!("{} plays with {}", lease.key, lease.checkpoint));
        }
    }
    match state.shards.values().find(|it| state.fingerprint.as_ref() != Some(&it.fingerprint)) {
        Some(shard) => broken("RV1", format!("shard {} has another fingerprint", shard.sequence)),
        None => Ok(()),
    }
}

fn broken(id: &'static str, text: String) -> Result<(), Broken> {
    Err(Broken { id, text })
}
