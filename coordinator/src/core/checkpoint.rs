//! A registered checkpoint. Once published it never changes (CK1).

use super::ids::CheckpointId;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checkpoint {
    pub id: CheckpointId,
    /// From 0, without gaps.
    pub generation: u32,
    /// Training steps up to it, over the whole run.
    pub step: u64,
    /// blake3 of the weights file, 64 hexadecimal digits.
    pub digest: String,
    /// Its folder, relative to the run's root.
    pub path: String,
    pub fingerprint: String,
    /// Why it may be played with; absent while it may not (CK2).
    pub promotion: Option<String>,
    pub registered_ms: u64,
}

impl Checkpoint {
    /// Whether two registrations describe the same thing, whenever they were made.
    pub fn is_same(&self, other: &Checkpoint) -> bool {
        self.id == other.id
            && self.generation == other.generation
            && self.step == other.step
            && self.digest == other.digest
            && self.path == other.path
            && self.fingerprint == other.fingerprint
    }
}
