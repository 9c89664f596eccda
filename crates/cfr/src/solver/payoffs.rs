//! What a seat's sequences earn against the others' plans.

use super::lane_form::LaneForm;
use super::lanes::Lanes;
use std::collections::HashMap;

/// The payoffs of one seat, sorted by its own sequence.
pub(super) enum Payoffs<const L: usize> {
    /// One lane, any number of seats: value × the plan of each other seat.
    Products(Products),
    /// Two seats: scale × matrix × the other seat's plan.
    Matrices(Matrices<L>),
}

pub(super) struct Products {
    /// One more than there are own sequences: the items of sequence `s` are `first[s]..first[s + 1]`.
    firsts: Vec<u32>,
    /// `n_others` sequences an item, in seat order without the seat itself.
    others: Vec<u32>,
    n_others: usize,
    values: Vec<f64>,
}

/// Many payoffs differ by a factor alone: each matrix is kept once.
pub(super) struct Matrices<const L: usize> {
    /// As in [`Products`].
    firsts: Vec<u32>,
    items: Vec<Item>,
    /// One row for each lane of the other seat, over the seat's own lanes.
    matrices: Vec<[Lanes<L>; L]>,
}

struct Item {
    other: u32,
    matrix: u32,
    scale: f64,
}

impl Products {
    pub fn new(form: &LaneForm, seat: usize) -> Products {
        let mut items: Vec<(u32, Vec<u32>, f64)> = Vec::new();
        for payoff in &form.payoffs {
            let mut others = payoff.sequences.clone();
            let own = others.remove(seat);
            let value = payoff.values[seat][0];
            if value != 0.0 {
                items.push((own, others, value));
            }
        }
        items.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
        Products {
            firsts: firsts(items.iter().map(|item| item.0), form.seats[seat].n_sequences()),
            others: items.iter().flat_map(|item| item.1.iter().copied()).collect(),
            n_others: form.seats.len() - 1,
            values: items.iter().map(|item| item.2).collect(),
        }
    }

    /// What `own` earns at the terminals that it leads to directly.
    #[inline(always)]
    fn value<const L: usize>(&self, own: usize, plans: &[&[Lanes<L>]]) -> Lanes<L> {
        let items = self.firsts[own] as usize..self.firsts[own + 1] as usize;
        let mut sum = Lanes([0.0; L]);
        if let [plan] = plans {
            for (other, value) in self.others[items.clone()].iter().zip(&self.values[items]) {
                sum.0[0] += value * plan[*other as usize].0[0];
            }
            return sum;
        }
        for item in items {
            let others = &self.others[item * self.n_others..][..self.n_others];
            let reach: f64 =
                plans.iter().zip(others).map(|(plan, other)| plan[*other as usize].0[0]).product();
            sum.0[0] += self.values[item] * reach;
        }
        sum
    }
}

impl<const L: usize> Matrices<L> {
    pub fn new(form: &LaneForm, seat: usize) -> Matrices<L> {
        let other = 1 - seat;
        let n_lanes = [form.seats[0].n_lanes, form.seats[1].n_lanes];
        let mut matrices: Vec<[Lanes<L>; L]> = Vec::new();
        let mut known: HashMap<Vec<u64>, u32> = HashMap::new();
        let mut items: Vec<(u32, Item)> = Vec::new();
        for payoff in &form.payoffs {
            let values = &payoff.values[seat];
            let Some(scale) = values.iter().map(|value| value.abs()).find(|value| *value > 0.0)
            else {
                continue;
            };
            let mut matrix = [Lanes([0.0; L]); L];
            for first in 0..n_lanes[0] {
                for second in 0..n_lanes[1] {
                    let [own, row] = if seat == 0 { [first, second] } else { [second, first] };
                    matrix[row].0[own] = values[first * n_lanes[1] + second] / scale;
                }
            }
            let key = matrix.iter().flat_map(|row| row.0.map(f64::to_bits)).collect();
            let next = matrices.len() as u32;
            let number = *known.entry(key).or_insert(next);
            if number == next {
                matrices.push(matrix);
            }
            let item = Item { other: payoff.sequences[other], matrix: number, scale };
            items.push((payoff.sequences[seat], item));
        }
        items.sort_by_key(|(own, item)| (*own, item.other));
        Matrices {
            firsts: firsts(items.iter().map(|item| item.0), form.seats[seat].n_sequences()),
            items: items.into_iter().map(|item| item.1).collect(),
            matrices,
        }
    }

    /// What `own` earns at the terminals that it leads to directly.
    #[inline(always)]
    fn value(&self, own: usize, plan: &[Lanes<L>]) -> Lanes<L> {
        let mut value = Lanes::ZERO;
        for item in &self.items[self.firsts[own] as usize..self.firsts[own + 1] as usize] {
            let reach = plan[item.other as usize];
            let mut sum = Lanes::ZERO;
            for (row, reach) in self.matrices[item.matrix as usize].iter().zip(reach.0) {
                sum = row.times_plus(Lanes::all(reach), sum);
            }
            value = sum.times_plus(Lanes::all(item.scale), value);
        }
        value
    }
}

/// What a seat's sequences earn, given the others' plans.
pub(super) trait Earnings<const L: usize> {
    fn value(&self, own: usize) -> Lanes<L>;
}

pub(super) struct ProductEarnings<'a, const L: usize> {
    pub products: &'a Products,
    pub plans: &'a [&'a [Lanes<L>]],
}

impl<const L: usize> Earnings<L> for ProductEarnings<'_, L> {
    #[inline(always)]
    fn value(&self, own: usize) -> Lanes<L> {
        self.products.value(own, self.plans)
    }
}

pub(super) struct MatrixEarnings<'a, const L: usize> {
    pub matrices: &'a Matrices<L>,
    pub plan: &'a [Lanes<L>],
}

impl<const L: usize> Earnings<L> for MatrixEarnings<'_, L> {
    #[inline(always)]
    fn value(&self, own: usize) -> Lanes<L> {
        self.matrices.value(own, self.plan)
    }
}

/// Where the items of each of `n` sequences begin, for items sorted by sequence.
fn firsts(own: impl Iterator<Item = u32>, n: usize) -> Vec<u32> {
    let mut firsts = vec![0; n + 1];
    own.for_each(|sequence| firsts[sequence as usize + 1] += 1);
    (0..n).for_each(|sequence| firsts[sequence + 1] += firsts[sequence]);
    firsts
}
