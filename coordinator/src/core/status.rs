//! What runs, for people and for `muster status`.

use super::{Answer, AuditState, Core, Job, JobKind, JobState, RoleReport, Status};

/// The role that verifies.
const AUDITOR: &str = "auditor";
/// How long a role that says nothing counts as there.
const ROLE_MS_MAX: u64 = 30_000;
/// How long a role's next report is waited for, so that it hears of the end.
const UNTOLD_MS_MAX: u64 = 4_000;
/// Roles remembered at most; a client that invents names cannot fill the memory.
const ROLES_MAX: usize = 10_000;
/// Over how long the rate of games is taken, at most and at least.
const RATE_MS: u64 = 600_000;
const SPAN_MS_MIN: u64 = 10_000;

/// A role's last report.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Role {
    report: RoleReport,
    seen_ms: u64,
    /// The answer to it said that the run ends.
    is_told: bool,
}

impl Core {
    pub(super) fn report(&mut self, report: RoleReport) -> Answer {
        let now_ms = self.now_ms;
        self.roles.retain(|_, role| now_ms.saturating_sub(role.seen_ms) <= ROLE_MS_MAX);
        let kind = if report.role == AUDITOR { JobKind::Verify } else { JobKind::SelfPlay };
        let drain = self.ending(kind).is_some();
        let key = (report.role.clone(), report.id.clone());
        if self.roles.len() < ROLES_MAX || self.roles.contains_key(&key) {
            self.roles.insert(key, Role { report, seen_ms: now_ms, is_told: drain });
        }
        Answer::Reported { drain, generation: self.state.promoted().map(|it| it.generation) }
    }

    /// Roles that are there and have not been told yet that the run ends. They report every two seconds.
    pub(super) fn untold_roles(&self) -> u64 {
        let is_there = |role: &&Role| self.now_ms.saturating_sub(role.seen_ms) <= UNTOLD_MS_MAX;
        self.roles.values().filter(|role| !role.is_told).filter(is_there).count() as u64
    }

    pub(super) fn status(&mut self) -> Status {
        let now_ms = self.now_ms;
        let age_ms = |since: u64| now_ms.saturating_sub(since);
        let roles = self
            .roles
            .values()
            .filter(|role| age_ms(role.seen_ms) <= ROLE_MS_MAX)
            .map(|role| (role.report.clone(), age_ms(role.seen_ms)))
            .collect();
        let games_per_hour = self.games_per_hour();
        let state = &self.state;
        let checkpoint = state.promoted().cloned();
        // A verification that was tried again under another job is parked no more.
        let is_newest = |job: &Job| {
            job.verifies.is_none_or(|it| {
                state.unverified.contains(&it) && state.verifications.get(&it) == Some(&job.id)
            })
        };
        let parked =
            state.jobs.values().filter(|job| job.state == JobState::Parked && is_newest(job));
        Status {
            roles,
            games_per_hour,
            weight_age_ms: checkpoint.as_ref().map_or(0, |it| age_ms(it.registered_ms)),
            checkpoint,
            open_leases: state.leases.len() as u64,
            refusals: state.refusals.clone(),
            totals: state.totals,
            parked: parked.map(|job| job.id).collect(),
            lease_ledger: state.lease_ledger,
            game_ledger: state.game_ledger,
            sequence: state.sequence(),
            draining: self.draining.is_some(),
            audit: self.audit_state(),
        }
    }

    fn audit_state(&self) -> AuditState {
        let state = &self.state;
        let verified = state.verdicts.values().filter(|verdict| verdict.is_good()).count() as u64;
        let first = state.first_failure.and_then(|sequence| state.verdicts.get(&sequence));
        let given_up = state.unverified.iter().filter(|it| self.is_given_up(**it));
        AuditState {
            admission: self.config.admission,
            verified,
            waiting: state.unverified.len() as u64,
            failed: state.verdicts.len() as u64 - verified,
            parked: given_up.count() as u64,
            window: self.window(),
            first_failure: first.map(|verdict| {
                let findings = &verdict.report.findings;
                let shard = verdict.report.shard.clone();
                (verdict.sequence, shard, findings.differences, findings.first.clone())
            }),
        }
    }

    fn games_per_hour(&mut self) -> f64 {
        let since_ms = self.now_ms.saturating_sub(RATE_MS);
        while self.recent.front().is_some_and(|(at_ms, _)| *at_ms < since_ms) {
            self.recent.pop_front();
        }
        let first_ms = self.state.checkpoints.get(&0).map_or(self.now_ms, |it| it.registered_ms);
        let began_ms = self.started_ms.max(first_ms).max(since_ms);
        let span_ms = self.now_ms.saturating_sub(began_ms).max(SPAN_MS_MIN);
        let games: u64 = self.recent.iter().map(|(_, games)| games).sum();
        games as f64 * 3_600_000.0 / span_ms as f64
    }
}
