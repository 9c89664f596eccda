//! C8: evaluations remembered under a key that is too coarse.

use crate::planted::{Leak, Planted, leak};
use audit::lab::Test;
use audit::lab::subject::{HashedRequests, hash_of, write_request};
use game::{EvalRequest, Evaluation, Evaluator, Seat};
use std::collections::HashMap;
use warchest::{Coins, SeenZones, WarChest, Zones};

type Key = fn(&WarChest, &EvalRequest<WarChest>) -> u64;

/// A cache of the real evaluator's answers.
struct Cached {
    rules: WarChest,
    inner: HashedRequests<WarChest>,
    known: HashMap<u64, Evaluation>,
    key: Key,
}

fn cached(rules: &WarChest, key: Key) -> Box<dyn Evaluator<WarChest>> {
    let inner = HashedRequests::new(rules);
    Box::new(Cached { rules: *rules, inner, known: HashMap::new(), key })
}

impl Evaluator<WarChest> for Cached {
    fn evaluate(&mut self, requests: &[EvalRequest<WarChest>]) -> Vec<Evaluation> {
        let Cached { rules, inner, known, key } = self;
        let answer = |request: &EvalRequest<WarChest>| {
            let fresh = || inner.evaluate(std::slice::from_ref(request)).remove(0);
            let found = known.entry(key(rules, request)).or_insert_with(fresh);
            // A hit with another number of actions is no hit.
            match found.priors.len() == request.actions.len() {
                true => found.clone(),
                false => inner.evaluate(std::slice::from_ref(request)).remove(0),
            }
        };
        requests.iter().map(answer).collect()
    }
}

const NOTHING_SEEN: SeenZones = SeenZones {
    hand_len: 0,
    discard_down_len: 0,
    drawn_len: 0,
    reserve: Coins::NONE,
    discard_up: Coins::NONE,
    supply: Coins::NONE,
    eliminated: Coins::NONE,
};

fn without_viewer(rules: &WarChest, request: &EvalRequest<WarChest>) -> u64 {
    let mut request =
        EvalRequest::<WarChest> { now: request.now, actions: request.actions.clone() };
    request.now.observer = Seat::FIRST;
    request.now.own = Zones::default();
    request.now.opponent = NOTHING_SEEN;
    let mut bytes = Vec::new();
    write_request(rules, &request, &mut bytes);
    hash_of(&bytes)
}

fn few_bits(rules: &WarChest, request: &EvalRequest<WarChest>) -> u64 {
    let mut bytes = Vec::new();
    write_request(rules, request, &mut bytes);
    hash_of(&bytes) & 0x7
}

fn board_alone(_: &WarChest, request: &EvalRequest<WarChest>) -> u64 {
    hash_of(format!("{:?}", request.now.stacks).as_bytes())
}

type Make = fn(&WarChest) -> Box<dyn Evaluator<WarChest>>;

fn planted(name: &'static str, about: &'static str, evaluator: Make) -> Leak {
    leak(8, name, about, Planted { evaluator, ..Planted::CLEAN }).caught_by(Test::Alone)
}

pub fn leaks() -> Vec<Leak> {
    vec![
        planted(
            "cache-without-the-viewer",
            "the cache's key leaves out whose knowledge the position is",
            |rules| cached(rules, without_viewer),
        ),
        planted("cache-of-few-bits", "the cache's key is cut to three bits", |rules| {
            cached(rules, few_bits)
        }),
        planted("cache-by-the-board", "the cache's key is the board without any coins", |rules| {
            cached(rules, board_alone)
        }),
    ]
}
