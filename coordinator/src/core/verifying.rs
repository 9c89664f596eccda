//! Verification: which accepted commit is verified next, which verdicts are recorded, what they let into the window.

use super::fault::{Fault, Reason};
use super::ids::JobId;
use super::job::{Job, JobState};
use super::lease::Fate;
use super::shard::Shard;
use super::verdict::{Admission, Difference, Findings, Verdict, VerdictReport};
use super::{Answer, Change, Core, Decision};
use proto::{Code, WireError};

impl Core {
    /// The last sequence number that training may read; 0 for none.
    pub fn window(&self) -> u64 {
        match self.config.admission {
            Admission::None => self.state.sequence(),
            Admission::Required => self.state.verified_through,
        }
    }

    /// Whether an accepted commit waits for a verdict that may still come.
    pub fn is_verifying(&self) -> bool {
        let mut waiting = self.state.unverified.iter();
        self.config.admission == Admission::Required && waiting.any(|it| !self.is_given_up(*it))
    }

    /// Why the run does not grow any more, if so.
    pub(super) fn stopped(&self) -> Option<String> {
        let sequence = self.state.first_failure?;
        let shard = self.state.shards.get(&sequence)?;
        Some(format!(
            "verification found a difference in shard {}: the run does not grow; see `muster status`",
            shard.training.id
        ))
    }

    /// A job for the first accepted commit that nobody verifies.
    pub(super) fn new_verification(&self) -> Option<Job> {
        let is_free = |sequence: &&u64| match self.state.verifications.get(*sequence) {
            None => true,
            Some(job) => self.is_parked(*job) && *job < self.first_job,
        };
        let sequence = self.state.unverified.iter().find(is_free)?;
        Some(Job {
            id: self.state.next_job(),
            games: Vec::new(),
            verifies: Some(*sequence),
            state: JobState::Ready,
            attempts: 0,
            failures: 0,
            ready_at_ms: self.now_ms,
        })
    }

    /// Parked since this process began: it waits for a person. A restart tries it once more.
    pub(super) fn is_given_up(&self, sequence: u64) -> bool {
        let job = self.state.verifications.get(&sequence);
        job.is_some_and(|job| self.is_parked(*job) && *job >= self.first_job)
    }

    fn is_parked(&self, job: JobId) -> bool {
        self.state.jobs.get(&job).is_some_and(|job| job.state == JobState::Parked)
    }

    pub(super) fn verdict(&mut self, report: VerdictReport) -> Decision {
        if let Some(earlier) = self.verdict_under(&report) {
            if earlier.report == report {
                return Ok(Answer::Recorded { number: earlier.number, repeated: true });
            }
            let text = format!("another verdict was recorded under {} before", report.lease);
            return Err(WireError::about(Code::FailedPrecondition, report.lease, text));
        }
        self.held(&report.auditor, report.lease)?;
        let job = self.state.jobs.get(&report.lease.job);
        let shard = job.and_then(|job| self.state.shards.get(&job.verifies?));
        let Some(shard) = shard else {
            let text = format!("{} is no verification: it takes no verdict", report.lease);
            return Err(WireError::about(Code::FailedPrecondition, report.lease, text));
        };
        if let Err(fault) = examine(&report, shard) {
            self.refuse(&report.auditor, report.lease, fault.reason);
            let text = format!("verdict refused: {}", fault.text);
            return Err(WireError::about(Code::FailedPrecondition, fault.reason.name(), text));
        }
        let (number, sequence) = (self.state.verdicts.len() as u64 + 1, shard.sequence);
        let (lease, auditor) = (report.lease, report.auditor.clone());
        let recorded_ms = self.now_ms;
        self.record(Change::PutVerdict(Verdict { number, sequence, report, recorded_ms }));
        self.close(lease, Fate::Accepted { n_games: 0 });
        self.set_state(lease.job, JobState::Committed);
        self.forgive(&auditor);
        Ok(Answer::Recorded { number, repeated: false })
    }

    fn verdict_under(&self, report: &VerdictReport) -> Option<&Verdict> {
        let sequence = self.state.jobs.get(&report.lease.job)?.verifies?;
        self.state.verdicts.get(&sequence).filter(|it| it.report.lease == report.lease)
    }
}

/// Everything that can be wrong with a verdict's form. What it says is the auditor's to know.
fn examine(report: &VerdictReport, shard: &Shard) -> Result<(), Fault> {
    let refuse = |text: String| Err(Fault::new(Reason::Verdict, text));
    let digests = (&report.training_digest, &report.audit_digest);
    if report.shard != shard.training.id || digests != (&shard.training.digest, &shard.audit.digest)
    {
        let found = &report.shard;
        return refuse(format!(
            "it is about shard {found} or files of other digests; leased was {}",
            shard.training.id
        ));
    }
    let Findings { rows, rederived_equal, worlds, worlds_invalid, differences, first, .. } =
        &report.findings;
    if rederived_equal > rows || worlds_invalid > worlds {
        return refuse("its counts contradict each other".to_owned());
    }
    if first.is_some() != (*differences > 0) {
        return refuse(format!("{differences} differences, first at {first:?}"));
    }
    if !first.as_ref().is_none_or(Difference::is_well_formed) {
        return refuse("its first difference has names that are no names".to_owned());
    }
    let is_whole = *rows == shard.training.rows && rederived_equal == rows && *worlds_invalid == 0;
    if *differences == 0 && !is_whole {
        let all = shard.training.rows;
        return refuse(format!("no difference, but {rederived_equal} of {all} rows are equal"));
    }
    Ok(())
}
