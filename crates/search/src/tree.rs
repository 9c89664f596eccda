//! The tree of one world: nodes and edges in two flat vectors.

use game::{Seat, Turn};

/// What a node is, and so what a walk does when it comes to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A decision of a seat that the network has not been asked about.
    New(Seat),
    /// The network has been asked and has not answered.
    Waiting(Seat),
    /// A decision of a seat, with priors.
    Decision(Seat),
    Chance,
    Over,
}

#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub kind: Kind,
    /// Decision nodes: `n_edges` edges from `first_edge` on. Chance nodes: a list, linked by `next`, of the
    /// outcomes drawn so far.
    pub first_edge: u32,
    pub n_edges: u32,
    /// Backed-up values that passed through or ended here.
    pub visits: u32,
    /// Walks through here that wait for the network.
    pub in_flight: u32,
    /// Sum of the values, from the view of the seat to act here; for a finished game, of [`Seat::FIRST`].
    pub value_sum: f64,
}

#[derive(Clone, Debug)]
pub(crate) struct Edge<A> {
    pub action: A,
    /// [`NONE`] until the first walk takes it.
    pub child: u32,
    /// The next outcome of a chance node.
    pub next: u32,
    /// P: 0 for chance outcomes. Between request and answer the factor that the answer is multiplied by.
    pub prior: f32,
    /// N.
    pub visits: u32,
    /// Virtual visits: walks that wait for the network.
    pub in_flight: u32,
    /// W: sum of the values, from the view of the seat to act in the edge's node; unused at chance nodes.
    pub value_sum: f64,
}

impl<A> Edge<A> {
    fn new(action: A, prior: f32) -> Edge<A> {
        Edge { action, child: NONE, next: NONE, prior, visits: 0, in_flight: 0, value_sum: 0.0 }
    }

    /// Q: mean value from the view of the seat to act in the edge's node; 0 without visits.
    pub fn q(&self) -> f64 {
        if self.visits == 0 { 0.0 } else { self.value_sum / f64::from(self.visits) }
    }
}

/// No node, no edge.
pub(crate) const NONE: u32 = u32::MAX;
pub(crate) const ROOT: u32 = 0;

/// One edge of a walk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub node: u32,
    pub edge: u32,
}

#[derive(Debug)]
pub(crate) struct Tree<A> {
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge<A>>,
}

impl<A: Copy + PartialEq> Tree<A> {
    pub fn new() -> Self {
        Tree { nodes: Vec::new(), edges: Vec::new() }
    }

    /// Forgets everything and keeps the memory.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
    }

    pub fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    pub fn node_mut(&mut self, node: u32) -> &mut Node {
        &mut self.nodes[node as usize]
    }

    pub fn edge(&self, edge: u32) -> &Edge<A> {
        &self.edges[edge as usize]
    }

    pub fn edge_mut(&mut self, edge: u32) -> &mut Edge<A> {
        &mut self.edges[edge as usize]
    }

    pub fn add_node(&mut self, turn: Turn) -> u32 {
        let kind = match turn {
            Turn::Seat(seat) => Kind::New(seat),
            Turn::Chance => Kind::Chance,
            Turn::Over => Kind::Over,
        };
        self.nodes.push(Node {
            kind,
            first_edge: NONE,
            n_edges: 0,
            visits: 0,
            in_flight: 0,
            value_sum: 0.0,
        });
        (self.nodes.len() - 1) as u32
    }

    /// Gives a decision node its edges: actions and factors of their priors.
    pub fn expand(&mut self, node: u32, edges: impl Iterator<Item = (A, f32)>) {
        let first_edge = self.edges.len() as u32;
        self.edges.extend(edges.map(|(action, prior)| Edge::new(action, prior)));
        let n_edges = self.edges.len() as u32 - first_edge;
        let node = self.node_mut(node);
        node.first_edge = first_edge;
        node.n_edges = n_edges;
    }

    /// The edges of a decision node.
    pub fn edges_of(&self, node: u32) -> &[Edge<A>] {
        let node = self.node(node);
        &self.edges[node.first_edge as usize..][..node.n_edges as usize]
    }

    pub fn edges_of_mut(&mut self, node: u32) -> &mut [Edge<A>] {
        let (first, n) = (self.node(node).first_edge as usize, self.node(node).n_edges as usize);
        &mut self.edges[first..][..n]
    }

    /// The edge of a chance node for an outcome, made when the outcome is drawn for the first time.
    pub fn outcome_edge(&mut self, node: u32, outcome: A) -> u32 {
        let mut last = NONE;
        let mut edge = self.node(node).first_edge;
        while edge != NONE {
            if self.edge(edge).action == outcome {
                return edge;
            }
            last = edge;
            edge = self.edge(edge).next;
        }
        self.edges.push(Edge::new(outcome, 0.0));
        let made = (self.edges.len() - 1) as u32;
        match last {
            NONE => self.node_mut(node).first_edge = made,
            _ => self.edge_mut(last).next = made,
        }
        self.node_mut(node).n_edges += 1;
        made
    }
}
