//! From a game's rules to a [`Tree`]. Refuses, with two histories that show it, what no solver can work with.

use crate::information::Information;
use crate::size::{self, Size};
use crate::tree::{InformationSet, NodeKind, Tree};
use game::{Ending, Hidden, Notation, Observation, Render, Seat, Turn};
use std::collections::HashMap;

/// Why a game cannot be laid out. Histories are actions and chance outcomes as text, in order.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum CompileError {
    #[error(
        "{seat:?} cannot tell two histories apart but has different legal actions after them: \
         after [{}] it may {}, after [{}] it may {}; what the seat is shown must fix its actions",
        first.join(" "), first_actions.join(" "), second.join(" "), second_actions.join(" ")
    )]
    LegalActions {
        seat: Seat,
        first: Vec<String>,
        first_actions: Vec<String>,
        second: Vec<String>,
        second_actions: Vec<String>,
    },
    #[error(
        "{seat:?} cannot tell two histories apart although it decided differently on the way (it has no perfect \
         recall): [{}] and [{}]; what the seat is shown must contain its own past decisions",
        first.join(" "), second.join(" ")
    )]
    PerfectRecall { seat: Seat, first: Vec<String>, second: Vec<String> },
    #[error(
        "the game {} {:.0} histories, for which {} MiB are needed; {} MiB are allowed: choose a smaller game or \
         raise --max-memory",
        if size.is_exact { "has" } else { "is estimated to have" }, size.histories,
        size.bytes() >> 20, limit_bytes >> 20
    )]
    TooLarge { size: Size, limit_bytes: u64 },
    #[error("the game is truncated after [{}]: a solver needs a result for every history", history.join(" "))]
    Truncated { history: Vec<String> },
    #[error("{seat:?} is to act after [{}] but has no legal action", history.join(" "))]
    NoAction { seat: Seat, history: Vec<String> },
}

/// Lays the game out that begins with `setup`, with as many information sets as `information` distinguishes.
/// `limit_bytes` bounds the memory: the need is estimated first.
pub fn compile<G: Hidden + Notation + Render, I: Information<G>>(
    rules: &G,
    setup: &G::Setup,
    information: &I,
    limit_bytes: u64,
) -> Result<Tree, CompileError> {
    let size = size::measure(rules, setup);
    let allowed = limit_bytes / size::NODE_BYTES;
    if size.bytes() > limit_bytes {
        return Err(CompileError::TooLarge { size, limit_bytes });
    }
    let start = rules.initial(setup);
    let observations: Vec<Observation<G>> =
        seats(rules).map(|seat| Observation::begin(seat, rules.now(&start, seat))).collect();
    let mut layout = Layout::new(rules, information, allowed);
    layout.visit(&start, &observations, Step::root(rules.n_seats()))?;
    Ok(layout.into_tree())
}

fn seats<G: Hidden>(rules: &G) -> impl Iterator<Item = Seat> + use<G> {
    (0..rules.n_seats()).map(|idx| Seat::new(idx as u8))
}

/// How a node is reached.
#[derive(Clone)]
struct Step {
    parent: u32,
    depth: u32,
    chance_weight: u32,
    edge: u32,
    /// Per seat, its last (set, action).
    last: Vec<Option<(u32, u32)>>,
}

impl Step {
    fn root(n_seats: usize) -> Step {
        Step { parent: 0, depth: 0, chance_weight: 0, edge: 0, last: vec![None; n_seats] }
    }
}

/// A set as it is met first, in depth-first order.
struct MetSet {
    seat: Seat,
    edges: Vec<u32>,
    parent: Option<(u32, u32)>,
    first_node: u32,
    key: Vec<u8>,
    label: String,
}

/// The tree in the order in which a depth-first walk meets it.
struct Layout<'a, G: Hidden, I> {
    rules: &'a G,
    information: &'a I,
    nodes_max: u64,
    kinds: Vec<NodeKind>,
    depths: Vec<u32>,
    parents: Vec<u32>,
    chance_weights: Vec<u32>,
    edges: Vec<u32>,
    texts: Vec<String>,
    text_numbers: HashMap<String, u32>,
    views: Vec<Vec<u32>>,
    view_numbers: Vec<HashMap<Vec<u8>, u32>>,
    set_numbers: HashMap<(Seat, u32), u32>,
    sets: Vec<MetSet>,
    utilities: Vec<f64>,
}

