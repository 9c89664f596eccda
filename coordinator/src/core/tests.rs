//! Proves each rule of leasing, committing and registering on its own, with the invariants checked after each step. The
//! simulation proves that they hold together.

use super::*;
use crate::fixture::*;
use proto::Code;

/// One step, with every invariant checked.
pub(super) fn step(core: &mut Core, now_ms: u64, input: Input) -> Decision {
    let earlier = core.state().clone();
    let answer = core.step(now_ms, input).answer;
    invariant::check(core.state()).unwrap();
    invariant::check_growth(&earlier, core.state()).unwrap();
    answer
}

pub(super) fn code(answer: Decision) -> Code {
    answer.unwrap_err().code
}

fn renew(granted: &Granted, progress: u64) -> Input {
    let worker = granted.lease.worker.clone();
    Input::Renew { worker, lease: granted.lease.key, progress, games_done: 0 }
}

pub(super) fn release(granted: &Granted, failed: bool) -> Input {
    Input::Release { worker: granted.lease.worker.clone(), lease: granted.lease.key, failed }
}

#[test]
fn nothing_is_leased_before_the_first_checkpoint() {
    let mut core = Core::new(config(), &[], 0);
    let answer = step(&mut core, 0, lease_input("a", 1)).unwrap();
    assert!(matches!(answer, Answer::Nothing { .. }), "{answer:?}");
    step(&mut core, 0, Input::Register(checkpoint(0))).unwrap();
    let granted = leased(&mut core, 0, "a", 1);
    assert_eq!(granted.games, [0, 1, 2, 3]);
    assert_eq!(granted.checkpoint.id, checkpoint(0).id);
}

#[test]
fn a_repeated_request_gives_the_same_lease_while_it_is_open() {
    let mut core = core(config());
    let first = leased(&mut core, 0, "a", 1);
    assert_eq!(leased(&mut core, 0, "a", 1), first);
    let other = leased(&mut core, 0, "b", 1);
    assert_eq!((other.games[0], other.lease.key.epoch), (4, first.lease.key.epoch + 1));
    // A worker asks for several jobs at once, and the requests overtake each other.
    let later = leased(&mut core, 0, "a", 3);
    assert_ne!(leased(&mut core, 0, "a", 2).lease.key, later.lease.key);
    // The lease is over and its answer was lost: asking again must not starve the worker.
    step(&mut core, TTL_MS, Input::Tick).unwrap();
    let again = leased(&mut core, TTL_MS, "a", 1);
    assert!(again.lease.key.epoch > later.lease.key.epoch);
}

#[test]
fn progress_prolongs_a_lease_and_mere_calls_do_not() {
    let mut core = core(config());
    let granted = leased(&mut core, 0, "a", 1);
    let renewed = step(&mut core, TTL_MS / 2, renew(&granted, 10));
    assert_eq!(renewed, Ok(Answer::Renewed { ttl_ms: TTL_MS, drain: false }));
    let stuck = step(&mut core, TTL_MS, renew(&granted, 10));
    assert_eq!(stuck, Ok(Answer::Renewed { ttl_ms: TTL_MS / 2, drain: false }));
    let late = step(&mut core, TTL_MS * 3 / 2, renew(&granted, 11));
    assert_eq!(code(late), Code::LeaseLost);
    assert_eq!(core.state().lease_ledger.expired, 1);
}

#[test]
fn an_expired_job_goes_to_another_under_a_higher_epoch_and_the_old_holder_is_fenced() {
    let mut core = core(config());
    let old = leased(&mut core, 0, "slow", 1);
    let retry_ms = TTL_MS + 1_000;
    step(&mut core, TTL_MS, Input::Tick).unwrap();
    let new = leased(&mut core, retry_ms, "b", 1);
    assert_eq!((new.lease.key.job, new.lease.key.attempt), (old.lease.key.job, 2));
    assert!(new.lease.key.epoch > old.lease.key.epoch);
    let late = step(&mut core, retry_ms, Input::Commit(commit(&old, 4)));
    assert_eq!(code(late), Code::LeaseLost);
    step(&mut core, retry_ms, Input::Commit(commit(&new, 4))).unwrap();
    assert_eq!(core.state().totals.training_rows, 40);
}

