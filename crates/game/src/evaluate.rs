//! What a search asks of a network, and what it gets.

use crate::Hidden;

/// One position to evaluate, from the view of the seat to act in it.
#[derive(Clone, Debug)]
pub struct EvalRequest<G: Hidden> {
    /// What the seat to act knows. The features are written from this alone, and its canonical bytes are the
    /// cache key.
    pub now: G::Now,
    /// The action indices of the legal actions; at least one. Searches and beliefs list them ascending, so that they
    /// share cached answers.
    pub actions: Vec<u16>,
}

/// The answer to one request.
#[derive(Clone, PartialEq, Debug)]
pub struct Evaluation {
    /// Expected result in [-1, 1] for the seat to act.
    pub value: f32,
    /// One probability a legal action, in the order of the request; they sum to 1.
    pub priors: Vec<f32>,
}

/// Evaluates positions in batches. An answer depends on its own request only, never on its neighbours.
pub trait Evaluator<G: Hidden> {
    /// One evaluation a request, in order.
    fn evaluate(&mut self, requests: &[EvalRequest<G>]) -> Vec<Evaluation>;
}

/// Value 0 and equal priors everywhere: a search needs no network to be tested.
pub struct UniformEvaluator;

impl<G: Hidden> Evaluator<G> for UniformEvaluator {
    fn evaluate(&mut self, requests: &[EvalRequest<G>]) -> Vec<Evaluation> {
        requests
            .iter()
            .map(|request| Evaluation {
                value: 0.0,
                priors: vec![1.0 / request.actions.len() as f32; request.actions.len()],
            })
            .collect()
    }
}
