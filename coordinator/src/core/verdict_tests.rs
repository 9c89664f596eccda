//! Proves each rule of verification on its own: what is leased to whom, which verdicts are recorded, what enters the
//! window, and that the first difference stops the run.

use super::tests::{code, release, step};
use super::*;
use crate::fixture::*;
use proto::Code;

/// A strict core with `n` accepted commits.
fn played(n: u64) -> Core {
    let mut core = core(strict());
    for request in 1..=n {
        let granted = leased(&mut core, 0, "w", request);
        step(&mut core, 0, Input::Commit(commit(&granted, 4))).unwrap();
    }
    core
}

fn judge(core: &mut Core, granted: &Granted, differences: u64) -> Decision {
    step(core, 0, Input::Verdict(verdict(granted, differences)))
}

#[test]
fn without_admission_nothing_is_verified_and_everything_is_read() {
    let mut core = core(config());
    let granted = leased(&mut core, 0, "w", 1);
    step(&mut core, 0, Input::Commit(commit(&granted, 4))).unwrap();
    assert_eq!(core.window(), 1);
    let answer = step(&mut core, 0, verification_input("a", 1)).unwrap();
    assert!(matches!(answer, Answer::Drain { .. }), "{answer:?}");
}

#[test]
fn only_verified_shards_enter_the_window_in_order() {
    let mut core = played(3);
    assert_eq!(core.window(), 0, "nothing is verified yet");
    let all: Vec<Granted> = (1..=3).map(|it| verification(&mut core, 0, "a", it)).collect();
    let sequences: Vec<u64> = all.iter().map(|it| it.verifies.as_ref().unwrap().sequence).collect();
    assert_eq!(sequences, [1, 2, 3]);
    assert!(all.iter().all(|it| it.games.is_empty() && it.checkpoint.id == checkpoint(0).id));
    let more = step(&mut core, 0, verification_input("a", 4)).unwrap();
    assert!(matches!(more, Answer::Nothing { .. }), "{more:?}");
    judge(&mut core, &all[1], 0).unwrap();
    assert_eq!(core.window(), 0, "the first one still waits");
    judge(&mut core, &all[0], 0).unwrap();
    assert_eq!(core.window(), 2);
    judge(&mut core, &all[2], 0).unwrap();
    assert_eq!(core.window(), 3);
    assert!(!core.is_verifying());
    let ledger = core.state().lease_ledger;
    assert_eq!((ledger.issued, ledger.accepted), (6, 6));
}

#[test]
fn the_first_difference_stops_the_run_and_verification_goes_on() {
    let mut core = played(4);
    let out = leased(&mut core, 0, "w", 9);
    let waiting = leased(&mut core, 0, "w", 10);
    step(&mut core, 0, release(&waiting, false)).unwrap();
    let all: Vec<Granted> = (1..=4).map(|it| verification(&mut core, 0, "a", it)).collect();
    judge(&mut core, &all[0], 0).unwrap();
    judge(&mut core, &all[2], 5).unwrap();
    assert_eq!(core.state().first_failure, Some(3));
    // What was leased before may be handed in; nothing new is leased, and nothing enters the window.
    step(&mut core, 0, Input::Commit(commit(&out, 4))).unwrap();
    let answer = step(&mut core, 0, lease_input("w", 11)).unwrap();
    let Answer::Nothing { why, .. } = answer else { panic!("{answer:?}") };
    assert!(why.contains(&core.state().shards[&3].training.id.0), "{why}");
    assert_eq!(core.state().jobs[&waiting.lease.key.job].state, JobState::Cancelled);
    judge(&mut core, &all[1], 0).unwrap();
    judge(&mut core, &all[3], 1).unwrap();
    let last = verification(&mut core, 0, "a", 5);
    judge(&mut core, &last, 0).unwrap();
    assert_eq!((core.window(), core.state().first_failure), (1, Some(3)));
    let Ok(Answer::Status(status)) = step(&mut core, 0, Input::Status) else { panic!() };
    let audit = &status.audit;
    assert_eq!((audit.verified, audit.waiting, audit.failed, audit.window), (3, 0, 2, 1));
    let (sequence, shard, differences, first) = audit.first_failure.clone().unwrap();
    assert_eq!((sequence, &shard, differences), (3, &core.state().shards[&3].training.id, 5));
    assert_eq!(first, verdict(&all[2], 5).findings.first);
    invariant::check_quiescent(core.state()).unwrap();
}

