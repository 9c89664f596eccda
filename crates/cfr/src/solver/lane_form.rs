//! The public form of a game in which private information is dealt before anyone acts.
//!
//! Two histories belong to one public situation if one seat or the other cannot tell them apart, or through a chain of
//! such pairs. The private deals of a seat are its *lanes*: a public situation and a lane are one of the seat's
//! information sets, and a public sequence and a lane one of its sequences. What two public sequences earn is a matrix
//! over both seats' lanes.

use crate::sequence_form::SequenceForm;
use crate::tree::{NodeKind, Tree};
use game::Seat;
use std::collections::{BTreeMap, HashMap};

/// One seat's public decisions.
#[derive(Clone, Debug)]
pub(super) struct PublicDecisions {
    /// One more than there are public sets: the actions of set `k` are sequences `first[k]..first[k + 1]`. Sequence 0
    /// is the empty one.
    pub first_sequences: Vec<u32>,
    /// The sequence before each set; it belongs to an earlier set.
    pub parent_sequences: Vec<u32>,
    pub n_lanes: usize,
    /// The tree's entry for every (sequence, lane), without the empty sequence, sequence by sequence; `None` where the
    /// lane does not exist in that situation.
    pub entries: Vec<Option<u32>>,
}

impl PublicDecisions {
    pub fn n_sets(&self) -> usize {
        self.parent_sequences.len()
    }

    pub fn n_sequences(&self) -> usize {
        *self.first_sequences.last().expect("one more than sets") as usize
    }
}

/// What one choice of sequences, one a seat, earns: chance × utility.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Payoff {
    pub sequences: Vec<u32>,
    /// For each seat its values: with one lane a single one, with two seats a matrix, first seat's lane by second
    /// seat's lane.
    pub values: Vec<Vec<f64>>,
}

#[derive(Clone, Debug)]
pub(super) struct LaneForm {
    pub seats: Vec<PublicDecisions>,
    pub payoffs: Vec<Payoff>,
    pub n_entries: usize,
}

impl LaneForm {
    /// The most lanes of any seat.
    pub fn n_lanes(&self) -> usize {
        self.seats.iter().map(|seat| seat.n_lanes).max().unwrap_or(1)
    }

    /// Every information set by itself.
    pub fn flat(tree: &Tree) -> LaneForm {
        let form = SequenceForm::new(tree);
        let n_seats = form.n_seats();
        let seats = form.seats.iter().map(|own| PublicDecisions {
            first_sequences: own.first_sequences.clone(),
            parent_sequences: own.parent_sequences.clone(),
            n_lanes: 1,
            entries: (0..own.n_sequences() - 1)
                .map(|place| Some((own.first_entry + place) as u32))
                .collect(),
        });
        let mut values: BTreeMap<Vec<u32>, Vec<Vec<f64>>> = BTreeMap::new();
        for terminal in 0..form.n_terminals() {
            let row = terminal * n_seats..(terminal + 1) * n_seats;
            let sequences = form.terminal_sequences[row.clone()].to_vec();
            let sums = values.entry(sequences).or_insert_with(|| vec![vec![0.0]; n_seats]);
            for (sum, utility) in sums.iter_mut().zip(&form.utilities[row]) {
                sum[0] += form.terminal_chances[terminal] * utility;
            }
        }
        let payoffs =
            values.into_iter().map(|(sequences, values)| Payoff { sequences, values }).collect();
        LaneForm { seats: seats.collect(), payoffs, n_entries: tree.n_entries() }
    }

    /// One lane a private deal; `None` where a seat learns something privately after it has acted, where more than two
    /// seats play, or where there is nothing private.
    pub fn of_public_tree(tree: &Tree) -> Option<LaneForm> {
        if tree.n_seats() != 2 {
            return None;
        }
        let mut building = Building::new(tree);
        for situation in situations(tree) {
            building.add(&situation)?;
        }
        let form = building.finish();
        (form.n_lanes() > 1).then_some(form)
    }
}

/// The inner nodes of the tree by public situation, in the order of depth.
fn situations(tree: &Tree) -> Vec<Vec<usize>> {
    let mut leaders: Vec<usize> = (0..tree.n_nodes()).collect();
    let mut depths = vec![0u32; tree.n_nodes()];
    let mut met: HashMap<(u32, Seat, u32), usize> = HashMap::new();
    for node in 0..tree.n_nodes() {
        if node > 0 {
            depths[node] = depths[tree.parent(node)] + 1;
        }
        if matches!(tree.kind(node), NodeKind::Terminal(_)) {
            continue;
        }
        for seat in tree.seats() {
            let first = *met.entry((depths[node], seat, tree.view(seat, node))).or_insert(node);
            let (a, b) = (leader(&mut leaders, first), leader(&mut leaders, node));
            leaders[a.max(b)] = a.min(b);
        }
    }
    let mut situations: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for node in 0..tree.n_nodes() {
        if !matches!(tree.kind(node), NodeKind::Terminal(_)) {
            situations.entry(leader(&mut leaders, node)).or_default().push(node);
        }
    }
    situations.into_values().collect()
}

fn leader(leaders: &mut [usize], node: usize) -> usize {
    let mut at = node;
    while leaders[at] != at {
        leaders[at] = leaders[leaders[at]];
        at = leaders[at];
    }
    at
}

/// Where a history stands in one seat's public decisions.
#[derive(Clone, Copy, Default)]
struct Place {
    sequence: u32,
    /// The seat's private deal.
    lane: u32,
    /// The lane of its last decision; 0 before the first.
    own_lane: u32,
}