#[test]
fn commits_are_idempotent_on_lease_and_digest() {
    let mut core = core(config());
    let granted = leased(&mut core, 0, "a", 1);
    let good = commit(&granted, 4);
    let answer = step(&mut core, 1, Input::Commit(good.clone()));
    assert_eq!(answer, Ok(Answer::Committed { sequence: 1, repeated: false }));
    let answer = step(&mut core, TTL_MS * 9, Input::Commit(good));
    assert_eq!(answer, Ok(Answer::Committed { sequence: 1, repeated: true }));
    let other = step(&mut core, 2, Input::Commit(commit(&granted, 3)));
    assert_eq!(code(other), Code::FailedPrecondition);
    assert_eq!(core.state().lease_ledger.accepted, 1);
    assert_eq!(core.state().refused(), 0);
}

#[test]
fn a_part_of_a_job_may_be_committed_and_the_rest_is_leased_again() {
    let mut core = core(config());
    let granted = leased(&mut core, 0, "a", 1);
    let mut part = commit(&granted, 2);
    part.games = vec![granted.games[1], granted.games[3]];
    step(&mut core, 1, Input::Commit(part)).unwrap();
    let rest = leased(&mut core, 1, "b", 1);
    assert_eq!(rest.games, [granted.games[0], granted.games[2]]);
    assert_ne!(rest.lease.key.job, granted.lease.key.job);
    let ledger = core.state().game_ledger;
    assert_eq!((ledger.issued, ledger.accepted, ledger.expired), (6, 2, 2));
}

#[test]
fn a_job_that_keeps_failing_is_parked_and_a_drain_is_no_failure() {
    let mut core = core(config());
    let mut now_ms = 0;
    for request in 1..=5 {
        let granted = leased(&mut core, now_ms, "a", request);
        assert_eq!(granted.lease.key.job, JobId(1));
        step(&mut core, now_ms, release(&granted, false)).unwrap();
    }
    for request in 6..=8 {
        let granted = leased(&mut core, now_ms, "a", request);
        assert_eq!(granted.lease.key.job, JobId(1), "request {request}");
        step(&mut core, now_ms, release(&granted, true)).unwrap();
        now_ms += 60_000;
    }
    assert_eq!(core.state().jobs[&JobId(1)].state, JobState::Parked);
    assert_eq!(leased(&mut core, now_ms, "a", 9).lease.key.job, JobId(2));
}

/// Every way in which a commit can lie, each refused under its own reason, counted, and harmless to the run.
#[test]
fn nonsense_is_refused_with_a_reason_and_the_run_goes_on() {
    type Lie = fn(&mut Commit, &mut serde_json::Value, &mut serde_json::Value);
    let lies: [(Reason, Lie); 15] = [
        (Reason::Identity, |_, training, _| training["run"] = "other".into()),
        (Reason::Identity, |_, training, _| training["kind"] = "audit".into()),
        (Reason::Identity, |_, _, audit| audit["epoch"] = 99.into()),
        (Reason::Identity, |_, training, _| training["key"] = "../../etc/passwd".into()),
        (Reason::Identity, |_, training, _| training["digest"] = "beef".into()),
        (Reason::Fingerprint, |_, training, _| training["fingerprint"] = "00".repeat(32).into()),
        (Reason::Checkpoint, |_, training, _| training["checkpoint"] = "another".into()),
        (Reason::Numbers, |_, training, _| training["rows"] = u64::MAX.into()),
        (Reason::Numbers, |_, training, _| training["rows"] = 0.into()),
        (Reason::Numbers, |_, _, audit| audit["games"] = 3.into()),
        (Reason::Numbers, |_, training, _| training["truncated_games"] = u64::MAX.into()),
        (Reason::Numbers, |commit, _, _| commit.games = vec![0, 1, 2, 77]),
        (Reason::Numbers, |commit, _, _| commit.games = vec![3, 2, 1, 0]),
        (Reason::Manifest, |_, training, _| training["rows"] = "many".into()),
        (Reason::Object, |commit, _, _| {
            commit.objects = Err(Fault::new(Reason::Object, "no such object"));
        }),
    ];
    for (reason, lie) in lies {
        let mut core = core(config());
        let granted = leased(&mut core, 0, "liar", 1);
        let mut training = manifest("training", &granted, 4, 40);
        let mut audit = manifest("audit", &granted, 4, 120);
        let mut lying = commit(&granted, 4);
        lie(&mut lying, &mut training, &mut audit);
        let built = commit_of(&granted, 4, &training, &audit);
        let lying = Commit { games: lying.games, objects: lying.objects, ..built };
        let error = step(&mut core, 1, Input::Commit(lying)).unwrap_err();
        assert_eq!(error.subject, reason.name(), "{error}");
        assert!(error.is_certainly_not_applied() && !error.is_transient());
        assert_eq!(core.state().refusals.get(&reason), Some(&1), "{error}");
        let again = leased(&mut core, 1_001, "honest", 1);
        assert_eq!(again.lease.key.job, granted.lease.key.job);
        step(&mut core, 1_002, Input::Commit(commit(&again, 4))).unwrap();
    }
}

