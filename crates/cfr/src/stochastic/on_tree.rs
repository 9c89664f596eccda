//! Between a compiled game and the game itself: policies that play by observations, and observations for sets.

use super::player::{ActionModel, ObservingPlayer, StochasticPlayer, legal_actions};
use crate::information::Information;
use crate::policy::{Policy, place_at};
use crate::tree::Tree;
use game::{Hidden, Observation, Seat, Stream, Turn};
use std::collections::HashMap;

/// Plays a policy of a compiled game: by the number of a set, or by what the seat has observed.
pub struct PolicyPlayer<'t, I> {
    tree: &'t Tree,
    policy: Policy,
    information: I,
    numbers: HashMap<(Seat, &'t [u8]), u32>,
}

impl<'t, I> PolicyPlayer<'t, I> {
    /// `information` is what the tree was compiled with.
    pub fn new(tree: &'t Tree, policy: Policy, information: I) -> PolicyPlayer<'t, I> {
        let sets = tree.information_sets().iter().enumerate();
        let numbers = sets.map(|(number, set)| ((set.seat, set.key.as_slice()), number as u32));
        PolicyPlayer { tree, policy, information, numbers: numbers.collect() }
    }

    fn row(&self, set: usize) -> &[f64] {
        &self.policy.probabilities()[self.tree.information_sets()[set].entries()]
    }

    /// The set of what a seat observed: it must be to act in the game that the tree was compiled from.
    fn row_of<G: Hidden>(&self, rules: &G, observation: &Observation<G>) -> &[f64]
    where
        I: Information<G>,
    {
        let mut key = Vec::new();
        self.information.write_key(rules, observation, &mut key);
        let number = self.numbers.get(&(observation.seat(), key.as_slice()));
        self.row(*number.expect("the tree has a set for everything its game can show") as usize)
    }
}

impl<I> StochasticPlayer for PolicyPlayer<'_, I> {
    fn act(&mut self, _: &Tree, set: usize, stream: &mut Stream) -> usize {
        place_at(self.row(set).iter().copied(), stream.unit())
    }
}

impl<G: Hidden, I: Information<G>> ObservingPlayer<G> for PolicyPlayer<'_, I> {
    fn act(&mut self, rules: &G, observation: &Observation<G>, stream: &mut Stream) -> G::Action {
        let row = self.row_of(rules, observation);
        legal_actions(rules, observation)[place_at(row.iter().copied(), stream.unit())]
    }
}

impl<G: Hidden, I: Information<G>> ActionModel<G> for PolicyPlayer<'_, I> {
    fn probabilities(
        &mut self,
        rules: &G,
        observation: &Observation<G>,
        _: &[G::Action],
        _: &mut Stream,
    ) -> Vec<f64> {
        self.row_of(rules, observation).to_vec()
    }
}

/// One observation for every information set of a tree, so that a player that wants observations can be asked in all
/// of them. A set of an abstraction has many: it stands for the first that was met.
pub struct ObservedSets<'r, G: Hidden, P> {
    rules: &'r G,
    player: P,
    observations: Vec<Observation<G>>,
}

impl<'r, G: Hidden, P: ObservingPlayer<G>> ObservedSets<'r, G, P> {
    /// `tree` was compiled from `rules` and `setup`.
    pub fn new(rules: &'r G, setup: &G::Setup, tree: &Tree, player: P) -> ObservedSets<'r, G, P> {
        let sets = tree.information_sets().iter();
        let observations =
            sets.map(|set| observe(rules, setup, tree, set.first_node as usize, set.seat));
        ObservedSets { rules, player, observations: observations.collect() }
    }

    pub fn observation(&self, set: usize) -> &Observation<G> {
        &self.observations[set]
    }
}

impl<G: Hidden, P: ObservingPlayer<G>> StochasticPlayer for ObservedSets<'_, G, P> {
    /// The number of actions where the player's answer is not legal, which no set has a place for.
    fn act(&mut self, _: &Tree, set: usize, stream: &mut Stream) -> usize {
        let observation = &self.observations[set];
        let taken = self.player.act(self.rules, observation, stream);
        let legal = legal_actions(self.rules, observation);
        legal.iter().position(|action| *action == taken).unwrap_or(legal.len())
    }
}

/// What `seat` has observed at a node: the game is played again up to there.
fn observe<G: Hidden>(
    rules: &G,
    setup: &G::Setup,
    tree: &Tree,
    node: usize,
    seat: Seat,
) -> Observation<G> {
    let mut path = vec![node];
    while let Some(&last) = path.last().filter(|last| tree.parent(**last) != **last) {
        path.push(tree.parent(last));
    }
    path.reverse();
    let mut state = rules.initial(setup);
    let mut observation = Observation::begin(seat, rules.now(&state, seat));
    for step in path.windows(2) {
        let place = step[1] - tree.children(step[0]).start;
        let action = if rules.turn(&state) == Turn::Chance {
            let mut outcomes = Vec::new();
            rules.outcomes(&state, &mut |action, _| outcomes.push(action));
            outcomes[place]
        } else {
            rules.legal(&state)[place]
        };
        let event = rules.event(&state, action, seat);
        rules.apply(&mut state, action);
        observation.extend(event, rules.now(&state, seat));
    }
    observation
}
