//! Players that can be asked for an action, and no more.

use crate::tree::Tree;
use game::{Hidden, Observation, Stream};

/// A player of a compiled game: asked again in the same situation it may answer differently.
pub trait StochasticPlayer {
    /// The place of the action that it takes in information set `set`, in the order of [`Tree::actions`]. What it may
    /// know is the set's key and label; all its randomness comes from `stream`.
    fn act(&mut self, tree: &Tree, set: usize, stream: &mut Stream) -> usize;
}

/// A player that is asked as in a real game: by what its seat has observed.
pub trait ObservingPlayer<G: Hidden> {
    /// One of the observer's legal actions. The observer is to act; all randomness comes from `stream`.
    fn act(&mut self, rules: &G, observation: &Observation<G>, stream: &mut Stream) -> G::Action;
}

/// How likely a player takes each of its actions: exact where its policy is known, else a guess. A guess that is wrong
/// makes a response weaker and never invalid.
pub trait ActionModel<G: Hidden> {
    /// One probability an action of `legal`, the observer's legal actions in the order of
    /// [`Hidden::now_actions`]; they sum to 1.
    fn probabilities(
        &mut self,
        rules: &G,
        observation: &Observation<G>,
        legal: &[G::Action],
        stream: &mut Stream,
    ) -> Vec<f64>;
}

/// Every legal action equally likely.
#[derive(Clone, Copy, Debug)]
pub struct Uniformly;

impl StochasticPlayer for Uniformly {
    fn act(&mut self, tree: &Tree, set: usize, stream: &mut Stream) -> usize {
        stream.below(tree.information_sets()[set].n_actions) as usize
    }
}

impl<G: Hidden> ObservingPlayer<G> for Uniformly {
    fn act(&mut self, rules: &G, observation: &Observation<G>, stream: &mut Stream) -> G::Action {
        let legal = legal_actions(rules, observation);
        legal[stream.below(legal.len() as u32) as usize]
    }
}

impl<G: Hidden> ActionModel<G> for Uniformly {
    fn probabilities(
        &mut self,
        _: &G,
        _: &Observation<G>,
        legal: &[G::Action],
        _: &mut Stream,
    ) -> Vec<f64> {
        vec![1.0 / legal.len() as f64; legal.len()]
    }
}

/// The probabilities of a player that can only be asked: it is asked `asks` times, and each action counts as if it had
/// been taken once more (Laplace's rule), so that nothing becomes impossible for not having been seen.
#[derive(Clone, Copy, Debug)]
pub struct Asked<P> {
    pub player: P,
    pub asks: u32,
}

impl<G: Hidden, P: ObservingPlayer<G>> ActionModel<G> for Asked<P> {
    fn probabilities(
        &mut self,
        rules: &G,
        observation: &Observation<G>,
        legal: &[G::Action],
        stream: &mut Stream,
    ) -> Vec<f64> {
        let mut counts = vec![1.0; legal.len()];
        for _ in 0..self.asks {
            let taken = self.player.act(rules, observation, stream);
            if let Some(place) = legal.iter().position(|action| *action == taken) {
                counts[place] += 1.0;
            }
        }
        let sum: f64 = counts.iter().sum();
        counts.iter().map(|count| count / sum).collect()
    }
}

/// The observer's legal actions, from what it knows.
pub(super) fn legal_actions<G: Hidden>(rules: &G, observation: &Observation<G>) -> Vec<G::Action> {
    let mut legal = Vec::new();
    let _ = rules.now_actions(observation.now(), &mut legal);
    legal
}