/// After a restart the run is as stopped as before.
#[test]
fn a_restart_forgets_no_failure() {
    let mut core = Core::new(strict(), &[], 0);
    let mut stored = Vec::new();
    let mut keep = |core: &mut Core, input| {
        let effects = core.step(0, input);
        stored.extend(effects.changes);
        effects.answer.unwrap()
    };
    keep(&mut core, Input::Register(checkpoint(0)));
    let Answer::Leased(granted) = keep(&mut core, lease_input("w", 1)) else { panic!() };
    keep(&mut core, Input::Commit(commit(&granted, 4)));
    let Answer::Leased(granted) = keep(&mut core, verification_input("a", 1)) else { panic!() };
    keep(&mut core, Input::Verdict(verdict(&granted, 1)));
    let mut again = Core::new(strict(), &stored, 0);
    assert_eq!(again.state(), core.state());
    let answer = step(&mut again, 0, lease_input("w", 2)).unwrap();
    assert!(matches!(answer, Answer::Nothing { .. }), "{answer:?}");
}

#[test]
fn a_verdict_is_recorded_once() {
    let mut core = played(1);
    let granted = verification(&mut core, 0, "a", 1);
    assert_eq!(judge(&mut core, &granted, 0), Ok(Answer::Recorded { number: 1, repeated: false }));
    assert_eq!(judge(&mut core, &granted, 0), Ok(Answer::Recorded { number: 1, repeated: true }));
    assert_eq!(code(judge(&mut core, &granted, 2)), Code::FailedPrecondition);
    assert_eq!(core.state().first_failure, None);
}

#[test]
fn a_fenced_auditor_records_nothing() {
    let mut core = played(1);
    let slow = verification(&mut core, 0, "slow", 1);
    step(&mut core, TTL_MS, Input::Tick).unwrap();
    let now_ms = TTL_MS + 1_000;
    let other = verification(&mut core, now_ms, "b", 1);
    assert_eq!(other.lease.key.job, slow.lease.key.job);
    let late = step(&mut core, now_ms, Input::Verdict(verdict(&slow, 7)));
    assert_eq!(code(late), Code::LeaseLost);
    step(&mut core, now_ms, Input::Verdict(verdict(&other, 0))).unwrap();
    assert_eq!((core.window(), core.state().first_failure), (1, None));
    let stolen = VerdictReport { auditor: worker("thief"), ..verdict(&other, 0) };
    assert!(step(&mut core, now_ms, Input::Verdict(stolen)).is_err());
}

#[test]
fn samples_and_verdicts_keep_to_their_own_leases() {
    let mut core = played(1);
    let play = leased(&mut core, 0, "w", 9);
    let verify = verification(&mut core, 0, "a", 1);
    let forged = VerdictReport {
        auditor: play.lease.worker.clone(),
        lease: play.lease.key,
        ..verdict(&verify, 0)
    };
    assert_eq!(code(step(&mut core, 0, Input::Verdict(forged))), Code::FailedPrecondition);
    let forged =
        Commit { worker: verify.lease.worker.clone(), lease: verify.lease.key, ..commit(&play, 4) };
    assert_eq!(code(step(&mut core, 0, Input::Commit(forged))), Code::FailedPrecondition);
    // Both leases are as good as before.
    step(&mut core, 0, Input::Commit(commit(&play, 4))).unwrap();
    judge(&mut core, &verify, 0).unwrap();
}

