//! Games in which every seat sees everything. They are games with hidden information that hide nothing: what a seat
//! knows is the position, the only world that fits it is the position, and no second truth exists.

use crate::{
    ActionSink, Belief, Chance, Contradiction, DecodeError, Hidden, ModelFree, Observation, Rules,
    Seat, SecondPast, SecondTruth, Stream, Turn, World,
};
use std::hash::Hash;
use std::ops::ControlFlow;

/// A game without secrets. It is [`Hidden`] and [`SecondTruth`] by this alone, and [`Certain`] is its belief.
pub trait Open: Chance + Rules<State: Hash, Setup: Hash> {
    /// The name and version of the byte form of a position, e.g. `position-v1`.
    const POSITION: &'static str;

    /// The set-up that this position began with, as far as it decides action numbers.
    fn setup_of(&self, state: &Self::State) -> Self::Setup;

    /// Appends the one canonical byte form of a position (always [`Open::state_len`] bytes).
    fn write_state(&self, state: &Self::State, out: &mut Vec<u8>);
    fn state_len(&self) -> usize;
    /// Reads back exactly what `write_state` wrote, and validates it.
    fn read_state(&self, bytes: &[u8]) -> Result<Self::State, DecodeError>;

    /// Appends the one canonical byte form of an action; self-delimiting.
    fn write_action(&self, action: Self::Action, out: &mut Vec<u8>);
}

/// A position as one seat sees it: all of it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Seen<S> {
    pub observer: Seat,
    pub state: S,
}

impl<G: Open> Hidden for G {
    type Now = Seen<G::State>;
    type Event = G::Action;

    const OBSERVATION: &'static str = G::POSITION;

    fn now(&self, state: &G::State, seat: Seat) -> Seen<G::State> {
        Seen { observer: seat, state: state.clone() }
    }

    fn event(&self, _: &G::State, action: G::Action, _: Seat) -> G::Action {
        action
    }

    fn now_observer(&self, now: &Self::Now) -> Seat {
        now.observer
    }

    fn now_turn(&self, now: &Self::Now) -> Turn {
        self.turn(&now.state)
    }

    fn now_setup(&self, now: &Self::Now) -> G::Setup {
        self.setup_of(&now.state)
    }

    fn now_actions(
        &self,
        now: &Self::Now,
        sink: &mut impl ActionSink<G::Action>,
    ) -> ControlFlow<()> {
        if self.turn(&now.state) != Turn::Seat(now.observer) {
            return ControlFlow::Continue(());
        }
        self.actions(&now.state, sink)
    }

    fn write_now(&self, now: &Self::Now, out: &mut Vec<u8>) {
        out.push(now.observer.idx() as u8);
        self.write_state(&now.state, out);
    }

    fn now_len(&self) -> usize {
        1 + self.state_len()
    }

    fn read_now(&self, bytes: &[u8]) -> Result<Self::Now, DecodeError> {
        let what = G::POSITION;
        let Some((&observer, state)) = bytes.split_first() else {
            return Err(DecodeError { what, reason: "there are no bytes".to_owned() });
        };
        if usize::from(observer) >= self.n_seats() {
            let reason = format!("seat {observer} of {}", self.n_seats());
            return Err(DecodeError { what, reason });
        }
        Ok(Seen { observer: Seat::new(observer), state: self.read_state(state)? })
    }

    fn write_event(&self, event: &G::Action, out: &mut Vec<u8>) {
        self.write_action(*event, out);
    }
}

impl<G: Open> SecondTruth for G {
    /// There is none: whoever saw the same played the same.
    fn second_truth(
        &self,
        _: &G::State,
        _: &[G::Action],
        _: Seat,
        _: &mut Stream,
    ) -> Option<SecondPast<G>> {
        None
    }
}

/// The belief of a game without secrets: the position itself has all the weight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Certain;

impl<G: Open> Belief<G> for Certain {
    type Posterior = Seen<G::State>;

    fn name(&self) -> String {
        "certain".to_owned()
    }

    fn prior(&self, _: &G, observation: &Observation<G>) -> Self::Posterior {
        observation.start().clone()
    }

    fn catch_up(
        &self,
        _: &G,
        posterior: &mut Self::Posterior,
        observation: &Observation<G>,
    ) -> Result<(), Contradiction> {
        posterior.clone_from(observation.now());
        Ok(())
    }

    fn support_len(&self, _: &Self::Posterior) -> usize {
        1
    }

    fn posterior_bytes(&self, rules: &G, posterior: &Self::Posterior) -> Vec<u8> {
        let mut bytes = Vec::new();
        rules.write_now(posterior, &mut bytes);
        bytes
    }

    fn log_weight(&self, _: &G, posterior: &Self::Posterior, _: Seat, state: &G::State) -> f64 {
        if posterior.state == *state { 0.0 } else { f64::NEG_INFINITY }
    }

    fn world(&self, _: &G, posterior: &Self::Posterior, _: &Observation<G>, _: u64) -> World<G> {
        World::sampled(posterior.state.clone())
    }

    fn all_worlds(
        &self,
        _: &G,
        posterior: &Self::Posterior,
        _: &Observation<G>,
    ) -> Vec<(World<G>, f64)> {
        vec![(World::sampled(posterior.state.clone()), 0.0)]
    }
}

impl<G: Open> ModelFree<G> for Certain {}
