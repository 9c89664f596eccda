//! The real program for War Chest: its belief, its search, and an evaluator that is a hash of what it is asked. The
//! planted leaks replace parts of it.

use audit::WorldRow;
use audit::lab::subject::HashedRequests;
use audit::lab::{
    Asked, Decided, Fields, Inferred, Known, Player, Recorded, Scene, Style, Subject,
};
use game::{Belief, Evaluator, Observation, Seat};
use search::{Pimc, SearchParams, SearchStreams, drive};
use warchest::check::hidden_fields;
use warchest::fixture::three_worlds;
use warchest::{ExactUniform, State, WarChest};

/// Games in which all kinds of decision come up.
pub const STYLE: Style<WarChest> =
    Style { play: hidden_fields::played, one_in: hidden_fields::one_in, window: 24 };

pub const FIELDS: Fields<WarChest> = Fields {
    kind: hidden_fields::kind,
    rare: hidden_fields::rare,
    differing: hidden_fields::differing,
};

/// The fixture in which white takes three hands for equally likely.
pub fn known() -> Known<WarChest> {
    let rules = WarChest::default();
    let [state, ..] = three_worlds(&rules);
    Known { rules, state, seat: Seat::FIRST, n_worlds: 3 }
}

/// Few simulations, with all that a self-play search draws at random.
pub fn params() -> SearchParams {
    SearchParams {
        simulations: 8,
        worlds: 2,
        noise_share: 0.25,
        temperature: 1.0,
        temperature_late: 1.0,
        prior_shaping: 1.0,
        ..SearchParams::BASE
    }
}

/// The program as it is.
pub struct Clean;

impl Subject<WarChest> for Clean {
    fn player(&self, rules: &WarChest) -> Box<dyn Player<WarChest>> {
        Box::new(Program::new(rules, ExactUniform, params(), self.evaluator(rules)))
    }

    fn evaluator(&self, rules: &WarChest) -> Box<dyn Evaluator<WarChest>> {
        Box::new(HashedRequests::new(rules))
    }
}

/// A seat's program: belief and search, caught up from decision to decision.
pub struct Program<B: Belief<WarChest>> {
    belief: B,
    posterior: Option<B::Posterior>,
    search: Pimc<WarChest, B>,
    evaluator: Box<dyn Evaluator<WarChest>>,
}

impl<B: Belief<WarChest>> Program<B> {
    pub fn new(
        rules: &WarChest,
        belief: B,
        params: SearchParams,
        evaluator: Box<dyn Evaluator<WarChest>>,
    ) -> Self {
        let search = Pimc::new(*rules, belief.clone(), params);
        Program { belief, posterior: None, search, evaluator }
    }

    pub fn decide_with(
        &mut self,
        rules: &WarChest,
        seen: &Observation<WarChest>,
        streams: SearchStreams,
    ) -> Result<Decided<WarChest>, String> {
        let mut evaluator = Recorded::new(rules, self.evaluator.as_mut());
        let decision = drive(&mut self.search, seen, streams, &mut evaluator)
            .map_err(|failure| failure.to_string())?;
        let asked: Asked = evaluator.asked();
        let worlds = decision.worlds.into_iter();
        Ok(Decided {
            actions: decision.actions,
            action_indices: decision.action_indices,
            visits: decision.visits,
            root_value: decision.root_value,
            belief_seed: decision.belief_seed,
            worlds: worlds
                .map(|world| WorldRow { simulations: world.simulations, n: world.n, q: world.q })
                .collect(),
            chosen_idx: decision.chosen_idx,
            words_drawn: self.search.words_drawn(),
            asked,
        })
    }
}

/// The streams of a decision, as a worker derives them.
pub fn streams(scene: &Scene<'_, WarChest>) -> SearchStreams {
    SearchStreams::at(scene.run_seed, scene.game, scene.ply)
}

impl<B: Belief<WarChest>> Player<WarChest> for Program<B> {
    fn infer(
        &mut self,
        scene: &Scene<'_, WarChest>,
        seen: &Observation<WarChest>,
    ) -> Result<Inferred, String> {
        let Program { belief, posterior, evaluator, .. } = self;
        let posterior = posterior.get_or_insert_with(|| belief.prior(scene.rules, seen));
        belief
            .catch_up_with(
                scene.rules,
                posterior,
                seen,
                &mut Recorded::new(scene.rules, evaluator.as_mut()),
            )
            .map_err(|error| error.to_string())?;
        Ok(Inferred {
            table: belief.posterior_bytes(scene.rules, posterior),
            support_len: belief.support_len(posterior),
        })
    }

    fn world(
        &mut self,
        scene: &Scene<'_, WarChest>,
        seen: &Observation<WarChest>,
        seed: u64,
    ) -> State {
        let posterior = self.posterior.as_ref().expect("worlds come after an inference");
        self.belief.world(scene.rules, posterior, seen, seed).into_state()
    }

    fn decide(
        &mut self,
        scene: &Scene<'_, WarChest>,
        live: &mut Observation<WarChest>,
    ) -> Result<Decided<WarChest>, String> {
        self.decide_with(scene.rules, live, streams(scene))
    }
}