#[test]
fn a_wrong_commit_digest_or_a_broken_manifest_is_refused() {
    let mut core = core(config());
    for (request, reason) in [(1, Reason::CommitDigest), (2, Reason::Manifest)] {
        let granted = leased(&mut core, request * 60_000, "liar", request);
        let mut lying = commit(&granted, 4);
        match reason {
            Reason::CommitDigest => lying.digest = "0".repeat(64),
            _ => {
                lying.training_manifest = "{\"kind\": \u{0}\u{1}".to_owned();
                lying.digest =
                    proto::commit_digest(&lying.training_manifest, &lying.audit_manifest);
            }
        }
        let error = step(&mut core, request * 60_000, Input::Commit(lying)).unwrap_err();
        assert_eq!(error.subject, reason.name());
    }
}

#[test]
fn a_shard_id_stands_for_one_shard_for_ever() {
    let mut core = core(config());
    let first = leased(&mut core, 0, "a", 1);
    step(&mut core, 0, Input::Commit(commit(&first, 4))).unwrap();
    let second = leased(&mut core, 0, "a", 2);
    let mut training = manifest("training", &second, 4, 40);
    training["shard"] = manifest("training", &first, 4, 40)["shard"].clone();
    let audit = manifest("audit", &second, 4, 120);
    let answer = step(&mut core, 0, Input::Commit(commit_of(&second, 4, &training, &audit)));
    assert_eq!(answer.unwrap_err().subject, "shard-id");
}

#[test]
fn a_lease_cannot_be_ended_by_another_worker() {
    let mut core = core(config());
    let granted = leased(&mut core, 0, "a", 1);
    let mut stolen = commit(&granted, 4);
    stolen.worker = worker("thief");
    assert_eq!(code(step(&mut core, 0, Input::Commit(stolen))), Code::LeaseLost);
    step(&mut core, 0, Input::Commit(commit(&granted, 4))).unwrap();
}

#[test]
fn a_worker_of_nothing_but_refusals_is_paused() {
    let mut core = core(config());
    for request in 1..=3 {
        let granted = leased(&mut core, request * 20_000, "liar", request);
        let mut lying = commit(&granted, 4);
        lying.digest.clear();
        step(&mut core, request * 20_000, Input::Commit(lying)).unwrap_err();
    }
    let answer = step(&mut core, 70_000, lease_input("liar", 4)).unwrap();
    assert_eq!(
        answer,
        Answer::Nothing {
            retry_ms: 50_000,
            why: "the last 3 commits of this worker were refused".to_owned()
        }
    );
    leased(&mut core, 70_000, "honest", 1);
    leased(&mut core, 120_000, "liar", 4);
}

#[test]
fn checkpoints_come_in_order_and_never_change() {
    let mut core = core(config());
    let again = step(&mut core, 5, Input::Register(checkpoint(0))).unwrap();
    assert!(matches!(again, Answer::Registered { repeated: true, .. }), "{again:?}");
    let mut changed = checkpoint(0);
    changed.digest = "ab".repeat(32);
    assert_eq!(code(step(&mut core, 5, Input::Register(changed))), Code::FailedPrecondition);
    let skipped = step(&mut core, 5, Input::Register(checkpoint(2)));
    assert_eq!(code(skipped), Code::FailedPrecondition);
    let mut foreign = checkpoint(1);
    foreign.fingerprint = "00".repeat(32);
    assert_eq!(code(step(&mut core, 5, Input::Register(foreign))), Code::SchemaMismatch);
    step(&mut core, 6, Input::Register(checkpoint(1))).unwrap();
    assert_eq!(leased(&mut core, 7, "a", 1).checkpoint.generation, 1);
    assert!(core.state().checkpoints[&1].promotion.is_some());
}

#[test]
fn a_run_created_with_a_fingerprint_takes_no_other() {
    let known = Config { fingerprint: Some("ee".repeat(32)), ..config() };
    let mut core = Core::new(known, &[], 0);
    assert_eq!(code(step(&mut core, 0, Input::Register(checkpoint(0)))), Code::SchemaMismatch);
}

