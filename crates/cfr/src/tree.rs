//! A game of finite size, laid out flat: arrays in topological order, nothing to hash and nothing to follow.
//!
//! Nodes stand by depth, so that a parent comes before its children and the children of one node stand together.
//! Information sets stand by seat, and within a seat every set comes after those that its player has passed on the
//! way. The *entries* are all (information set, action) pairs in that order: policies, regrets and strategy sums are
//! arrays over them.

use game::Seat;
use std::ops::Range;

/// What happens at a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeKind {
    Chance,
    /// The number of the information set whose seat decides here.
    Decision(u32),
    /// The number of the terminal: its utilities are at [`Tree::utilities`].
    Terminal(u32),
}

/// One information set: the situations that its seat cannot tell apart when it decides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InformationSet {
    pub seat: Seat,
    /// Its first entry.
    pub first_entry: u32,
    pub n_actions: u32,
    /// The entry (set and action) of the same seat that comes before this set; `None` where it is the first.
    pub parent_entry: Option<u32>,
    /// The node of the set that was met first; it stands for the set in texts.
    pub first_node: u32,
    /// The key that the set was built from, see [`Information`](crate::information::Information).
    pub key: Vec<u8>,
    /// What the seat has seen until here, as text.
    pub label: String,
}

impl InformationSet {
    /// The places of its actions in every array over entries.
    pub fn entries(&self) -> Range<usize> {
        self.first_entry as usize..(self.first_entry + self.n_actions) as usize
    }
}

/// A compiled game. Made by [`compile`](crate::compile()).
#[derive(Clone, Debug)]
pub struct Tree {
    pub(crate) n_seats: usize,
    pub(crate) kinds: Vec<NodeKind>,
    /// One more than there are nodes: the children of `n` are `first_children[n]..first_children[n + 1]`.
    pub(crate) first_children: Vec<u32>,
    pub(crate) parents: Vec<u32>,
    /// The weight of the chance outcome that leads to the node; 0 where a seat's action does.
    pub(crate) chance_weights: Vec<u32>,
    /// The number in `action_texts` of the action or outcome that leads to the node.
    pub(crate) edges: Vec<u32>,
    pub(crate) action_texts: Vec<String>,
    /// Per seat and node, which of its views the seat has: equal numbers are situations it cannot tell apart,
    /// whether it decides there or not.
    pub(crate) views: Vec<Vec<u32>>,
    /// `n_seats` values a terminal.
    pub(crate) utilities: Vec<f64>,
    pub(crate) sets: Vec<InformationSet>,
}

impl Tree {
    pub fn n_seats(&self) -> usize {
        self.n_seats
    }

    /// Number of histories: every node, chance and terminal ones too.
    pub fn n_nodes(&self) -> usize {
        self.kinds.len()
    }

    pub fn n_terminals(&self) -> usize {
        self.utilities.len() / self.n_seats
    }

    /// Number of (information set, action) pairs of all seats.
    pub fn n_entries(&self) -> usize {
        self.sets.last().map_or(0, |last| last.entries().end)
    }

    pub fn information_sets(&self) -> &[InformationSet] {
        &self.sets
    }

    /// The numbers of one seat's information sets.
    pub fn sets_of(&self, seat: Seat) -> Range<usize> {
        let before = self.sets.partition_point(|set| set.seat.idx() < seat.idx());
        let after = self.sets.partition_point(|set| set.seat.idx() <= seat.idx());
        before..after
    }

    /// One seat's entries.
    pub fn entries_of(&self, seat: Seat) -> Range<usize> {
        let sets = self.sets_of(seat);
        let first = |idx: usize| {
            self.sets.get(idx).map_or(self.n_entries(), |set| set.first_entry as usize)
        };
        first(sets.start)..first(sets.end)
    }

    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        (0..self.n_seats).map(|idx| Seat::new(idx as u8))
    }

    pub fn kind(&self, node: usize) -> NodeKind {
        self.kinds[node]
    }

    /// The children of a node; of a decision, in the order of its information set's actions.
    pub fn children(&self, node: usize) -> Range<usize> {
        self.first_children[node] as usize..self.first_children[node + 1] as usize
    }

    /// The node before; the root is its own parent.
    pub fn parent(&self, node: usize) -> usize {
        self.parents[node] as usize
    }

    /// The integer weight of the chance outcome that leads to `node`; 0 where a seat's action does.
    pub fn chance_weight(&self, node: usize) -> u32 {
        self.chance_weights[node]
    }

    /// The sum of the weights of a chance node's outcomes.
    pub fn chance_total(&self, chance_node: usize) -> u64 {
        self.children(chance_node).map(|child| u64::from(self.chance_weights[child])).sum()
    }

    /// The entry that a decision's child is reached by; `None` for chance's children and the root.
    pub fn entry_into(&self, node: usize) -> Option<usize> {
        let parent = self.parent(node);
        match self.kinds[parent] {
            NodeKind::Decision(set) if node != parent => {
                let place = node - self.first_children[parent] as usize;
                Some(self.sets[set as usize].first_entry as usize + place)
            }
            _ => None,
        }
    }

    /// The utilities of a terminal, one a seat.
    pub fn utilities(&self, terminal: u32) -> &[f64] {
        let first = terminal as usize * self.n_seats;
        &self.utilities[first..first + self.n_seats]
    }

    /// Which view `seat` has at `node`: equal numbers are situations it cannot tell apart.
    pub fn view(&self, seat: Seat, node: usize) -> u32 {
        self.views[seat.idx()][node]
    }

    /// The actions and outcomes that lead to `node`, as text.
    pub fn history(&self, node: usize) -> Vec<&str> {
        let mut texts = Vec::new();
        let mut at = node;
        while at != self.parent(at) {
            texts.push(self.action_texts[self.edges[at] as usize].as_str());
            at = self.parent(at);
        }
        texts.reverse();
        texts
    }

    /// The actions of an information set, as text.
    pub fn actions(&self, set: usize) -> impl Iterator<Item = &str> {
        let children = self.children(self.sets[set].first_node as usize);
        children.map(|child| self.action_texts[self.edges[child] as usize].as_str())
    }

    /// Whether the utilities of every terminal sum to 0.
    pub fn is_zero_sum(&self) -> bool {
        self.utilities.chunks(self.n_seats).all(|values| values.iter().sum::<f64>().abs() < 1e-12)
    }

    /// The chance probability of reaching each node when every seat plays towards it: the product of the chance
    /// outcomes alone.
    pub fn chance_reaches(&self) -> Vec<f64> {
        let mut reaches = vec![1.0; self.n_nodes()];
        for node in 0..self.n_nodes() {
            let is_chance = self.kinds[node] == NodeKind::Chance;
            let total = if is_chance { self.chance_total(node) as f64 } else { 1.0 };
            for child in self.children(node) {
                let share =
                    if is_chance { f64::from(self.chance_weights[child]) / total } else { 1.0 };
                reaches[child] = reaches[node] * share;
            }
        }
        reaches
    }
}
