//! The tree as a sampling walk reads it: sixteen bytes a node, chance weights already summed.

use crate::tree::{NodeKind, Tree};
use game::Stream;
use std::ops::Range;

/// Who moves at a node. A number below [`Mover::CHANCE`] is a seat.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Mover(u16);

impl Mover {
    pub const CHANCE: Mover = Mover(u16::MAX - 1);
    pub const NOBODY: Mover = Mover(u16::MAX);

    pub fn seat(idx: usize) -> Mover {
        Mover(idx as u16)
    }
}

#[derive(Clone, Copy)]
pub(super) struct Node {
    pub first_child: u32,
    /// The first entry of a decision's set; the first utility of a terminal.
    first: u32,
    pub n_children: u32,
    pub mover: Mover,
}

impl Node {
    /// A decision's places in arrays over entries.
    pub fn entries(&self) -> Range<usize> {
        self.first as usize..(self.first + self.n_children) as usize
    }

    pub fn children(&self) -> Range<usize> {
        self.first_child as usize..(self.first_child + self.n_children) as usize
    }
}

pub(super) struct Layout {
    pub n_seats: usize,
    pub n_entries: usize,
    nodes: Vec<Node>,
    /// Of a chance node's child: the weights of its elder siblings and its own. 0 elsewhere.
    weights_until: Vec<u32>,
    utilities: Vec<f64>,
    /// The most numbers that the decisions of one history can have at once, one an action.
    pub n_values_max: usize,
}

impl Layout {
    pub fn new(tree: &Tree) -> Layout {
        let n_seats = tree.n_seats();
        let nodes = (0..tree.n_nodes()).map(|idx| {
            let children = tree.children(idx);
            let (first, mover) = match tree.kind(idx) {
                NodeKind::Chance => (0, Mover::CHANCE),
                NodeKind::Terminal(terminal) => (terminal * n_seats as u32, Mover::NOBODY),
                NodeKind::Decision(set) => {
                    let set = &tree.information_sets()[set as usize];
                    (set.first_entry, Mover::seat(set.seat.idx()))
                }
            };
            let n_children = children.len() as u32;
            Node { first_child: children.start as u32, first, n_children, mover }
        });
        let nodes: Vec<Node> = nodes.collect();
        let mut weights_until = vec![0; nodes.len()];
        let mut n_values = vec![0; nodes.len()];
        for (idx, node) in nodes.iter().enumerate() {
            let mut sum = 0;
            for child in node.children() {
                if node.mover == Mover::CHANCE {
                    sum += tree.chance_weight(child);
                    weights_until[child] = sum;
                }
                n_values[child] = n_values[idx] + node.n_children as usize;
            }
        }
        let utilities = (0..tree.n_terminals()).flat_map(|k| tree.utilities(k as u32));
        Layout {
            n_seats,
            n_entries: tree.n_entries(),
            utilities: utilities.copied().collect(),
            n_values_max: n_values.into_iter().max().unwrap_or(0),
            nodes,
            weights_until,
        }
    }

    #[inline]
    pub fn node(&self, idx: usize) -> Node {
        self.nodes[idx]
    }

    #[inline]
    pub fn utility(&self, terminal: Node, seat: usize) -> f64 {
        self.utilities[terminal.first as usize + seat]
    }

    /// A child of a chance node, drawn by its probability.
    #[inline]
    pub fn draw(&self, node: Node, stream: &mut Stream) -> usize {
        let until = &self.weights_until[node.children()];
        let total = until[until.len() - 1];
        let drawn = stream.below(total);
        // Where all outcomes have weight 1 the number is the place.
        let place = if total == node.n_children {
            drawn as usize
        } else {
            until.partition_point(|weight| *weight <= drawn)
        };
        node.first_child as usize + place
    }
}
