//! What a seat's sequences earn against the others' plans.

use super::kernel::{Lanes, fma};
use super::lanes::LaneForm;
use std::collections::HashMap;

/// The payoffs of one seat, sorted by its own sequence.
pub(super) enum Payoffs<const L: usize> {
    /// One lane, any number of seats: value × the plan of each other seat.
    Products(Products),
    /// Two seats: scale × matrix × the other seat's plan.
    Matrices(Matrices<L>),
}

pub(super) struct Products {
    own: Vec<u32>,
    /// `n_others` sequences an item, in seat order without the seat itself.
    others: Vec<u32>,
    n_others: usize,
    values: Vec<f64>,
}

/// Many payoffs differ by a factor alone: each matrix is kept once.
pub(super) struct Matrices<const L: usize> {
    items: Vec<Item>,
    /// `n_rows` rows a matrix, one for each lane of the other seat, over the seat's own lanes.
    rows: Vec<Lanes<L>>,
    n_rows: usize,
}

struct Item {
    own: u32,
    other: u32,
    /// The first of its matrix's rows.
    first_row: u32,
    scale: f64,
}

impl<const L: usize> Payoffs<L> {
    pub fn new(form: &LaneForm, seat: usize) -> Self {
        if L == 1 {
            Payoffs::Products(Products::new(form, seat))
        } else {
            Payoffs::Matrices(Matrices::new(form, seat))
        }
    }

    /// Adds to `values`, one row for each of the seat's sequences.
    #[inline]
    pub fn add_values(&self, plans: &[&[Lanes<L>]], values: &mut [Lanes<L>]) {
        match self {
            Payoffs::Products(products) => products.add_values(plans, values),
            Payoffs::Matrices(matrices) => matrices.add_values(plans[0], values),
        }
    }
}

impl Products {
    fn new(form: &LaneForm, seat: usize) -> Products {
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
            own: items.iter().map(|item| item.0).collect(),
            others: items.iter().flat_map(|item| item.1.iter().copied()).collect(),
            n_others: form.seats.len() - 1,
            values: items.iter().map(|item| item.2).collect(),
        }
    }

    fn add_values<const L: usize>(&self, plans: &[&[Lanes<L>]], values: &mut [Lanes<L>]) {
        if let [plan] = plans {
            for ((own, other), value) in self.own.iter().zip(&self.others).zip(&self.values) {
                values[*own as usize].0[0] += value * plan[*other as usize].0[0];
            }
            return;
        }
        let others = self.others.chunks_exact(self.n_others);
        for ((own, others), value) in self.own.iter().zip(others).zip(&self.values) {
            let mut reach = *value;
            for (plan, other) in plans.iter().zip(others) {
                reach *= plan[*other as usize].0[0];
            }
            values[*own as usize].0[0] += reach;
        }
    }
}

impl<const L: usize> Matrices<L> {
    fn new(form: &LaneForm, seat: usize) -> Matrices<L> {
        let other = 1 - seat;
        let (n_rows, n_own) = (form.seats[other].n_lanes, form.seats[seat].n_lanes);
        let n_second = form.seats[1].n_lanes;
        let mut matrices = Matrices { items: Vec::new(), rows: Vec::new(), n_rows };
        let mut known: HashMap<Vec<u64>, u32> = HashMap::new();
        for payoff in &form.payoffs {
            let values = &payoff.values[seat];
            let Some(scale) = values.iter().map(|value| value.abs()).find(|value| *value > 0.0)
            else {
                continue;
            };
            let cell = |row: usize, own: usize| {
                let (first, second) = if seat == 0 { (own, row) } else { (row, own) };
                values[first * n_second + second] / scale
            };
            let key = (0..n_rows * n_own).map(|k| cell(k / n_own, k % n_own).to_bits()).collect();
            let next = matrices.rows.len() as u32;
            let first_row = *known.entry(key).or_insert(next);
            if first_row == next {
                matrices.rows.extend((0..n_rows).map(|row| {
                    let mut lanes = [0.0; L];
                    (0..n_own).for_each(|own| lanes[own] = cell(row, own));
                    Lanes(lanes)
                }));
            }
            matrices.items.push(Item {
                own: payoff.sequences[seat],
                other: payoff.sequences[other],
                first_row,
                scale,
            });
        }
        matrices.items.sort_by_key(|item| (item.own, item.other));
        matrices
    }

    fn add_values(&self, plan: &[Lanes<L>], values: &mut [Lanes<L>]) {
        for item in &self.items {
            let rows = &self.rows[item.first_row as usize..][..self.n_rows];
            let mut sum = [0.0; L];
            for (row, reach) in rows.iter().zip(&plan[item.other as usize].0) {
                for (sum, value) in sum.iter_mut().zip(&row.0) {
                    *sum = fma(*value, *reach, *sum);
                }
            }
            for (value, sum) in values[item.own as usize].0.iter_mut().zip(&sum) {
                *value = fma(item.scale, *sum, *value);
            }
        }
    }
}
