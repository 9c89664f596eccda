//! Simulations in one sampled world.

use crate::backup::{SeatValue, back_up, leave_virtual_visits, remove_virtual_visits};
use crate::prior_shaping::prior_factor;
use crate::tree::{Kind, NONE, ROOT, Step, Tree};
use crate::{SearchParams, WorldReport, puct};
use game::{ActionSpace, Ending, EvalRequest, Evaluation, Seat, Stream, Tactical, Turn};

/// Scratch memory for listing actions, shared by the worlds of a search.
pub(crate) struct Listing<A> {
    legal: Vec<A>,
    by_index: Vec<(u16, A)>,
}

impl<A: Copy> Listing<A> {
    pub fn new() -> Self {
        Listing { legal: Vec::new(), by_index: Vec::new() }
    }
}

/// What the worlds of one decision have in common.
pub(crate) struct Common<'a, G: ActionSpace> {
    pub rules: &'a G,
    pub params: &'a SearchParams,
    pub setup: &'a G::Setup,
}

/// One world, its tree and its chance stream. It shares nothing with other worlds, so their order of work has
/// no influence.
pub(crate) struct WorldTree<G: ActionSpace + Tactical> {
    start: G::State,
    /// Where the present walk is.
    place: G::State,
    tree: Tree<G::Action>,
    /// Outcomes of the chance nodes.
    chance: Stream,
    budget: u32,
    n_started: u32,
    /// Walks that wait for the network, in the order of their requests.
    waiting: Vec<Walk>,
    /// Walks that are over, for their memory.
    spare: Vec<Walk>,
}

struct Walk {
    leaf: u32,
    path: Vec<Step>,
}

impl<G: ActionSpace + Tactical> WorldTree<G> {
    pub fn new(start: G::State, chance: Stream, budget: u32) -> Self {
        WorldTree {
            place: start.clone(),
            start,
            tree: Tree::new(),
            chance,
            budget,
            n_started: 0,
            waiting: Vec::new(),
            spare: Vec::new(),
        }
    }

    /// Takes up another world in the memory of the last one.
    pub fn restart(&mut self, start: G::State, chance: Stream, budget: u32) {
        self.start = start;
        self.tree.clear();
        self.chance = chance;
        self.budget = budget;
        self.n_started = 0;
        self.spare.append(&mut self.waiting);
    }

    pub fn state(&self) -> &G::State {
        &self.start
    }

    /// Gives the root its actions and priors, and the network's value as its first visit.
    pub fn plant(&mut self, seat: Seat, actions: &[G::Action], priors: &[f32], value: f64) {
        let root = self.tree.add_node(Turn::Seat(seat));
        debug_assert_eq!(root, ROOT);
        self.tree.expand(root, actions.iter().copied().zip(priors.iter().copied()));
        self.tree.node_mut(root).kind = Kind::Decision(seat);
        back_up(&mut self.tree, &[], root, SeatValue { seat, value });
    }

    /// Random words that the chance nodes drew.
    pub fn words_drawn(&self) -> u128 {
        self.chance.words_drawn()
    }

    pub fn is_done(&self) -> bool {
        self.n_started == self.budget && self.waiting.is_empty()
    }

    /// Walks until `leaves_per_step` leaves wait, the budget is spent, or a walk runs into a waiting leaf.
    pub fn gather(
        &mut self,
        common: &Common<'_, G>,
        listing: &mut Listing<G::Action>,
        out: &mut Vec<EvalRequest<G>>,
    ) {
        let leaves_max = common.params.leaves_per_step as usize;
        while self.n_started < self.budget && self.waiting.len() < leaves_max {
            let mut walk =
                self.spare.pop().unwrap_or_else(|| Walk { leaf: NONE, path: Vec::new() });
            self.descend(common, &mut walk);
            match self.tree.node(walk.leaf).kind {
                Kind::New(seat) => {
                    out.push(self.ask(common, listing, walk.leaf, seat));
                    leave_virtual_visits(&mut self.tree, &walk.path);
                    self.waiting.push(walk);
                    self.n_started += 1;
                }
                Kind::Over => {
                    let value = final_value(common.rules, &self.place);
                    back_up(&mut self.tree, &walk.path, walk.leaf, value);
                    self.spare.push(walk);
                    self.n_started += 1;
                }
                // Someone already waits here: nothing new can be learnt before the answer.
                Kind::Waiting(_) => {
                    self.spare.push(walk);
                    return;
                }
                Kind::Decision(_) | Kind::Chance => unreachable!("a walk goes on from these"),
            }
        }
    }

