//! The coordinator's process: the real core over a store that survives it. It can die before its changes are stored, or
//! after that and before it has answered.

use super::dice::Dice;
use crate::core::{Config, Core, Effects, Input, State, invariant};
use crate::store::{Kind, MemoryStore, Store};

/// Where a process dies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Death {
    BeforeStore,
    AfterStore,
}

pub struct Host {
    config: Config,
    store: MemoryStore,
    core: Option<Core>,
    /// The state as it was stored last.
    stored: State,
    /// Difference between the process's clock and the simulation's, as it is since the last start.
    clock_skew_ms: u64,
}

impl Host {
    pub fn start(config: Config) -> Host {
        let core = Some(Core::new(config.clone(), &[], 0));
        let (store, stored) = (MemoryStore::default(), State::default());
        Host { config, store, core, stored, clock_skew_ms: 0 }
    }

    /// Whether an accepted commit waits for a verdict that may still come.
    pub fn is_verifying(&self) -> bool {
        self.core.as_ref().is_some_and(Core::is_verifying)
    }

    /// The manifests that training may read, as the keeper would list them.
    pub fn window(&mut self) -> Vec<(u64, String)> {
        let through = self.core.as_ref().map_or(0, Core::window);
        let all = self.store.manifests(Kind::Training, 1, usize::MAX).unwrap();
        all.into_iter().filter(|(sequence, _)| *sequence <= through).collect()
    }

    pub fn is_up(&self) -> bool {
        self.core.is_some()
    }

    /// What the world may rely on: stored, whatever becomes of the process.
    pub fn stored(&self) -> &State {
        &self.stored
    }

    /// Takes one input and stores its changes; `None` if the process died and nobody gets an answer.
    pub fn step(&mut self, now_ms: u64, input: Input, death: Option<Death>) -> Option<Effects> {
        let core = self.core.as_mut()?;
        let effects = core.step(now_ms + self.clock_skew_ms, input);
        if death == Some(Death::BeforeStore) {
            self.core = None;
            return None;
        }
        self.store.apply(&effects.changes).unwrap();
        if !effects.changes.is_empty() {
            let state = core.state();
            check(invariant::check(state));
            check(invariant::check_growth(&self.stored, state));
            for change in &effects.changes {
                self.stored.apply(change);
            }
            assert_eq!(self.stored, *state, "memory and store disagree");
        }
        if death == Some(Death::AfterStore) {
            self.core = None;
            return None;
        }
        Some(effects)
    }

    pub fn kill(&mut self) {
        self.core = None;
    }

    /// Comes back from the store, with a clock that may have been set meanwhile.
    pub fn restart(&mut self, now_ms: u64, dice: &mut Dice) {
        if dice.chance(300) {
            self.clock_skew_ms = dice.below(7_200_000);
        }
        let stored = self.store.load().unwrap();
        let core = Core::new(self.config.clone(), &stored, now_ms + self.clock_skew_ms);
        assert_eq!(*core.state(), self.stored, "the store gives back another state");
        self.core = Some(core);
    }
}

fn check(held: Result<(), invariant::Broken>) {
    if let Err(broken) = held {
        panic!("{broken}");
    }
}
