//! PUCT: which edge of a decision node a walk takes. Silver et al., "A general reinforcement learning algorithm
//! that masters chess, shogi and Go through self-play", 2018, with first-play urgency relative to the node.

use crate::SearchParams;
use crate::tree::Tree;

/// The edge with the largest Q(a) + c(N) · P(a) · √N / (1 + n(a)), where N and n count virtual visits too and Q
/// does not. Ties go to the lowest action index, in whose order the edges lie.
pub(crate) fn select<A: Copy + PartialEq>(tree: &Tree<A>, node: u32, params: &SearchParams) -> u32 {
    let edges = tree.edges_of(node);
    let parent = tree.node(node);
    // Visits of the edges: the node's own evaluation is one of its visits and none of theirs.
    let n_parent = f64::from((parent.visits + parent.in_flight).saturating_sub(1));
    let growth = ((n_parent + params.c_puct_base + 1.0) / params.c_puct_base).ln();
    let exploration = (params.c_puct + growth) * n_parent.max(1.0).sqrt();
    let unvisited = first_play_value(tree, node, params);
    let mut best = 0;
    let mut best_score = f64::NEG_INFINITY;
    for (idx, edge) in edges.iter().enumerate() {
        let q = if edge.visits == 0 { unvisited } else { edge.q() };
        let n = f64::from(edge.visits + edge.in_flight);
        let score = q + exploration * f64::from(edge.prior) / (1.0 + n);
        if score > best_score {
            best_score = score;
            best = idx;
        }
    }
    parent.first_edge + best as u32
}

/// What an unvisited action is worth: the node's mean less a reduction that grows with the prior already tried.
fn first_play_value<A: Copy + PartialEq>(tree: &Tree<A>, node: u32, params: &SearchParams) -> f64 {
    let parent = tree.node(node);
    let mean = if parent.visits == 0 { 0.0 } else { parent.value_sum / f64::from(parent.visits) };
    let tried: f64 = tree
        .edges_of(node)
        .iter()
        .filter(|edge| edge.visits > 0)
        .map(|edge| f64::from(edge.prior))
        .sum();
    mean - params.fpu_reduction * tried.sqrt()
}
