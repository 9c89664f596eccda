//! Non-interference with a network (IB2): 2,000 pairs of truths that one seat cannot tell apart, through the real
//! belief, search, batched evaluator with its cache, and row writer. One evaluator a thread, as a worker has it, so
//! that what its cache remembers of one truth could reach the other.

#[path = "../../../crates/audit/tests/two_worlds/clean.rs"]
#[allow(dead_code, reason = "the evaluator of this one is a network")]
mod clean;

use audit::lab::{Plan, Player, Subject, compare, examine};
use clean::{FIELDS, Program, STYLE, known, params};
use game::{EvalRequest, Evaluation, Evaluator};
use net::{Architecture, EvaluatorOptions, NetEvaluator, Network, NetworkShape, Precision};
use std::cell::RefCell;
use warchest::{ExactUniform, WarChest};

const N_PAIRS: u64 = 2_000;
const OPTIONS: EvaluatorOptions =
    EvaluatorOptions { batch_size: 2, precision: Precision::Float32, cache_entries: 4_096 };

fn evaluator(rules: &WarChest) -> NetEvaluator<WarChest> {
    net::use_one_thread();
    let architecture = Architecture::Residual { blocks: 1, channels: 8, value_hidden: 8 };
    let network = Network::random(architecture, NetworkShape::of(rules), 3).unwrap();
    NetEvaluator::new(*rules, &network, OPTIONS).unwrap()
}

thread_local! {
    /// By rules.
    static EVALUATORS: RefCell<Vec<(WarChest, NetEvaluator<WarChest>)>> = const { RefCell::new(Vec::new()) };
}

/// This thread's evaluator.
struct OfThread(WarChest);

impl Evaluator<WarChest> for OfThread {
    fn evaluate(&mut self, requests: &[EvalRequest<WarChest>]) -> Vec<Evaluation> {
        EVALUATORS.with_borrow_mut(|all| {
            let found = all.iter().position(|(rules, _)| *rules == self.0);
            let at = found.unwrap_or_else(|| {
                all.push((self.0, evaluator(&self.0)));
                all.len() - 1
            });
            all[at].1.evaluate(requests)
        })
    }
}

struct WithNetwork;

impl Subject<WarChest> for WithNetwork {
    fn player(&self, rules: &WarChest) -> Box<dyn Player<WarChest>> {
        Box::new(Program::new(rules, ExactUniform, params(), Box::new(OfThread(*rules))))
    }

    fn evaluator(&self, rules: &WarChest) -> Box<dyn Evaluator<WarChest>> {
        Box::new(evaluator(rules))
    }
}

#[test]
fn what_is_hidden_changes_nothing_for_a_network() {
    let plan = Plan::of_pairs(N_PAIRS);
    let comparison = compare(&WithNetwork, &STYLE, &FIELDS, plan, &mut |_| false);
    assert_eq!(comparison.differences, 0, "{:?} {:?}", comparison.first, comparison.found);
    let coverage = &comparison.coverage;
    assert!(coverage.pairs >= N_PAIRS && coverage.kinds.len() == 10, "{coverage:?}");
    for field in ["hand", "bag", "face_down"] {
        assert!(coverage.field(field) > 1_000, "{field}: {coverage:?}");
    }
    assert!(coverage.field("in_flight") > 0, "{coverage:?}");
}

#[test]
fn a_network_answers_alike_alone_and_among_others() {
    let comparison = examine(&WithNetwork, &STYLE, &known(), 0, 2);
    assert_eq!(comparison.differences, 0, "{:?} {:?}", comparison.first, comparison.found);
}
