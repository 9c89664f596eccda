//! Commits: what is accepted, once; what is refused, with a counted reason.

use super::fault::{Fault, Reason};
use super::ids::{CheckpointId, LeaseKey, ShardId, WorkerId};
use super::input::Commit;
use super::job::{Job, JobKind, JobState};
use super::lease::{Fate, Lease};
use super::manifest::{Expected, Manifest};
use super::shard::{Part, Shard};
use super::{Answer, Change, Core, Decision};
use proto::{Code, WireError};

impl Core {
    pub(super) fn commit(&mut self, commit: Commit) -> Decision {
        if let Some(sequence) = self.state.commits.get(&commit.lease) {
            return self.repeated(*sequence, &commit);
        }
        let lease = self.held(&commit.worker, commit.lease)?.clone();
        if self.state.jobs.get(&lease.key.job).is_some_and(|it| it.kind() != JobKind::SelfPlay) {
            let text = format!("{} is a verification: it takes no samples", lease.key);
            return Err(WireError::about(Code::FailedPrecondition, lease.key, text));
        }
        match self.examine(&commit, &lease) {
            Ok((training, audit)) => Ok(self.accept(commit, lease, training, audit)),
            Err(fault) => {
                self.refuse(&commit.worker, commit.lease, fault.reason);
                Err(fault.into())
            }
        }
    }

    /// LS2: an exact repeat of an accepted commit is answered like the first; another commit under that lease is not.
    fn repeated(&self, sequence: u64, commit: &Commit) -> Decision {
        let same = self
            .state
            .shards
            .get(&sequence)
            .is_some_and(|it| it.commit_digest == commit.digest && it.worker == commit.worker);
        if same {
            return Ok(Answer::Committed { sequence, repeated: true });
        }
        let text = format!("{} was committed before with another digest", commit.lease);
        Err(WireError::about(Code::FailedPrecondition, commit.lease, text))
    }

    /// Everything about the content, in the order in which it is cheapest to say no.
    fn examine(&self, commit: &Commit, lease: &Lease) -> Result<(Manifest, Manifest), Fault> {
        let computed = proto::commit_digest(&commit.training_manifest, &commit.audit_manifest);
        if computed != commit.digest {
            let text = format!("digest of the manifests is {computed}, not {:?}", commit.digest);
            return Err(Fault::new(Reason::CommitDigest, text));
        }
        let training = Manifest::read("training", &commit.training_manifest)?;
        let audit = Manifest::read("audit", &commit.audit_manifest)?;
        let expected = Expected {
            run: &self.config.run,
            fingerprint: self.state.fingerprint.as_deref().unwrap_or_default(),
            lease: lease.key,
            checkpoint: &lease.checkpoint.0,
        };
        training.check(&expected)?;
        audit.check(&expected)?;
        self.check_games(commit, &training, &audit)?;
        let id = ShardId(training.shard.clone());
        if self.state.shard_ids.contains_key(&id) {
            let text = format!("shard id {id} already stands for an accepted shard");
            return Err(Fault::new(Reason::ShardId, text));
        }
        commit.objects.clone()?;
        Ok((training, audit))
    }

    fn check_games(
        &self,
        commit: &Commit,
        training: &Manifest,
        audit: &Manifest,
    ) -> Result<(), Fault> {
        let numbers = |text: String| Err(Fault::new(Reason::Numbers, text));
        let n_games = commit.games.len() as u64;
        if n_games == 0 || !commit.games.is_sorted_by(|a, b| a < b) {
            return numbers("the games of a commit are one or more, ascending".to_owned());
        }
        let leased = self.state.jobs.get(&commit.lease.job).map_or(&[][..], |job| &job.games);
        if let Some(game) = commit.games.iter().find(|it| leased.binary_search(it).is_err()) {
            return numbers(format!("game {game} is not one of job {}", commit.lease.job));
        }
        if audit.games != n_games {
            return numbers(format!("{} games in the audit shard of {n_games}", audit.games));
        }
        if training.games > n_games || training.truncated_games > audit.truncated_games {
            return numbers(format!(
                "{} games ({} truncated) in the training shard, {n_games} ({}) in the audit shard",
                training.games, training.truncated_games, audit.truncated_games
            ));
        }
        if training.rows > audit.rows {
            return numbers(format!(
                "{} training rows of {} audit rows; each training row is a ply of an audited game",
                training.rows, audit.rows
            ));
        }
        Ok(())
    }

    fn accept(
        &mut self,
        commit: Commit,
        lease: Lease,
        training: Manifest,
        audit: Manifest,
    ) -> Answer {
        let sequence = self.state.sequence() + 1;
        let n_games = commit.games.len() as u64;
        let left_out = self.left_out(&commit);
        self.record(Change::PutShard(Shard {
            sequence,
            lease: lease.key,
            worker: commit.worker.clone(),
            checkpoint: CheckpointId(training.checkpoint.clone()),
            commit_digest: commit.digest,
            fingerprint: training.fingerprint.clone(),
            n_games,
            training: part(training, commit.training_manifest),
            audit: part(audit, commit.audit_manifest),
            accepted_ms: self.now_ms,
        }));
        self.close(lease.key, Fate::Accepted { n_games });
        self.set_state(lease.key.job, JobState::Committed);
        if !left_out.is_empty() {
            self.record(Change::PutJob(Job {
                id: self.state.next_job(),
                games: left_out,
                verifies: None,
                state: JobState::Ready,
                attempts: 0,
                failures: 0,
                ready_at_ms: self.now_ms,
            }));
        }
        self.forgive(&commit.worker);
        self.recent.push_back((self.now_ms, n_games));
        Answer::Committed { sequence, repeated: false }
    }

    pub(super) fn refuse(&mut self, worker: &WorkerId, lease: LeaseKey, reason: Reason) {
        self.record(Change::CountRefusals { reason, n: 1 });
        self.close(lease, Fate::Rejected);
        self.hand_back(lease.job, true);
        self.strike(worker);
    }

    fn left_out(&self, commit: &Commit) -> Vec<u64> {
        let Some(job) = self.state.jobs.get(&commit.lease.job) else { return Vec::new() };
        let is_left_out = |game: &u64| commit.games.binary_search(game).is_err();
        job.games.iter().copied().filter(is_left_out).collect()
    }
}

fn part(manifest: Manifest, text: String) -> Part {
    Part {
        id: ShardId(manifest.shard),
        digest: manifest.digest,
        rows: manifest.rows,
        bytes: manifest.bytes,
        manifest: text,
    }
}