impl<'a, G: Hidden + Notation + Render, I: Information<G>> Layout<'a, G, I> {
    fn new(rules: &'a G, information: &'a I, nodes_max: u64) -> Self {
        let n_seats = rules.n_seats();
        Layout {
            rules,
            information,
            nodes_max,
            kinds: Vec::new(),
            depths: Vec::new(),
            parents: Vec::new(),
            chance_weights: Vec::new(),
            edges: Vec::new(),
            texts: Vec::new(),
            text_numbers: HashMap::new(),
            views: vec![Vec::new(); n_seats],
            view_numbers: vec![HashMap::new(); n_seats],
            set_numbers: HashMap::new(),
            sets: Vec::new(),
            utilities: Vec::new(),
        }
    }

    fn visit(
        &mut self,
        state: &G::State,
        observations: &[Observation<G>],
        step: Step,
    ) -> Result<(), CompileError> {
        let node = self.kinds.len();
        if node as u64 >= self.nodes_max {
            let size = Size { histories: node as f64 + 1.0, is_exact: false };
            return Err(CompileError::TooLarge {
                size,
                limit_bytes: self.nodes_max * size::NODE_BYTES,
            });
        }
        // The kind is written below, when it is known.
        self.kinds.push(NodeKind::Chance);
        self.depths.push(step.depth);
        self.parents.push(step.parent);
        self.chance_weights.push(step.chance_weight);
        self.edges.push(step.edge);
        for observation in observations {
            let seat = observation.seat().idx();
            let mut key = Vec::new();
            self.information.write_key(self.rules, observation, &mut key);
            let next = self.view_numbers[seat].len() as u32;
            let number = *self.view_numbers[seat].entry(key).or_insert(next);
            self.views[seat].push(number);
        }
        match self.rules.turn(state) {
            Turn::Over => self.terminal(state, node),
            Turn::Chance => self.chance(state, observations, node, &step),
            Turn::Seat(seat) => self.decision(state, observations, node, &step, seat),
        }
    }

    fn terminal(&mut self, state: &G::State, node: usize) -> Result<(), CompileError> {
        let Some(Ending::Scored(utility)) = self.rules.ending(state) else {
            return Err(CompileError::Truncated { history: self.history(node) });
        };
        let n_seats = self.rules.n_seats();
        self.kinds[node] = NodeKind::Terminal((self.utilities.len() / n_seats) as u32);
        self.utilities.extend(seats(self.rules).map(|seat| utility.of(seat)));
        Ok(())
    }

    fn chance(
        &mut self,
        state: &G::State,
        observations: &[Observation<G>],
        node: usize,
        step: &Step,
    ) -> Result<(), CompileError> {
        let mut outcomes = Vec::new();
        self.rules.outcomes(state, &mut |action, weight| outcomes.push((action, weight)));
        for (action, weight) in outcomes {
            let edge = self.text_number(action);
            let next = Step {
                parent: node as u32,
                depth: step.depth + 1,
                chance_weight: weight,
                edge,
                last: step.last.clone(),
            };
            self.descend(state, observations, action, next)?;
        }
        Ok(())
    }

    fn decision(
        &mut self,
        state: &G::State,
        observations: &[Observation<G>],
        node: usize,
        step: &Step,
        seat: Seat,
    ) -> Result<(), CompileError> {
        let actions = self.rules.legal(state);
        if actions.is_empty() {
            return Err(CompileError::NoAction { seat, history: self.history(node) });
        }
        let edges: Vec<u32> = actions.iter().map(|action| self.text_number(*action)).collect();
        let set = self.set_of(node, seat, &edges, step, &observations[seat.idx()])?;
        self.kinds[node] = NodeKind::Decision(set);
        for (place, action) in actions.into_iter().enumerate() {
            let mut last = step.last.clone();
            last[seat.idx()] = Some((set, place as u32));
            let next = Step {
                parent: node as u32,
                depth: step.depth + 1,
                chance_weight: 0,
                edge: edges[place],
                last,
            };
            self.descend(state, observations, action, next)?;
        }
        Ok(())
    }

    fn descend(
        &mut self,
        state: &G::State,
        observations: &[Observation<G>],
        action: G::Action,
        step: Step,
    ) -> Result<(), CompileError> {
        let mut after = state.clone();
        self.rules.apply(&mut after, action);
        let extended: Vec<Observation<G>> = observations
            .iter()
            .map(|observation| {
                let seat = observation.seat();
                let mut extended = observation.clone();
                extended
                    .extend(self.rules.event(state, action, seat), self.rules.now(&after, seat));
                extended
            })
            .collect();
        self.visit(&after, &extended, step)
    }