#[test]
fn the_last_generation_ends_leasing_and_cancels_what_waits() {
    let mut core = core(Config { generations: 1, ..config() });
    let held = leased(&mut core, 0, "a", 1);
    let waiting = leased(&mut core, 0, "b", 1);
    step(&mut core, 0, release(&waiting, false)).unwrap();
    step(&mut core, 1, Input::Register(checkpoint(1))).unwrap();
    let answer = step(&mut core, 2, lease_input("b", 2)).unwrap();
    assert!(matches!(answer, Answer::Drain { .. }), "{answer:?}");
    assert_eq!(core.state().jobs[&waiting.lease.key.job].state, JobState::Cancelled);
    let renewed = step(&mut core, 3, renew(&held, 1)).unwrap();
    assert!(matches!(renewed, Answer::Renewed { drain: true, .. }), "{renewed:?}");
    step(&mut core, 4, Input::Commit(commit(&held, 2))).unwrap();
    step(&mut core, 5, Input::Tick).unwrap();
    invariant::check_quiescent(core.state()).unwrap();
}

#[test]
fn a_drain_keeps_waiting_jobs_for_the_next_start() {
    let mut core = core(config());
    let granted = leased(&mut core, 0, "a", 1);
    step(&mut core, 0, Input::Drain { why: "asked to".to_owned() }).unwrap();
    let answer = step(&mut core, 0, lease_input("b", 1)).unwrap();
    assert_eq!(answer, Answer::Drain { why: "asked to".to_owned() });
    step(&mut core, 1, release(&granted, false)).unwrap();
    step(&mut core, 2, Input::Tick).unwrap();
    assert_eq!(core.state().jobs[&JobId(1)].state, JobState::Ready);
}

#[test]
fn a_restart_gives_open_leases_a_full_term() {
    let mut stored = Vec::new();
    let mut core = Core::new(config(), &[], 0);
    stored.extend(core.step(0, Input::Register(checkpoint(0))).changes);
    let effects = core.step(0, lease_input("a", 1));
    let Ok(Answer::Leased(granted)) = &effects.answer else { panic!("{effects:?}") };
    stored.extend(effects.changes.clone());
    let state = core.state().clone();
    // The coordinator was away for an hour; the worker played on and commits.
    let mut core = Core::new(config(), &stored, 3_600_000);
    assert_eq!(*core.state(), state);
    step(&mut core, 3_600_001, Input::Commit(commit(granted, 4))).unwrap();
}

#[test]
fn time_that_runs_back_ends_no_lease_twice() {
    let mut core = core(config());
    let granted = leased(&mut core, TTL_MS * 5, "a", 1);
    let renewed = step(&mut core, 10, renew(&granted, 1));
    assert_eq!(renewed, Ok(Answer::Renewed { ttl_ms: TTL_MS, drain: false }));
}

#[test]
fn status_adds_up() {
    let mut core = core(config());
    let granted = leased(&mut core, 0, "a", 1);
    step(&mut core, 60_000 - 1, Input::Commit(commit(&granted, 4))).unwrap();
    leased(&mut core, 60_000, "a", 2);
    let report = RoleReport { role: "worker".into(), id: "a".into(), ..RoleReport::default() };
    step(&mut core, 60_000, Input::Report(report)).unwrap();
    let Ok(Answer::Status(status)) = step(&mut core, 60_000, Input::Status) else { panic!() };
    assert_eq!(status.games_per_hour, 240.0);
    assert_eq!((status.open_leases, status.totals.training_rows, status.roles.len()), (1, 40, 1));
    assert_eq!(status.weight_age_ms, 60_000);
    let Ok(Answer::Status(later)) = step(&mut core, 700_000, Input::Status) else { panic!() };
    assert_eq!((later.games_per_hour, later.roles.len()), (0.0, 0));
}

/// A role that only reports, as a trainer does, must hear of the end before the coordinator is gone.
#[test]
fn a_drain_waits_until_every_role_has_heard_of_it() {
    let mut core = core(config());
    let report = || {
        let (role, id) = ("trainer".to_owned(), "t".to_owned());
        Input::Report(RoleReport { role, id, ..RoleReport::default() })
    };
    let drain = || Input::Drain { why: "asked to".to_owned() };
    step(&mut core, 0, report()).unwrap();
    let answer = step(&mut core, 100, drain());
    assert_eq!(answer, Ok(Answer::Draining { leases: 0, untold: 1 }));
    let told = step(&mut core, 2_000, report());
    assert_eq!(told, Ok(Answer::Reported { drain: true, generation: Some(0) }));
    assert_eq!(step(&mut core, 2_001, drain()), Ok(Answer::Draining { leases: 0, untold: 0 }));
    // One that died does not hold it up.
    let mut core = super::Core::new(config(), &[], 0);
    step(&mut core, 0, report()).unwrap();
    assert_eq!(step(&mut core, 4_001, drain()), Ok(Answer::Draining { leases: 0, untold: 0 }));
}
