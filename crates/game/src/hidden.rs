//! L2: what each seat may know.
//!
//! | word | who may hold it |
//! |---|---|
//! | `State` of the real game | referee, audit |
//! | `Now`, `Event`, [`Observation`](crate::Observation) | search, network, training, a person |

use crate::{ActionSink, Chance, Seat, Turn};
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::ControlFlow;

/// Bytes that are not the canonical form of anything.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{what} does not decode: {reason}")]
pub struct DecodeError {
    pub what: &'static str,
    pub reason: String,
}

pub trait Hidden: Chance {
    /// Everything one seat may know at this moment except the history: an allow-list of fixed size.
    type Now: Clone + Eq + Hash + Debug + Send + Sync;
    /// One ply as one seat sees it: what that seat may not know is absent.
    type Event: Clone + Eq + Hash + Debug + Send + Sync;

    /// The allow-list, name and version, e.g. `observation-v1`.
    const OBSERVATION: &'static str;

    /// What `seat` may know in `state`. Two states that `seat` cannot tell apart give equal values.
    fn now(&self, state: &Self::State, seat: Seat) -> Self::Now;

    /// What `seat` sees of `action`, played in `before`.
    fn event(&self, before: &Self::State, action: Self::Action, seat: Seat) -> Self::Event;

    /// The seat whose knowledge this is.
    fn now_observer(&self, now: &Self::Now) -> Seat;

    /// Who acts, as the observer knows.
    fn now_turn(&self, now: &Self::Now) -> Turn;

    /// The set-up, which is public: exact before the first ply; later what decides action numbers (the armies)
    /// is exact.
    fn now_setup(&self, now: &Self::Now) -> Self::Setup;

    /// The observer's legal actions, from its own knowledge alone: the same actions in the same order as
    /// [`Rules::actions`](crate::Rules::actions) gives in any state with this `now`. Nothing when the observer is
    /// not to act.
    fn now_actions(
        &self,
        now: &Self::Now,
        sink: &mut impl ActionSink<Self::Action>,
    ) -> ControlFlow<()>;

    /// Appends the one canonical byte form (always [`Hidden::now_len`] bytes).
    fn write_now(&self, now: &Self::Now, out: &mut Vec<u8>);
    fn now_len(&self) -> usize;
    /// Reads back exactly what `write_now` wrote; anything else is an error, and so is a value that no state has.
    fn read_now(&self, bytes: &[u8]) -> Result<Self::Now, DecodeError>;

    /// Appends the one canonical byte form of an event; self-delimiting.
    fn write_event(&self, event: &Self::Event, out: &mut Vec<u8>);
}

/// A second truth, by a route that shares nothing with any belief or sampler: hidden things are permuted, the
/// recorded game is replayed through the rules, and the result is kept only if `seat` saw the same at every ply.
pub trait SecondTruth: Hidden {
    /// Another game (its plies, chance outcomes included) after which `seat` has the same observation, or `None`
    /// where none was found. The same stream gives the same answer. The list has the length of `plies`.
    fn second_truth(
        &self,
        start: &Self::State,
        plies: &[Self::Action],
        seat: Seat,
        stream: &mut crate::Stream,
    ) -> Option<SecondPast<Self>>;
}

/// The other game that [`SecondTruth`] found.
pub struct SecondPast<G: Hidden> {
    pub start: G::State,
    pub plies: Vec<G::Action>,
}
