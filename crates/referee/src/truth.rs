use game::{Ending, Hidden, IllegalAction, InvalidState, Observation, Seat, Stream, Turn};

/// One real game: its complete state, and what each seat has seen of it.
///
/// The state never leaves. Legal actions are given out for the seat to act, which knows them anyway.
pub struct Truth<G: Hidden> {
    rules: G,
    state: G::State,
    /// By seat.
    observations: Vec<Observation<G>>,
    plies: Vec<G::Action>,
}

impl<G: Hidden> Truth<G> {
    /// A game that starts from a set-up.
    pub fn new(rules: G, setup: &G::Setup) -> Truth<G> {
        let state = rules.initial(setup);
        Truth::begin(rules, state)
    }

    /// A game that starts from a position. Refuses a state that the rules can never reach.
    pub fn from_position(rules: G, state: G::State) -> Result<Truth<G>, InvalidState> {
        rules.validate(&state)?;
        Ok(Truth::begin(rules, state))
    }

    fn begin(rules: G, state: G::State) -> Truth<G> {
        let observations = (0..rules.n_seats())
            .map(|idx| {
                let seat = Seat::new(idx as u8);
                Observation::begin(seat, rules.now(&state, seat))
            })
            .collect();
        Truth { rules, state, observations, plies: Vec::new() }
    }

    pub fn rules(&self) -> &G {
        &self.rules
    }

    pub fn turn(&self) -> Turn {
        self.rules.turn(&self.state)
    }

    /// The legal actions of the seat to act; empty at a chance node and after the end.
    pub fn legal(&self) -> Vec<G::Action> {
        self.rules.legal(&self.state)
    }

    /// Plays an action of the seat to act, or a recorded chance outcome. Leaves the game as it was where the
    /// rules do not allow it.
    pub fn play(&mut self, action: G::Action) -> Result<(), IllegalAction> {
        let before = self.state.clone();
        self.rules.play(&mut self.state, action)?;
        for observation in &mut self.observations {
            let seat = observation.seat();
            let event = self.rules.event(&before, action, seat);
            observation.extend(event, self.rules.now(&self.state, seat));
        }
        self.plies.push(action);
        Ok(())
    }

    /// Draws an outcome at a chance node, plays it and returns it. The outcome is for the audit record only.
    ///
    /// # Panics
    /// When chance is not to act.
    pub fn draw(&mut self, stream: &mut Stream) -> G::Action {
        assert_eq!(self.turn(), Turn::Chance, "only chance draws");
        let outcome = self.rules.draw(&self.state, stream);
        self.play(outcome).expect("chance produces what the rules allow");
        outcome
    }

    /// Everything `seat` may know.
    pub fn observation(&self, seat: Seat) -> &Observation<G> {
        &self.observations[seat.idx()]
    }

    /// Everything that was played, chance outcomes included: for the audit record only.
    pub fn plies(&self) -> &[G::Action] {
        &self.plies
    }

    /// The set-up, which is public.
    pub fn setup(&self) -> G::Setup {
        self.rules.now_setup(self.observations[0].start())
    }

    /// The complete state, for planted leaks: the checks of the information boundary must catch whoever reads it.
    #[cfg(feature = "planted")]
    pub fn planted_state(&self) -> &G::State {
        &self.state
    }

    /// `Some` once the game is over.
    pub fn ending(&self) -> Option<Ending> {
        self.rules.ending(&self.state)
    }
}