    /// The set of a decision, which must agree with those met before in its actions and in its player's past.
    fn set_of(
        &mut self,
        node: usize,
        seat: Seat,
        edges: &[u32],
        step: &Step,
        observation: &Observation<G>,
    ) -> Result<u32, CompileError> {
        let view = self.views[seat.idx()][node];
        let parent = step.last[seat.idx()];
        if let Some(&number) = self.set_numbers.get(&(seat, view)) {
            let met = &self.sets[number as usize];
            let first = met.first_node as usize;
            if met.edges != edges {
                return Err(CompileError::LegalActions {
                    seat,
                    first: self.history(first),
                    first_actions: self.texts_of(&met.edges),
                    second: self.history(node),
                    second_actions: self.texts_of(edges),
                });
            }
            if met.parent != parent {
                let (first, second) = (self.history(first), self.history(node));
                return Err(CompileError::PerfectRecall { seat, first, second });
            }
            return Ok(number);
        }
        let number = self.sets.len() as u32;
        let mut key = Vec::new();
        self.information.write_key(self.rules, observation, &mut key);
        let seen: Vec<String> =
            observation.events().iter().map(|event| self.rules.draw_event(event)).collect();
        let edges = edges.to_vec();
        let label = seen.join(", ");
        self.sets.push(MetSet { seat, edges, parent, first_node: node as u32, key, label });
        self.set_numbers.insert((seat, view), number);
        Ok(number)
    }

    fn text_number(&mut self, action: G::Action) -> u32 {
        let text = self.rules.action_text(action);
        if let Some(number) = self.text_numbers.get(&text) {
            return *number;
        }
        let number = self.texts.len() as u32;
        self.texts.push(text.clone());
        self.text_numbers.insert(text, number);
        number
    }

    fn texts_of(&self, edges: &[u32]) -> Vec<String> {
        edges.iter().map(|edge| self.texts[*edge as usize].clone()).collect()
    }

    fn history(&self, node: usize) -> Vec<String> {
        let mut edges = Vec::new();
        let mut at = node;
        while self.depths[at] > 0 {
            edges.push(self.edges[at]);
            at = self.parents[at] as usize;
        }
        edges.reverse();
        self.texts_of(&edges)
    }

    /// Sorts nodes by depth and sets by seat. Both sorts are stable: among nodes of one depth the walk's order
    /// remains, so siblings stay together and in order; among sets of one seat earlier ones stay earlier.
    fn into_tree(self) -> Tree {
        let n_nodes = self.kinds.len();
        let mut order: Vec<u32> = (0..n_nodes as u32).collect();
        order.sort_by_key(|node| self.depths[*node as usize]);
        let new_node = inverse(&order);
        let mut set_order: Vec<u32> = (0..self.sets.len() as u32).collect();
        set_order.sort_by_key(|set| self.sets[*set as usize].seat);
        let new_set = inverse(&set_order);
        let mut first_entries = vec![0; self.sets.len()];
        let mut n_entries = 0;
        for set in &set_order {
            first_entries[*set as usize] = n_entries;
            n_entries += self.sets[*set as usize].edges.len() as u32;
        }
        let sets = set_order.iter().map(|set| {
            let met = &self.sets[*set as usize];
            InformationSet {
                seat: met.seat,
                first_entry: first_entries[*set as usize],
                n_actions: met.edges.len() as u32,
                parent_entry: met.parent.map(|(set, place)| first_entries[set as usize] + place),
                first_node: new_node[met.first_node as usize],
                key: met.key.clone(),
                label: met.label.clone(),
            }
        });
        let sets: Vec<InformationSet> = sets.collect();
        let moved = |values: &[u32]| -> Vec<u32> {
            order.iter().map(|node| values[*node as usize]).collect()
        };
        let kinds = order.iter().map(|node| match self.kinds[*node as usize] {
            NodeKind::Decision(set) => NodeKind::Decision(new_set[set as usize]),
            other => other,
        });
        let kinds: Vec<NodeKind> = kinds.collect();
        let parents: Vec<u32> =
            moved(&self.parents).into_iter().map(|parent| new_node[parent as usize]).collect();
        Tree {
            n_seats: self.views.len(),
            first_children: first_children(&parents),
            kinds,
            parents,
            chance_weights: moved(&self.chance_weights),
            edges: moved(&self.edges),
            views: self.views.iter().map(|views| moved(views)).collect(),
            action_texts: self.texts,
            utilities: self.utilities,
            sets,
        }
    }
}

fn inverse(order: &[u32]) -> Vec<u32> {
    let mut places = vec![0; order.len()];
    for (place, item) in order.iter().enumerate() {
        places[*item as usize] = place as u32;
    }
    places
}

/// For nodes by depth with siblings together, the children of node `n` are `first[n]..first[n + 1]`.
fn first_children(parents: &[u32]) -> Vec<u32> {
    let mut first = vec![0; parents.len() + 1];
    // The root is its own parent and nobody's child.
    for parent in &parents[1..] {
        first[*parent as usize + 1] += 1;
    }
    first[0] = 1;
    for node in 0..parents.len() {
        first[node + 1] += first[node];
    }
    first
}
