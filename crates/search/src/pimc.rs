//! Perfect-information Monte Carlo over a belief: K worlds sampled at the root, one tree each, root visits summed.
//!
//! Its known fault is strategy fusion: inside a world a tree may act differently where the real player cannot tell
//! worlds apart. The other fault of the first published form, a future fixed at the root, is absent: draws are
//! chance nodes and no tree knows the order of a bag.

use crate::choice::choose;
use crate::merge::{even_split, merge_visits};
use crate::noise::mix_noise;
use crate::prior_shaping::prior_factor;
use crate::world_tree::{Common, Listing, WorldTree};
use crate::{Decision, SamplerFailure, Search, SearchParams, SearchStreams};
use game::{
    ActionSpace, Belief, EvalRequest, Evaluation, Observation, Seat, Stream, Tactical, Turn, belief,
};

/// The search of one seat in one game.
///
/// All worlds' roots are one information set of the real seat, so the network is asked about it once, the noise
/// is drawn once, and every tree starts from the same priors. That first question is not a simulation: the visits
/// of a decision sum to exactly `simulations`.
pub struct Pimc<G: ActionSpace + Tactical, B: Belief<G>> {
    rules: G,
    belief: B,
    params: SearchParams,
    /// What the seat can infer from its observation so far; caught up at every searched decision.
    posterior: Option<B::Posterior>,
    root: Option<Root<G>>,
    /// At least as many as this decision has worlds; the rest is spare memory.
    worlds: Vec<WorldTree<G>>,
    n_worlds: usize,
    listing: Listing<G::Action>,
    phase: Phase,
    /// How many evaluations `apply` must bring.
    n_asked: usize,
    words_drawn: u128,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// Before the first decision, and after each was fetched.
    Idle,
    /// The belief has questions.
    Belief,
    /// The root is to be evaluated.
    Root,
    /// Simulations run.
    Worlds,
    /// The decision can be fetched.
    Done,
}

/// The decision at hand.
struct Root<G: ActionSpace + Tactical> {
    setup: G::Setup,
    seat: Seat,
    now: G::Now,
    actions: Vec<G::Action>,
    action_indices: Vec<u16>,
    belief_seed: u64,
    temperature: f64,
    streams: SearchStreams,
    /// While the belief has questions: what it is to catch up with.
    observation: Option<Observation<G>>,
}

impl<G: ActionSpace + Tactical, B: Belief<G>> Pimc<G, B> {
    /// Panics if `params` is out of range: outside values go through [`SearchParams::check`] first.
    pub fn new(rules: G, belief: B, params: SearchParams) -> Self {
        params.check().expect("search parameters were checked when they were read");
        assert_eq!(rules.n_seats(), 2, "values are backed up for two players");
        Pimc {
            rules,
            belief,
            params,
            posterior: None,
            root: None,
            worlds: Vec::new(),
            n_worlds: 0,
            listing: Listing::new(),
            phase: Phase::Idle,
            n_asked: 0,
            words_drawn: 0,
        }
    }

    pub fn params(&self) -> &SearchParams {
        &self.params
    }

    /// What the last searched decision's belief held; `None` before the first.
    pub fn posterior(&self) -> Option<&B::Posterior> {
        self.posterior.as_ref()
    }

    /// How many hidden configurations the last searched decision's belief held; `None` before the first.
    pub fn support_len(&self) -> Option<usize> {
        self.posterior.as_ref().map(|posterior| self.belief.support_len(posterior))
    }

    /// Takes in what the seat saw since its last decision. False when the belief has questions first.
    fn catch_up(&mut self, observation: &Observation<G>) -> Result<bool, SamplerFailure> {
        let mut posterior = match self.posterior.take() {
            Some(posterior) => posterior,
            None => self.belief.prior(&self.rules, observation),
        };
        self.belief.catch_up(&self.rules, &mut posterior, observation)?;
        let is_done = self.belief.questions(&posterior).is_empty();
        self.posterior = Some(posterior);
        Ok(is_done)
    }

    /// How many random words the last decision that was fetched had drawn from its streams, those of its worlds
    /// included: like everything else about a decision it may depend on the observation and the seeds alone.
    pub fn words_drawn(&self) -> u128 {
        self.words_drawn
    }

