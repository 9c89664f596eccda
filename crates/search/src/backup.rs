//! Values on their way up. A value belongs to a seat; whether it changes its sign on the way is decided by
//! comparing seats, never by counting plies: one seat may act several times in a row, and the other may have to
//! decide in the middle of a turn.

use crate::tree::{Kind, Step, Tree};
use game::Seat;

/// A value of a two-player zero-sum game with its point of view.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct SeatValue {
    pub seat: Seat,
    pub value: f64,
}

impl SeatValue {
    /// The same value from another point of view.
    pub fn seen_by(self, seat: Seat) -> f64 {
        if seat == self.seat { self.value } else { -self.value }
    }
}

/// Marks a walk as waiting for the network: virtual visits on everything it passed.
pub(crate) fn leave_virtual_visits<A: Copy + PartialEq>(tree: &mut Tree<A>, path: &[Step]) {
    for step in path {
        tree.node_mut(step.node).in_flight += 1;
        tree.edge_mut(step.edge).in_flight += 1;
    }
}

/// Takes them back.
pub(crate) fn remove_virtual_visits<A: Copy + PartialEq>(tree: &mut Tree<A>, path: &[Step]) {
    for step in path {
        tree.node_mut(step.node).in_flight -= 1;
        tree.edge_mut(step.edge).in_flight -= 1;
    }
}

/// Adds the value of `leaf` to it and to everything on the way to it.
pub(crate) fn back_up<A: Copy + PartialEq>(
    tree: &mut Tree<A>,
    path: &[Step],
    leaf: u32,
    value: SeatValue,
) {
    add_to_node(tree, leaf, value);
    for step in path {
        add_to_node(tree, step.node, value);
        let acting = acting_seat(tree.node(step.node).kind);
        let edge = tree.edge_mut(step.edge);
        edge.visits += 1;
        edge.value_sum += value.seen_by(acting);
    }
}

fn add_to_node<A: Copy + PartialEq>(tree: &mut Tree<A>, node: u32, value: SeatValue) {
    let node = tree.node_mut(node);
    node.visits += 1;
    node.value_sum += value.seen_by(acting_seat(node.kind));
}

/// Whose view a node's values have. Where no seat acts it is the first one's; nothing is selected there.
fn acting_seat(kind: Kind) -> Seat {
    match kind {
        Kind::New(seat) | Kind::Waiting(seat) | Kind::Decision(seat) => seat,
        Kind::Chance | Kind::Over => Seat::FIRST,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Turn;

    const A: Seat = Seat::FIRST;
    const B: Seat = Seat::SECOND;

    /// Backs up +1 for the seat to act at the end of a line of nodes and gives each edge's W.
    fn sums(line: &[Turn], leaf_value: f64) -> Vec<f64> {
        let mut tree = Tree::new();
        let nodes: Vec<u32> = line.iter().map(|&turn| tree.add_node(turn)).collect();
        let mut path = Vec::new();
        for pair in nodes.windows(2) {
            let edge = tree.outcome_edge(pair[0], 0u8);
            tree.edge_mut(edge).child = pair[1];
            path.push(Step { node: pair[0], edge });
        }
        let leaf = nodes[nodes.len() - 1];
        let seat = acting_seat(tree.node(leaf).kind);
        back_up(&mut tree, &path, leaf, SeatValue { seat, value: leaf_value });
        path.iter().map(|step| tree.edge(step.edge).value_sum).collect()
    }

    #[test]
    fn alternating_seats_change_the_sign_each_time() {
        let line = [A, B, A, B].map(Turn::Seat);
        assert_eq!(sums(&line, 0.5), [-0.5, 0.5, -0.5]);
    }

    #[test]
    fn consecutive_decisions_of_one_seat_keep_the_sign() {
        let line = [A, A, A, B].map(Turn::Seat);
        assert_eq!(sums(&line, 0.5), [-0.5, -0.5, -0.5]);
        assert_eq!(sums(&[A, A].map(Turn::Seat), 0.5), [0.5]);
    }

    #[test]
    fn a_decision_of_the_other_seat_inside_a_turn_is_seen_from_that_seat() {
        let line = [A, B, A, A].map(Turn::Seat);
        assert_eq!(sums(&line, 0.25), [0.25, -0.25, 0.25]);
    }

    #[test]
    fn chance_between_two_decisions_changes_nothing() {
        let line = [Turn::Seat(B), Turn::Chance, Turn::Chance, Turn::Seat(B)];
        let got = sums(&line, 0.75);
        assert_eq!(got[0], 0.75);
        let line = [Turn::Seat(B), Turn::Chance, Turn::Over];
        // The end of a game is valued for the first seat.
        assert_eq!(sums(&line, 1.0)[0], -1.0);
    }

    #[test]
    fn virtual_visits_come_and_go() {
        let mut tree = Tree::new();
        let node = tree.add_node(Turn::Seat(A));
        tree.expand(node, [(0u8, 1.0)].into_iter());
        let path = [Step { node, edge: 0 }];
        leave_virtual_visits(&mut tree, &path);
        leave_virtual_visits(&mut tree, &path);
        assert_eq!((tree.node(node).in_flight, tree.edge(0).in_flight), (2, 2));
        remove_virtual_visits(&mut tree, &path);
        assert_eq!((tree.node(node).in_flight, tree.edge(0).in_flight), (1, 1));
        assert_eq!((tree.edge(0).visits, tree.edge(0).value_sum), (0, 0.0));
    }
}