/// Every way in which a verdict can lie about its form.
#[test]
fn nonsense_is_refused_counted_and_verified_again() {
    let lies: [fn(&mut VerdictReport); 8] = [
        |it| it.shard = ShardId("another".to_owned()),
        |it| it.training_digest = "0".repeat(64),
        |it| it.audit_digest.clear(),
        |it| it.findings.rederived_equal += 1,
        |it| {
            it.findings.rows = 0;
            it.findings.rederived_equal = 0;
        },
        |it| it.findings.worlds_invalid = 1,
        |it| it.findings.differences = 3,
        |it| {
            it.findings.differences = 1;
            let text = "the other hand holds a Pikeman".to_owned();
            it.findings.first = Some(Difference { check: text, row: None, column: String::new() });
        },
    ];
    for lie in lies {
        let mut core = played(1);
        let granted = verification(&mut core, 0, "liar", 1);
        let mut lying = verdict(&granted, 0);
        lie(&mut lying);
        let error = step(&mut core, 1, Input::Verdict(lying)).unwrap_err();
        assert_eq!(error.subject, Reason::Verdict.name(), "{error}");
        assert!(!error.text.contains("Pikeman"), "{error}");
        assert_eq!((core.state().refused(), core.window()), (1, 0));
        let again = verification(&mut core, 1_001, "honest", 1);
        step(&mut core, 1_002, Input::Verdict(verdict(&again, 0))).unwrap();
        assert_eq!(core.window(), 1);
    }
}

#[test]
fn a_verification_that_keeps_failing_is_parked_and_a_restart_tries_it_again() {
    let mut core = Core::new(strict(), &[], 0);
    let mut stored = Vec::new();
    let mut keep = |core: &mut Core, now_ms, input| {
        let effects = core.step(now_ms, input);
        stored.extend(effects.changes);
        effects.answer
    };
    keep(&mut core, 0, Input::Register(checkpoint(0))).unwrap();
    let Ok(Answer::Leased(play)) = keep(&mut core, 0, lease_input("w", 1)) else { panic!() };
    keep(&mut core, 0, Input::Commit(commit(&play, 4))).unwrap();
    let mut now_ms = 0;
    for request in 1..=3 {
        let lease = keep(&mut core, now_ms, verification_input("a", request));
        let Ok(Answer::Leased(granted)) = lease else { panic!("{lease:?}") };
        keep(&mut core, now_ms, release(&granted, true)).unwrap();
        now_ms += 60_000;
    }
    let answer = keep(&mut core, now_ms, verification_input("a", 9)).unwrap();
    assert!(matches!(answer, Answer::Nothing { .. }), "parked: {answer:?}");
    assert!(!core.is_verifying());
    let Ok(Answer::Status(status)) = keep(&mut core, now_ms, Input::Status) else { panic!() };
    assert_eq!((status.audit.waiting, status.audit.parked, status.parked.len()), (1, 1, 1));
    assert_eq!(core.window(), 0, "it waits");
    let mut core = Core::new(strict(), &stored, now_ms);
    let granted = verification(&mut core, now_ms, "a", 1);
    step(&mut core, now_ms, Input::Verdict(verdict(&granted, 0))).unwrap();
    assert_eq!(core.window(), 1);
    let Ok(Answer::Status(status)) = step(&mut core, now_ms, Input::Status) else { panic!() };
    assert_eq!((status.audit.waiting, status.audit.parked, status.parked.len()), (0, 0, 0));
}

/// The last checkpoint ends self-play, not the verification of what was played.
#[test]
fn the_end_of_a_run_waits_for_its_verdicts() {
    let mut core = core(Config { generations: 1, ..strict() });
    let granted = leased(&mut core, 0, "w", 1);
    step(&mut core, 0, Input::Commit(commit(&granted, 4))).unwrap();
    step(&mut core, 0, Input::Register(checkpoint(1))).unwrap();
    let granted = verification(&mut core, 0, "a", 1);
    assert_eq!(granted.checkpoint.id, checkpoint(0).id, "the weights the games were played with");
    judge(&mut core, &granted, 0).unwrap();
    let answer = step(&mut core, 0, verification_input("a", 2)).unwrap();
    assert!(matches!(answer, Answer::Drain { .. }), "{answer:?}");
}