    /// Samples the worlds of this decision and checks that each offers the real seat's actions.
    fn sample_worlds(
        &mut self,
        observation: &Observation<G>,
        root: &mut Root<G>,
    ) -> Result<(), SamplerFailure> {
        let posterior = self.posterior.as_ref().expect("the belief has caught up");
        let chance = &mut root.streams.worlds;
        let belief_seed = root.belief_seed;
        let mut legal = Vec::new();
        let _ = self.rules.now_actions(observation.now(), &mut legal);
        let seeds = belief::world_seeds(belief_seed, self.params.worlds as usize);
        let budgets = even_split(self.params.simulations, self.params.worlds);
        for (world_idx, (seed, budget)) in seeds.zip(budgets).enumerate() {
            let world = self.belief.world(&self.rules, posterior, observation, seed);
            let state = world.into_state();
            let stream = Stream::from_seed(chance.next_u64());
            match self.worlds.get_mut(world_idx) {
                Some(tree) => tree.restart(state, stream, budget),
                None => self.worlds.push(WorldTree::new(state, stream, budget)),
            }
            let offered = self.rules.legal(self.worlds[world_idx].state());
            if offered != legal {
                return Err(SamplerFailure::OtherActions {
                    world_idx: world_idx as u32,
                    n_real: legal.len(),
                    n_world: offered.len(),
                });
            }
        }
        self.n_worlds = self.params.worlds as usize;
        Ok(())
    }

    /// The belief's questions, or, once it has none left, the worlds.
    fn ask_for_belief(&mut self, out: &mut Vec<EvalRequest<G>>) -> Result<(), SamplerFailure> {
        let mut root = self.root.take().expect("a decision has begun");
        let observation = root.observation.take().expect("the belief has not caught up");
        if self.catch_up(&observation)? {
            self.sample_worlds(&observation, &mut root)?;
            self.phase = Phase::Root;
        } else {
            let posterior = self.posterior.as_ref().expect("it has just asked");
            out.extend_from_slice(self.belief.questions(posterior));
            root.observation = Some(observation);
        }
        self.root = Some(root);
        Ok(())
    }

    /// Shapes and disturbs the network's priors at the root, and starts every tree from them.
    fn plant(&mut self, evaluation: &Evaluation) {
        let root = self.root.as_mut().expect("a decision has begun");
        let mut priors = evaluation.priors.clone();
        assert_eq!(priors.len(), root.actions.len(), "one prior for each action");
        if self.params.prior_shaping > 0.0 {
            for (prior, &action) in priors.iter_mut().zip(&root.actions) {
                let appeal = self.rules.appeal(&root.now, action);
                *prior *= prior_factor(appeal, self.params.prior_shaping);
            }
        }
        let sum: f32 = priors.iter().sum();
        if sum > 0.0 {
            priors.iter_mut().for_each(|prior| *prior /= sum);
        }
        let SearchParams { noise_total, noise_share, .. } = self.params;
        mix_noise(&mut priors, noise_total, noise_share, &mut root.streams.noise);
        for world in &mut self.worlds[..self.n_worlds] {
            world.plant(root.seat, &root.actions, &priors, f64::from(evaluation.value));
        }
    }

    fn finish_if_done(&mut self) {
        if self.worlds[..self.n_worlds].iter().all(WorldTree::is_done) {
            self.phase = Phase::Done;
        }
    }
}

