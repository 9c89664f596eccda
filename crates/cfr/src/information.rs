//! Which situations a seat plays alike.

use game::{Hidden, Observation};

/// The information a strategy may depend on. Equal keys of one seat are one information set.
///
/// A key that says less than the observation is an abstraction. It must still fix the seat's legal actions and its
/// own past decisions: [`compile`](crate::compile()) refuses one that does not.
pub trait Information<G: Hidden> {
    /// Appends what the observer's decisions may depend on.
    fn write_key(&self, rules: &G, observation: &Observation<G>, out: &mut Vec<u8>);
}

/// Everything that the seat has observed.
#[derive(Clone, Copy, Debug)]
pub struct Everything;

impl<G: Hidden> Information<G> for Everything {
    fn write_key(&self, rules: &G, observation: &Observation<G>, out: &mut Vec<u8>) {
        out.extend_from_slice(&observation.bytes(rules));
    }
}