    /// Goes from the root to a node that is neither an answered decision nor chance.
    fn descend(&mut self, common: &Common<'_, G>, walk: &mut Walk) {
        walk.path.clear();
        self.place.clone_from(&self.start);
        let mut node = ROOT;
        loop {
            let edge = match self.tree.node(node).kind {
                Kind::Decision(_) => puct::select(&self.tree, node, common.params),
                Kind::Chance => {
                    let outcome = common.rules.draw(&self.place, &mut self.chance);
                    self.tree.outcome_edge(node, outcome)
                }
                Kind::New(_) | Kind::Waiting(_) | Kind::Over => break,
            };
            common.rules.apply(&mut self.place, self.tree.edge(edge).action);
            walk.path.push(Step { node, edge });
            node = self.tree.edge(edge).child;
            if node == NONE {
                node = self.tree.add_node(common.rules.turn(&self.place));
                self.tree.edge_mut(edge).child = node;
            }
        }
        walk.leaf = node;
    }

    /// Expands the leaf the walk stands on and phrases the question to the network.
    fn ask(
        &mut self,
        common: &Common<'_, G>,
        listing: &mut Listing<G::Action>,
        leaf: u32,
        seat: Seat,
    ) -> EvalRequest<G> {
        let rules = common.rules;
        listing.legal.clear();
        let _ = rules.actions(&self.place, &mut listing.legal);
        listing.by_index.clear();
        let index = |&action: &G::Action| (rules.action_index(common.setup, seat, action), action);
        listing.by_index.extend(listing.legal.iter().map(index));
        listing.by_index.sort_unstable_by_key(|(index, _)| *index);
        let now = rules.now(&self.place, seat);
        let shaping = common.params.prior_shaping;
        let factor = |action| match shaping {
            0.0 => 1.0,
            _ => prior_factor(rules.appeal(&now, action), shaping),
        };
        let edges = listing.by_index.iter().map(|&(_, action)| (action, factor(action)));
        self.tree.expand(leaf, edges);
        self.tree.node_mut(leaf).kind = Kind::Waiting(seat);
        EvalRequest { actions: listing.by_index.iter().map(|(index, _)| *index).collect(), now }
    }

    /// Takes the answers to the waiting walks off the front of `evaluations`.
    pub fn apply<'e>(&mut self, evaluations: &mut impl Iterator<Item = &'e Evaluation>) {
        let mut waiting = std::mem::take(&mut self.waiting);
        for walk in waiting.drain(..) {
            let evaluation = evaluations.next().expect("one evaluation for each request");
            let Kind::Waiting(seat) = self.tree.node(walk.leaf).kind else {
                unreachable!("a waiting walk ends at a waiting node")
            };
            let edges = self.tree.edges_of_mut(walk.leaf);
            assert_eq!(edges.len(), evaluation.priors.len(), "one prior for each action");
            for (edge, prior) in edges.iter_mut().zip(&evaluation.priors) {
                edge.prior *= prior;
            }
            let sum: f32 = edges.iter().map(|edge| edge.prior).sum();
            if sum > 0.0 {
                edges.iter_mut().for_each(|edge| edge.prior /= sum);
            }
            self.tree.node_mut(walk.leaf).kind = Kind::Decision(seat);
            remove_virtual_visits(&mut self.tree, &walk.path);
            let value = SeatValue { seat, value: f64::from(evaluation.value) };
            back_up(&mut self.tree, &walk.path, walk.leaf, value);
            self.spare.push(walk);
        }
        self.waiting = waiting;
    }

    /// N and Q of the root's actions.
    pub fn report(&self, world_idx: u32) -> WorldReport {
        let edges = self.tree.edges_of(ROOT);
        WorldReport {
            world_idx,
            simulations: self.n_started,
            n: edges.iter().map(|edge| edge.visits).collect(),
            q: edges.iter().map(|edge| edge.q() as f32).collect(),
        }
    }
}

/// What a finished game is worth. A truncated one has no result: in a search it is worth 0.
fn final_value<G: ActionSpace>(rules: &G, state: &G::State) -> SeatValue {
    let value = match rules.ending(state) {
        Some(Ending::Scored(utility)) => utility.of(Seat::FIRST),
        Some(Ending::Truncated) => 0.0,
        None => unreachable!("turn says that the game is over"),
    };
    SeatValue { seat: Seat::FIRST, value }
}