impl<G: ActionSpace + Tactical, B: Belief<G>> Search<G> for Pimc<G, B> {
    fn begin(
        &mut self,
        observation: &Observation<G>,
        mut streams: SearchStreams,
    ) -> Result<(), SamplerFailure> {
        let now = observation.now();
        let seat = observation.seat();
        let turn = self.rules.now_turn(now);
        assert_eq!(turn, Turn::Seat(seat), "a search decides for the seat to act");
        self.phase = Phase::Idle;
        self.n_asked = 0;
        self.n_worlds = 0;

        let mut legal = Vec::new();
        let _ = self.rules.now_actions(now, &mut legal);
        assert!(!legal.is_empty(), "the seat to act has a legal action");
        // Nothing to decide, nothing to search; the belief catches up at the next decision.
        let belief_seed = if legal.len() == 1 { 0 } else { streams.worlds.next_u64() };
        let setup = self.rules.now_setup(now);
        let mut by_index: Vec<(u16, G::Action)> = legal
            .iter()
            .map(|&action| (self.rules.action_index(&setup, seat, action), action))
            .collect();
        by_index.sort_unstable_by_key(|(index, _)| *index);
        let mut root = Root {
            setup,
            seat,
            now: now.clone(),
            actions: by_index.iter().map(|(_, action)| *action).collect(),
            action_indices: by_index.iter().map(|(index, _)| *index).collect(),
            belief_seed,
            temperature: self.params.temperature_at(observation.events().len() as u32),
            streams,
            observation: None,
        };
        self.phase = if legal.len() == 1 {
            Phase::Done
        } else if self.catch_up(observation)? {
            self.sample_worlds(observation, &mut root)?;
            Phase::Root
        } else {
            root.observation = Some(observation.clone());
            Phase::Belief
        };
        self.root = Some(root);
        Ok(())
    }

    fn new_game(&mut self) {
        self.posterior = None;
        self.root = None;
        self.phase = Phase::Idle;
        self.n_asked = 0;
        self.n_worlds = 0;
    }

    fn gather(&mut self, out: &mut Vec<EvalRequest<G>>) -> Result<usize, SamplerFailure> {
        assert_eq!(self.n_asked, 0, "the last requests were not answered");
        let n_before = out.len();
        if self.phase == Phase::Belief {
            self.ask_for_belief(out)?;
        }
        match (self.phase, &self.root) {
            (Phase::Root, Some(root)) => out
                .push(EvalRequest { now: root.now.clone(), actions: root.action_indices.clone() }),
            (Phase::Worlds, Some(root)) => {
                let common =
                    Common { rules: &self.rules, params: &self.params, setup: &root.setup };
                for world in &mut self.worlds[..self.n_worlds] {
                    world.gather(&common, &mut self.listing, out);
                }
                self.finish_if_done();
            }
            _ => {}
        }
        self.n_asked = out.len() - n_before;
        Ok(self.n_asked)
    }

    fn apply(&mut self, evaluations: &[Evaluation]) {
        assert_eq!(evaluations.len(), self.n_asked, "one evaluation for each request");
        self.n_asked = 0;
        match self.phase {
            Phase::Belief => {
                let posterior = self.posterior.as_mut().expect("it has asked");
                self.belief.answer(posterior, evaluations);
            }
            Phase::Root => {
                self.plant(&evaluations[0]);
                self.phase = Phase::Worlds;
            }
            Phase::Worlds => {
                let mut evaluations = evaluations.iter();
                for world in &mut self.worlds[..self.n_worlds] {
                    world.apply(&mut evaluations);
                }
                self.finish_if_done();
            }
            Phase::Idle | Phase::Done => {}
        }
    }

    fn is_done(&self) -> bool {
        self.phase == Phase::Done
    }

    fn decision(&mut self) -> Decision<G> {
        assert_eq!(self.phase, Phase::Done, "the search has not ended");
        self.phase = Phase::Idle;
        let mut root = self.root.take().expect("a decision has begun");
        let worlds: Vec<_> = self.worlds[..self.n_worlds]
            .iter()
            .enumerate()
            .map(|(world_idx, world)| world.report(world_idx as u32))
            .collect();
        let merged = merge_visits(root.actions.len(), &worlds);
        let chosen_idx = match root.actions.len() {
            1 => 0,
            _ => choose(&merged.visits, root.temperature, &mut root.streams.temperature),
        };
        let SearchStreams { noise, temperature, worlds: of_worlds } = &root.streams;
        let of_root = [noise, temperature, of_worlds].map(Stream::words_drawn).iter().sum::<u128>();
        let in_worlds = self.worlds[..self.n_worlds].iter().map(WorldTree::words_drawn);
        self.words_drawn = of_root + in_worlds.sum::<u128>();
        Decision {
            actions: root.actions,
            action_indices: root.action_indices,
            visits: merged.visits,
            root_value: merged.value,
            belief_seed: root.belief_seed,
            worlds,
            chosen_idx,
        }
    }
}
