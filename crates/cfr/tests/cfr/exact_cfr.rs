//! CFR and CFR+ on Kuhn in exact rationals, against the solver. The numbers of digits grow by a factor with every
//! iteration (a strategy's denominators enter each other's), so that a dozen iterations is what there is time for: after
//! 12 of CFR a regret has some 16,000 binary digits, after 8 of CFR+ some 25,000.

use crate::games::kuhn;
use cfr::certificate::at_least;
use cfr::{NodeKind, Rule, Solver, Tree, Updates};
use game::Seat;
use num_bigint::BigInt;
use num_rational::Ratio;

type Rational = Ratio<BigInt>;

fn whole(number: u64) -> Rational {
    Ratio::from_integer(number.into())
}

struct ExactCfr<'t> {
    tree: &'t Tree,
    /// CFR+: regrets are clipped and iteration t counts t times.
    plus: bool,
    t: u64,
    regrets: Vec<Rational>,
    sums: Vec<Rational>,
    strategies: Vec<Rational>,
}

impl<'t> ExactCfr<'t> {
    fn new(tree: &'t Tree, plus: bool) -> Self {
        let zeros = vec![whole(0); tree.n_entries()];
        let mut exact = ExactCfr {
            tree,
            plus,
            t: 0,
            regrets: zeros.clone(),
            sums: zeros.clone(),
            strategies: zeros,
        };
        Seat::BOTH.into_iter().for_each(|seat| exact.choose(seat));
        exact
    }

    fn iterate(&mut self) {
        self.t += 1;
        for seat in Seat::BOTH {
            let mut now = vec![whole(0); self.tree.n_entries()];
            self.walk(0, seat, &whole(1), &whole(1), &mut now);
            for (regret, now) in self.regrets.iter_mut().zip(now) {
                *regret += now;
                if self.plus && *regret < whole(0) {
                    *regret = whole(0);
                }
            }
            self.choose(seat);
        }
    }

    fn choose(&mut self, seat: Seat) {
        for set in self.tree.sets_of(seat) {
            let entries = self.tree.information_sets()[set].entries();
            let hopes: Vec<Rational> =
                self.regrets[entries.clone()].iter().map(|r| r.max(&whole(0)).clone()).collect();
            let total: Rational = hopes.iter().sum();
            let n = whole(hopes.len() as u64);
            for (entry, hope) in entries.zip(hopes) {
                self.strategies[entry] = if total > whole(0) { hope / &total } else { n.recip() };
            }
        }
    }

    /// The expected utility of `seat` from `node` on. `others` holds chance and the other seat.
    fn walk(
        &mut self,
        node: usize,
        seat: Seat,
        own: &Rational,
        others: &Rational,
        now: &mut [Rational],
    ) -> Rational {
        let tree = self.tree;
        let children: Vec<usize> = tree.children(node).collect();
        match tree.kind(node) {
            NodeKind::Terminal(terminal) => {
                let utility = tree.utilities(terminal)[seat.idx()];
                Ratio::from_integer(BigInt::from(utility as i64))
            }
            NodeKind::Chance => {
                let total = whole(tree.chance_total(node));
                let mut value = whole(0);
                for child in children {
                    let share = whole(tree.chance_weight(child).into()) / &total;
                    value += &share * self.walk(child, seat, own, &(others * &share), now);
                }
                value
            }
            NodeKind::Decision(set) => {
                let set = &tree.information_sets()[set as usize];
                let is_own = set.seat == seat;
                let mut values = Vec::new();
                for (child, entry) in children.into_iter().zip(set.entries()) {
                    let share = self.strategies[entry].clone();
                    let (own, others) = match is_own {
                        true => (own * &share, others.clone()),
                        false => (own.clone(), others * &share),
                    };
                    values.push(self.walk(child, seat, &own, &others, now));
                }
                let shares = &self.strategies[set.entries()];
                let mean: Rational = values.iter().zip(shares).map(|(v, share)| v * share).sum();
                if is_own {
                    let counts = node == set.first_node as usize;
                    let weight = whole(if self.plus { self.t } else { 1 });
                    for (entry, value) in set.entries().zip(values) {
                        now[entry] += others * (value - &mean);
                        if counts {
                            let reach = own * &self.strategies[entry];
                            self.sums[entry] += &weight * reach;
                        }
                    }
                }
                mean
            }
        }
    }
}

fn check(rule: Rule, plus: bool, n: u64) {
    let tree = kuhn();
    let mut exact = ExactCfr::new(&tree, plus);
    let mut solver = Solver::new(&tree, rule, Updates::Alternating);
    for t in 1..=n {
        exact.iterate();
        solver.run(1);
        let state = solver.state();
        for (found, expected) in
            [(&state.regrets, &exact.regrets), (&state.strategy_sums, &exact.sums)]
        {
            for (found, expected) in found.iter().zip(expected) {
                let off = (found - at_least(expected)).abs();
                assert!(off < 1e-12, "{rule}, t = {t}: {off}");
            }
        }
    }
}

#[test]
fn cfr_is_what_exact_arithmetic_gives() {
    check(Rule::Vanilla, false, 12);
}

#[test]
fn cfr_plus_is_what_exact_arithmetic_gives() {
    check(Rule::Plus, true, 8);
}
