//! Checkpoints: registered once, in order, never changed.

use super::{Answer, Change, Checkpoint, Core, Decision, is_digest, is_name, is_relative_path};
use proto::{Code, WireError};

/// The decision that stands beside a checkpoint promoted by publishing it.
const GATE_NONE: &str = "gate = none: publishing promotes";

impl Core {
    /// Registers a checkpoint whose files the store holds, and promotes it. The first one fixes the run's fingerprint
    /// unless the run was created with one (RV1).
    pub(super) fn register(&mut self, mut checkpoint: Checkpoint) -> Decision {
        if let Some(known) = self.known(&checkpoint) {
            return match known {
                known if known.is_same(&checkpoint) => {
                    Ok(Answer::Registered { checkpoint: known.clone(), repeated: true })
                }
                known => {
                    let text = format!(
                        "checkpoint {} of generation {} is registered already and never changes; \
                         {} of generation {} is another one",
                        known.id, known.generation, checkpoint.id, checkpoint.generation
                    );
                    Err(WireError::about(Code::FailedPrecondition, &known.id, text))
                }
            };
        }
        self.check_new(&checkpoint)?;
        checkpoint.promotion = Some(GATE_NONE.to_owned());
        checkpoint.registered_ms = self.now_ms;
        if self.state.fingerprint.is_none() {
            self.record(Change::FixFingerprint(checkpoint.fingerprint.clone()));
        }
        self.record(Change::PutCheckpoint(checkpoint.clone()));
        Ok(Answer::Registered { checkpoint, repeated: false })
    }

    /// A registered checkpoint with the same id or the same generation.
    fn known(&self, checkpoint: &Checkpoint) -> Option<&Checkpoint> {
        let all = &self.state.checkpoints;
        all.values().find(|it| it.id == checkpoint.id).or(all.get(&checkpoint.generation))
    }

    fn check_new(&self, checkpoint: &Checkpoint) -> Result<(), WireError> {
        let refuse = |code, text: String| Err(WireError::about(code, &checkpoint.id, text));
        let id = &checkpoint.id.0;
        if !is_name(id) || id.len() > proto::limits::ID_BYTES_MAX {
            return refuse(Code::FailedPrecondition, format!("checkpoint id {id:?} is no name"));
        }
        if !is_digest(&checkpoint.digest) || !is_digest(&checkpoint.fingerprint) {
            let text = format!("checkpoint {id}: digest and fingerprint are 64 hex digits each");
            return refuse(Code::FailedPrecondition, text);
        }
        if !is_relative_path(&checkpoint.path) {
            let text = format!("checkpoint {id}: {:?} is no relative path", checkpoint.path);
            return refuse(Code::FailedPrecondition, text);
        }
        let newest = self.state.checkpoints.last_key_value().map(|(_, it)| it);
        let next = newest.map_or(0, |it| it.generation + 1);
        if checkpoint.generation != next || newest.is_some_and(|it| checkpoint.step < it.step) {
            let text = format!(
                "checkpoint {id} has generation {} and step {}; the next has generation {next} and \
                 at least step {}",
                checkpoint.generation,
                checkpoint.step,
                newest.map_or(0, |it| it.step)
            );
            return refuse(Code::FailedPrecondition, text);
        }
        let fixed = self.state.fingerprint.as_ref().or(self.config.fingerprint.as_ref());
        match fixed {
            Some(fixed) if *fixed != checkpoint.fingerprint => refuse(
                Code::SchemaMismatch,
                format!(
                    "checkpoint {id} has fingerprint {}; the run has {fixed}: start another run for \
                     other rules, features or options",
                    checkpoint.fingerprint
                ),
            ),
            _ => Ok(()),
        }
    }
}
