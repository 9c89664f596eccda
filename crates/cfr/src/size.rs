//! How large a game is, before memory is spent on it.

use game::{Hidden, Stream, Turn};

/// What a laid out node takes while the tree is built, information sets and their keys included: an upper bound
/// measured on Leduc poker and liar's dice.
pub const NODE_BYTES: u64 = 400;
/// Games up to this many histories are counted; larger ones are estimated.
const COUNTED_MAX: u64 = 200_000;
const PROBES: u32 = 20_000;

/// The number of histories of a game: all nodes of its tree, the root and the terminal ones too.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Size {
    pub histories: f64,
    /// Whether they were counted, not estimated.
    pub is_exact: bool,
}

impl Size {
    /// The memory that a tree of this size needs.
    pub fn bytes(&self) -> u64 {
        (self.histories * NODE_BYTES as f64) as u64
    }
}

/// Counts a small game; estimates a large one from random descents (Knuth, Estimating the efficiency of backtrack
/// programs, 1975): the product of the numbers of choices on the way, summed over its prefixes, has the number of
/// nodes as its mean.
pub fn measure<G: Hidden>(rules: &G, setup: &G::Setup) -> Size {
    let mut left = COUNTED_MAX;
    count(rules, &rules.initial(setup), &mut left);
    if left > 0 {
        return Size { histories: (COUNTED_MAX - left) as f64, is_exact: true };
    }
    let mut stream = Stream::from_seed(1);
    let total: f64 = (0..PROBES).map(|_| probe(rules, setup, &mut stream)).sum();
    let histories = (total / f64::from(PROBES)).max(COUNTED_MAX as f64);
    Size { histories, is_exact: false }
}

/// Takes 1 from `left` for each node, and stops at 0.
fn count<G: Hidden>(rules: &G, state: &G::State, left: &mut u64) {
    if *left == 0 {
        return;
    }
    *left -= 1;
    for action in choices(rules, state) {
        let mut after = state.clone();
        rules.apply(&mut after, action);
        count(rules, &after, left);
    }
}

fn probe<G: Hidden>(rules: &G, setup: &G::Setup, stream: &mut Stream) -> f64 {
    let mut state = rules.initial(setup);
    let (mut nodes, mut width) = (1.0, 1.0);
    loop {
        let choices = choices(rules, &state);
        if choices.is_empty() {
            return nodes;
        }
        width *= choices.len() as f64;
        nodes += width;
        rules.apply(&mut state, choices[stream.below(choices.len() as u32) as usize]);
    }
}

fn choices<G: Hidden>(rules: &G, state: &G::State) -> Vec<G::Action> {
    match rules.turn(state) {
        Turn::Over => Vec::new(),
        Turn::Seat(_) => rules.legal(state),
        Turn::Chance => {
            let mut outcomes = Vec::new();
            rules.outcomes(state, &mut |action, _| outcomes.push(action));
            outcomes
        }
    }
}