struct Building<'t> {
    tree: &'t Tree,
    seats: Vec<PublicDecisions>,
    /// Per sequence and seat, until the number of lanes is known.
    entries: Vec<Vec<Vec<Option<u32>>>>,
    places: Vec<[Place; 2]>,
}

impl<'t> Building<'t> {
    fn new(tree: &'t Tree) -> Self {
        let empty = PublicDecisions {
            first_sequences: vec![1],
            parent_sequences: Vec::new(),
            n_lanes: 1,
            entries: Vec::new(),
        };
        Building {
            tree,
            seats: vec![empty.clone(), empty],
            entries: vec![Vec::new(), Vec::new()],
            places: vec![[Place::default(); 2]; tree.n_nodes()],
        }
    }

    /// Gives lanes to the nodes of one situation and makes it a public set if a seat decides in it.
    fn add(&mut self, nodes: &[usize]) -> Option<()> {
        for seat in Seat::BOTH {
            self.give_lanes(nodes, seat)?;
        }
        if let NodeKind::Decision(set) = self.tree.kind(nodes[0]) {
            self.add_set(nodes, self.tree.information_sets()[set as usize].seat)?;
        }
        for node in nodes {
            for child in self.tree.children(*node) {
                let mut places = self.places[*node];
                if let NodeKind::Decision(set) = self.tree.kind(*node) {
                    let seat = self.tree.information_sets()[set as usize].seat.idx();
                    let first = self.seats[seat].n_sequences() - self.tree.children(*node).len();
                    places[seat].sequence =
                        (first + child - self.tree.children(*node).start) as u32;
                    places[seat].own_lane = places[seat].lane;
                }
                self.places[child] = places;
            }
        }
        Some(())
    }

    /// A view keeps the lane it had. Where several views come from one lane, something private was learnt: the views
    /// are numbered anew, which needs a seat that has not acted yet.
    fn give_lanes(&mut self, nodes: &[usize], seat: Seat) -> Option<()> {
        let mut lanes: BTreeMap<u32, u32> = BTreeMap::new();
        for node in nodes {
            let lane = self.places[*node][seat.idx()].lane;
            let known = *lanes.entry(self.tree.view(seat, *node)).or_insert(lane);
            if known != lane {
                return None;
            }
        }
        let mut taken: Vec<u32> = lanes.values().copied().collect();
        taken.sort_unstable();
        taken.dedup();
        if taken.len() == lanes.len() {
            return Some(());
        }
        if nodes.iter().any(|node| self.places[*node][seat.idx()].sequence != 0) {
            return None;
        }
        for (number, lane) in lanes.values_mut().enumerate() {
            *lane = number as u32;
        }
        let own = &mut self.seats[seat.idx()];
        own.n_lanes = own.n_lanes.max(lanes.len());
        for node in nodes {
            self.places[*node][seat.idx()].lane = lanes[&self.tree.view(seat, *node)];
        }
        Some(())
    }

    fn add_set(&mut self, nodes: &[usize], seat: Seat) -> Option<()> {
        let n_actions = self.tree.children(nodes[0]).len();
        let parent = self.places[nodes[0]][seat.idx()].sequence;
        let mut firsts: BTreeMap<u32, u32> = BTreeMap::new();
        for node in nodes {
            let NodeKind::Decision(set) = self.tree.kind(*node) else { return None };
            let set = &self.tree.information_sets()[set as usize];
            let place = self.places[*node][seat.idx()];
            let fits = set.seat == seat
                && self.tree.children(*node).len() == n_actions
                && place.sequence == parent
                && (parent == 0 || place.own_lane == place.lane);
            let first = *firsts.entry(place.lane).or_insert(set.first_entry);
            if !fits || first != set.first_entry {
                return None;
            }
        }
        let own = &mut self.seats[seat.idx()];
        own.parent_sequences.push(parent);
        own.first_sequences.push((own.n_sequences() + n_actions) as u32);
        for action in 0..n_actions as u32 {
            let n_lanes = firsts.keys().last().map_or(0, |last| *last as usize + 1);
            let mut row = vec![None; n_lanes];
            for (lane, first) in &firsts {
                row[*lane as usize] = Some(first + action);
            }
            self.entries[seat.idx()].push(row);
        }
        Some(())
    }

    fn finish(mut self) -> LaneForm {
        for (own, rows) in self.seats.iter_mut().zip(self.entries) {
            for mut row in rows {
                row.resize(own.n_lanes, None);
                own.entries.extend(row);
            }
        }
        let [n_first, n_second] = [self.seats[0].n_lanes, self.seats[1].n_lanes];
        let chances = self.tree.chance_reaches();
        let mut values: BTreeMap<Vec<u32>, Vec<Vec<f64>>> = BTreeMap::new();
        for (node, [first, second]) in self.places.iter().enumerate() {
            let NodeKind::Terminal(terminal) = self.tree.kind(node) else { continue };
            let key = vec![first.sequence, second.sequence];
            let matrices =
                values.entry(key).or_insert_with(|| vec![vec![0.0; n_first * n_second]; 2]);
            let cell = first.own_lane as usize * n_second + second.own_lane as usize;
            for (matrix, utility) in matrices.iter_mut().zip(self.tree.utilities(terminal)) {
                matrix[cell] += chances[node] * utility;
            }
        }
        let payoffs =
            values.into_iter().map(|(sequences, values)| Payoff { sequences, values }).collect();
        LaneForm { seats: self.seats, payoffs, n_entries: self.tree.n_entries() }
    }
}
